"""What the page does when something is in the way: lost answers, an ended session, no database."""
from selenium.webdriver.common.keys import Keys

from acts import eventually, expect
from harness.processes import Failure
from losing import LosingWay

seconds_max = 40  # until the page has noticed


def fill(person, first, last):
    person.forget_said()
    person.view("series/dhl-paket/load", '[name="first"]')
    person.hand.write('[name="first"]', first)
    person.hand.write('[name="last"]', last, send=True)
    person.browser.find(".preview")


SEND = "form.load p.acts button:first-child"


def lose_all(person):
    """If no answer comes, the page says so, and repeats the very same, also after a reload."""
    before = len(person.desk.blocks())
    fill(person, "4901214214405250000", "4901214214405500000")
    person.way.lose(1000)
    person.hand.press(SEND)
    person.browser.see(person.words["not known"], ".outcome")
    person.browser.find("#open-acts button")
    key = set(person.way.keys)
    person.browser.driver.refresh()
    person.hand.press("#open-acts button")
    person.said(person.words["no answer"])
    person.way.lose(0)
    person.hand.press("#open-acts button")
    person.said(person.words["done"])
    expect("key", set(person.way.keys), key)
    expect("shown", person.browser.shows("#open-acts"), False)
    expect("blocks", len(person.desk.blocks()), before + 1)


def go_back(person):
    """A dialog goes with its view; what was said before lies over no button."""
    person.view("series/dhl-paket")
    person.begin("withdraw", block="4")
    person.browser.driver.back()
    person.browser.until("!document.querySelector('dialog')")
    person.view("webhooks")
    person.browser.run("""
        const said = document.querySelector("#said");
        said.classList.add("shown");
        const all = {inset: 0, width: "auto", maxWidth: "none", maxHeight: "none"};
        Object.assign(said.style, all)""")
    person.begin("create")  # the hand presses what lies on top
    person.browser.run("document.querySelector('dialog').close();"
                       "document.querySelector('#said').removeAttribute('style')")


def lose_in_dialog(person):
    """In a dialog, too: it stays as it was until its answer is known."""
    person.view("series/dhl-paket")
    person.begin("withdraw", block="4")
    person.way.lose(1000)
    person.answer(reason="typo")
    person.browser.see(person.words["not known"], "dialog")
    expect("locked", person.browser.find("dialog input").is_enabled(), False)
    person.way.lose(0)
    person.hand.press("dialog p.acts button:first-child")
    person.said("4")
    states = {block["id"]: block["state"] for block in person.desk.blocks()}
    expect("state", states["4"], "withdrawn")


def leave_unanswered(person, **fields):
    """Answers a dialog, and loads the page anew before there is an answer."""
    person.answer(**fields)
    eventually("a request", lambda: len(person.way.keys) > 0, True)
    person.browser.driver.refresh()
    person.browser.find("#open-acts button")


def repeat_what_is_half_done(person):
    """A repetition says that a label did not print, and that a block is only proposed."""
    number = person.desk.issue(1)["numbers"][0]
    person.view(f"number/{number}", ".label img")
    person.begin("print")
    person.way.lose(1000)
    leave_unanswered(person)
    person.way.lose(0)
    person.view("series/letters/load", '[name="first"]')
    person.hand.press("#open-acts button")
    person.said(person.words["not printed"])
    person.browser.until("location.hash.endsWith(arguments[0])", number)
    person.view("series/letters/load", '[name="first"]')
    person.hand.write('[name="first"]', "9001")
    person.hand.write('[name="last"]', "9999", send=True)
    person.browser.find(".preview")
    for box in person.browser.run(
            "return [...document.querySelectorAll('.warnings input')].map(each => each.value)"):
        person.hand.tick(f'.warnings [value="{box}"]')
    person.way.lose(1000)
    person.hand.press(SEND)
    eventually("a request", lambda: len(person.way.keys) > 0, True)
    person.browser.driver.refresh()
    person.browser.find("#open-acts button")
    person.way.lose(0)
    person.hand.press("#open-acts button")
    person.said(person.words["proposed"])


def repeat_for_secret(person):
    """What is shown once is shown, too, if a repetition from the list is what was done first."""
    receiver = "https://127.0.0.1/hook"
    hook = person.desk.ask("POST", "/v1/webhooks", {"url": receiver})
    old = hook.pop("secret")
    for view, act, fields in (("tokens", {"act": "create"}, {"name": "night shift"}),
                              ("webhooks", {"act": "create"}, {"url": receiver}),
                              ("webhooks", {"act": "rotate", "webhook": hook["id"]}, {})):
        person.view(view)
        person.way.lose(0, before=True)
        person.begin(**act)
        leave_unanswered(person, **fields)
        person.way.lose(0)
        person.hand.press("#open-acts button")
        secret = person.secret()
        expect("another secret", secret == old, False)
        if "name" in fields:
            status, _ = person.desk.instance.call("GET", "/v1/series", secret)
            expect("the new token", status, 200)
        person.hand.press("dialog p.acts:last-child button")
        expect("shown", person.browser.shows("#open-acts"), False)
        person.browser.until("!document.querySelector('dialog')")
        expect("focus", person.browser.run("return document.activeElement.tagName"), "H1")
    for each in person.desk.ask("GET", "/v1/webhooks")["items"]:
        person.desk.ask("DELETE", f"/v1/webhooks/{each['id']}")


def repeat_after_secret(person):
    """If it was shown to nobody and is gone, the page says so, and what to do, until it is read."""
    person.view("tokens")
    person.way.lose(1000)
    person.begin("create")
    leave_unanswered(person, name="day shift")
    person.way.lose(0)
    person.hand.press("#open-acts button")
    person.browser.see("its secret was shown once", "dialog")
    person.browser.see("revoke that token", "dialog")
    person.hand.press("dialog button.main")
    expect("shown", person.browser.shows("#open-acts"), False)


def sign_out_unanswered(person):
    """Who could not be signed out is told, and can try again; the cookie is still there."""
    person.way.lose(1000)
    person.hand.press("#who button")
    person.said(person.words["still in"])
    expect("the form", person.browser.shows("#token"), False)
    person.way.lose(0)
    person.hand.press("#who button")
    person.browser.find("#token")
    cookies = person.browser.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
    expect("cookies", [each["name"] for each in cookies], [])
    person.sign_in("anna")


def issue_over_reload(person):
    """A number whose answer was lost is asked for again after a reload, and is the only one."""
    number = person.desk.issue(1)["ranges"][0]["ordinal"]
    person.view("parcels")
    person.hand.select('form[name="issue"] [name="series"]', "dhl-paket")
    person.way.lose(1000)
    person.hand.write('form[name="issue"] [name="reference"]', "B-4713", send=True)
    eventually("a request", lambda: len(person.way.keys) > 0, True)
    key = person.way.keys[0]
    person.browser.driver.refresh()
    person.browser.find("#open-acts button")
    person.way.lose(0)
    person.browser.until("location.hash.includes('/number/')")
    person.browser.see("B-4713", "main")
    expect("key", set(person.way.keys) <= {key}, True)
    expect("shown", person.browser.shows("#open-acts"), False)
    expect("numbers", int(person.desk.issue(1)["ranges"][0]["ordinal"]), int(number) + 2)


# The browser's clock, so many days later: today's day is asked of Intl alone.
LATER = """
    window.later = arguments[0];
    window.formatOfToday ??= Object.getOwnPropertyDescriptor(
        Intl.DateTimeFormat.prototype, "format").get;
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {configurable: true, get() {
        const format = window.formatOfToday.call(this);
        return moment =>
            format(Number(moment ?? Date.now()) + window.later * 86400000);
    }});"""


def over_midnight(person):
    """A form that is left open goes on with the day; what somebody has typed into it stays."""
    def days():
        return person.browser.run("const { value, max } = document.querySelector('[name=date]');"
                                  "return [value, max]")

    person.view("series/dhl-paket/manifest", '[name="date"]')
    first = days()[1]
    expect("at first", days(), [first, first])
    person.browser.run(LATER, 1)
    eventually("both days go on", lambda: min(days()) > first, True)
    second = days()[1]
    expect("the next day", days(), [second, second])
    date = person.browser.find('[name="date"]')
    person.browser.run("arguments[0].focus()", date)
    date.send_keys(Keys.ARROW_DOWN)
    typed = days()[0]
    expect("something was typed", typed != second, True)
    person.browser.run(LATER, 2)
    eventually("the day goes on", lambda: days()[1] > second, True)
    expect("what was typed", days()[0], typed)
    person.browser.run(LATER, 0)
    person.view("parcels", 'form[name="day"]')
    person.browser.run(LATER, 1)
    person.browser.run("document.querySelector('[name=date]').focus()")
    expect("the last day to ask for", days()[1], second)
    person.browser.run(LATER, 0)


def seven_tabs(person):
    """More tabs than a browser opens connections: each works, and the one in front hears."""
    driver = person.browser.driver
    mine, page = driver.current_window_handle, driver.current_url.split("#")[0]
    opened = []
    try:
        for _ in range(7):
            driver.switch_to.new_window("tab")
            opened.append(driver.current_window_handle)
            person.browser.open(f"{page}#/notices")
            person.browser.see(person.words["live"], "main")
        person.desk.ask("PATCH", "/v1/series/pallets", {"paused": True})
        person.browser.see(person.words["paused"], "main .rows")
        # A tab that was behind is told what it missed.
        driver.switch_to.window(opened[0])
        driver.execute_cdp_cmd("Page.bringToFront", {})
        person.browser.see(person.words["live"], "main")
        person.browser.see(person.words["paused"], "main .rows")
    finally:
        person.desk.ask("PATCH", "/v1/series/pallets", {"paused": False})
        for each in opened:
            driver.switch_to.window(each)
            driver.close()
        driver.switch_to.window(mine)
        driver.execute_cdp_cmd("Page.bringToFront", {})


def database_away(person):
    """While the database is away the page shows what it knew, and of when, also after a reload."""
    person.view("")
    person.browser.see("dhl-paket", "main")
    person.desk.go_away()
    try:
        person.browser.until("document.querySelector('#trouble').innerText.includes(arguments[0])",
                             person.words["database away"], seconds_max=seconds_max)
        person.browser.see(person.words["read at"], "#trouble")
        person.browser.see("dhl-paket", "main")
        person.browser.driver.refresh()
        person.browser.see(person.words["database away"], "#trouble")
        person.browser.see("dhl-paket", "main")
        person.view("holds")
        person.browser.see(person.words["database away"], "#trouble")
        # Who opens it only now is asked for a token, in vain; the cookie is still there.
        person.browser.run("sessionStorage.clear()")
        person.browser.driver.refresh()
        person.browser.find("#token")
    finally:
        person.desk.come_back()
    person.browser.until("document.querySelector('#ways a')", seconds_max=seconds_max)
    person.browser.until("document.querySelector('#trouble').innerText === ''",
                         seconds_max=seconds_max)
    person.view("")
    person.browser.see("dhl-paket", "main")


def service_away(person):
    """The same while the service itself does not answer."""
    person.view("series/dhl-paket")
    shown = person.browser.text("main")
    person.desk.instance.kill()
    person.browser.until("document.querySelector('#trouble').innerText !== ''",
                         seconds_max=seconds_max)
    expect("shown", "4901214213405250000" in person.browser.text("main"), True)
    if not shown:
        raise Failure("nothing was shown")


def session_over(person):
    """A session that ends goes on where it was: the form is kept, and the key of the load."""
    number = person.desk.tokens["ben"].split("_")[1]
    person.hand.press("#who button")
    person.sign_in("ben")
    before = len(person.desk.blocks())
    fill(person, "4901214214605250000", "4901214214605500000")
    made = person.desk.ask("POST", "/v1/tokens", {
        "name": "ben", "scopes": ["read", "issue", "load"]})
    person.desk.tokens["ben"] = made["token"]
    person.desk.ask("DELETE", f"/v1/tokens/{number}")
    person.way.lose(0)
    person.hand.press(SEND)
    eventually("the form", lambda: person.browser.shows("dialog #token"), True)
    expect("who", person.browser.shows("#who"), False)
    person.sign_in("ben")
    eventually("blocks", lambda: len(person.desk.blocks()), before + 1)
    expect("keys", len({key for key in person.way.keys if key}), 1)
    person.browser.until("location.hash === '#/series/dhl-paket'")

    # Somebody else signs in: looks first, and nothing has happened.
    fill(person, "4901214214705250000", "4901214214705500000")
    person.browser.driver.delete_all_cookies()
    person.way.lose(0)
    person.hand.press(SEND)
    person.sign_in("anna")
    person.browser.find(".outcome .problem")
    expect("blocks", len(person.desk.blocks()), before + 1)
    person.hand.press(SEND)
    eventually("blocks", lambda: len(person.desk.blocks()), before + 2)
    expect("keys", len({key for key in person.way.keys if key}), 1)

    # What only looks is asked, too.
    person.view("")
    person.browser.driver.delete_all_cookies()
    person.browser.run("document.dispatchEvent(new Event('visibilitychange'))")
    person.sign_in("anna")
    person.browser.see("dhl-paket", "main")


# In this order: the last one ends the service.
TROUBLE = [lose_all, go_back, lose_in_dialog, repeat_what_is_half_done, repeat_for_secret,
           repeat_after_secret, sign_out_unanswered, issue_over_reload, over_midnight, seven_tabs,
           session_over, database_away, service_away]


def on_losing_way(desk):
    return LosingWay(desk.instance.port)
