"""What others do meanwhile, and what comes late: the page shows and does what is meant."""
import json
import os

from selenium.webdriver.common.keys import Keys

from acts import expect
from harness.processes import Failure

FIRST_BUTTON = "dialog p.acts button:first-child"

# Answers to what is requested of such paths come so many milliseconds late, or are others.
LATE = """
    window.fetchAtOnce ??= window.fetch;
    const [pattern, milliseconds] = arguments;
    window.fetch = async (path, ...more) => {
        const answer = await window.fetchAtOnce(path, ...more);
        if (new RegExp(pattern).test(path))
            await new Promise((done) => setTimeout(done, milliseconds));
        return answer;
    };"""
OTHER = """
    window.fetchAtOnce ??= window.fetch;
    const [pattern, body] = arguments;
    window.fetch = async (path, ...more) => new RegExp(pattern).test(path)
        ? new Response(body) : window.fetchAtOnce(path, ...more);"""
COME_BACK = """
    const tell = () => document.dispatchEvent(new Event("visibilitychange"));
    Object.defineProperty(document, "hidden", {value: true, configurable: true});
    tell();
    delete document.hidden;
    tell();"""
PASTE = """
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", arguments[1]);
    document.querySelector(`[name=${arguments[0]}]`).dispatchEvent(
        new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));"""
VALUES = "return arguments[0].map(name => document.querySelector(`[name=${name}]`).value)"
LEAVE = "location.hash = '#/parcels'"  # at once; a hand waits until all is read
AT_ONCE = "window.fetch = window.fetchAtOnce ?? window.fetch"


def wait(person, milliseconds):
    person.browser.until(
        f"new Promise(done => setTimeout(() => done(true), {milliseconds}))")


def last_kinds(person, number):
    return [each["kind"] for each in person.desk.find(number)["history"]][-2:]


def event(person, number, **more):
    person.desk.ask("POST", "/v1/series/dhl-paket/events", {
        "ranges": [{"first": number, "last": number}], **more})


def change_person(person, name):
    """Another tab signs in somebody else: the cookie is theirs, this page does not know yet."""
    driver = person.browser.driver
    cookie = driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"][0]
    driver.execute_cdp_cmd("Network.setCookie", {
        "name": cookie["name"], "value": person.desk.tokens[name], "path": cookie["path"],
        "domain": cookie["domain"], "httpOnly": True, "sameSite": "Strict"})


def repeat_by_another_cookie(person):
    """A lost number is asked for again by its person alone, whoever tries to sign in before."""
    before = int(person.desk.issue(1)["ranges"][0]["ordinal"])
    person.view("parcels")
    person.hand.select('form[name="issue"] [name="series"]', "dhl-paket")
    person.way.lose(1000)
    person.hand.write('form[name="issue"] [name="reference"]', "B-4714", send=True)
    person.browser.see(person.words["not known"], "main form")
    keys = set(person.way.keys)
    person.way.lose(0)
    change_person(person, "ben")
    person.hand.press("#open-acts button")
    # Behind the dialog there is nothing to go on with.
    for _ in range(3):
        person.browser.find("dialog #token")
        person.browser.active().send_keys(Keys.ESCAPE)
    person.browser.find("dialog #token")
    # Who cannot use the page takes nothing away.
    person.hand.write("dialog #token", person.desk.tokens["printer"], send=True)
    person.browser.see(person.words["lacks read"], "dialog")
    person.sign_in("anna")
    person.browser.until("location.hash.includes('/number/')")
    person.browser.see("B-4714", "main")
    expect("keys", {key for key in person.way.keys if key}, keys)
    expect("numbers", int(person.desk.issue(1)["ranges"][0]["ordinal"]), before + 2)

    # A tab that comes to the front shows whose it is.
    change_person(person, "ben")
    person.browser.run(COME_BACK)
    person.browser.see("ben", "#who")
    change_person(person, "anna")
    person.browser.run(COME_BACK)
    person.browser.see("anna", "#who")


def repeat_a_change(person):
    """A change whose answer was lost is not done again over what somebody else did since."""
    person.view("series/pallets")
    person.begin("pause")
    person.way.lose(1000)
    person.answer(reason="wrong paper")
    person.browser.see(person.words["not known"], "dialog")
    person.way.lose(0)
    expect("paused", person.desk.ask("GET", "/v1/series/pallets")["paused"], True)
    person.desk.ask("PATCH", "/v1/series/pallets", {"paused": False})
    person.hand.press(FIRST_BUTTON)
    person.said("pallets")
    expect("paused", person.desk.ask("GET", "/v1/series/pallets")["paused"], False)

    # What nobody touched in a form stays as somebody else has set it meanwhile.
    person.begin("carrier")
    person.desk.ask("PATCH", "/v1/carriers/gs1", {"lead_days": 21})
    person.answer(contact="0228 1")
    person.said("gs1")
    carrier = person.desk.ask("GET", "/v1/carriers/gs1")
    expect("carrier", [carrier["lead_days"], carrier["contact"]], [21, "0228 1"])


def print_at_two_desks(person):
    """A number that another desk has printed meanwhile is printed again, with a reason."""
    person.browser.run("window.printed = 0; window.print = () => { window.printed += 1; }")
    number, other = person.desk.issue(2)["numbers"]
    person.view(f"number/{other}")
    person.view(f"number/{number}", ".label")
    event(person, number, kind="printed")
    person.begin("print")
    person.answer(reason="a second desk")
    person.said(number)
    person.browser.until("window.printed === 1")
    expect("history", last_kinds(person, number), ["printed", "reprinted"])

    # Two desks ask at once: the second one prints nothing. A double click asks once.
    late = person.desk.issue(1)["numbers"][0]
    person.view(f"number/{late}", ".label")
    person.browser.run(LATE, f"/{late}$", 500)
    person.hand.press_twice('main [data-act="print"]')
    person.browser.find("dialog")
    wait(person, 1000)
    expect("dialogs", person.browser.run("return document.querySelectorAll('dialog').length"), 1)
    event(person, late, kind="printed")
    person.answer()
    person.said(person.words["elsewhere"])
    expect("printed", person.browser.run("return window.printed"), 1)
    expect("history", last_kinds(person, late), ["issued", "printed"])
    person.browser.run(AT_ONCE)

    # Whoever goes back before it is printed is told, and prints nothing else.
    person.view(f"number/{other}", ".label")
    person.view(f"number/{number}", ".label")
    person.browser.run(LATE, "/events$", 1500)
    person.begin("print")
    person.answer(reason="torn")
    person.browser.driver.back()
    person.browser.see(other, "main")
    person.browser.see(number, "#said")
    wait(person, 1000)
    expect("printed", person.browser.run("return window.printed"), 1)
    expect("history", last_kinds(person, number), ["reprinted", "reprinted"])
    person.browser.run(AT_ONCE)

    # Without its barcode a label is neither marked nor printed; it is asked for again.
    no_pictures = lambda urls: person.browser.driver.execute_cdp_cmd(  # noqa: E731
        "Network.setBlockedURLs", {"urls": urls})
    plain = person.desk.issue(1)["numbers"][0]
    person.browser.driver.execute_cdp_cmd("Network.enable", {})
    no_pictures(["*barcode.svg*"])
    person.view(f"number/{plain}", ".label img")
    person.hand.press('main [data-act="print"]')
    person.said(person.words["not drawn"])
    expect("state", person.desk.state_of(plain), "issued")
    no_pictures([])
    person.begin("print")
    person.answer()
    person.said(plain)
    person.browser.until("window.printed === 2")
    person.browser.until("document.querySelector('.label img').naturalWidth > 0")

    # What was reported by hand says why.
    event(person, number, kind="manifested", reason="handed over, truck 7")
    person.view("parcels")
    person.view(f"number/{number}", ".history")
    person.browser.see("handed over, truck 7", ".history")


def print_without_a_barcode(person):
    """Bars that lack something are neither marked nor printed; a line that is too long is put below
    them."""
    desk, browser = person.desk, person.browser
    desk.ask("POST", "/v1/formats", {
        "name": "wide", "number": "{n:4}", "hrt": f"{'warehouse ' * 4}{{number}}",
        "barcode": {"symbology": "code128", "data": "{number}"}})
    browser.run("window.printed = 0; window.print = () => { window.printed += 1; }")
    for series, given in (("depot", {"format": "dpd-15", "params": {"depot": "0998"}}),
                          ("wide", {"format": "wide"})):
        desk.ask("POST", "/v1/series", {"name": series, "carrier": series, **given})
        desk.ask("POST", f"/v1/series/{series}/blocks", {"first_serial": "1", "last_serial": "9"})
        number = desk.issue(1, series)["numbers"][0]
        person.view(f"series/{series}/number/{number}", ".label")
        if series == "wide":
            browser.until("document.querySelector('.label img')?.naturalWidth > 0")
            browser.see("warehouse", ".label .number")
            person.begin("print")
            person.answer()
            person.said(number)
        else:
            browser.see("plz", ".label .detail")
            person.hand.press('main [data-act="print"]')
            person.said(person.words["not drawn"])
            expect("state", desk.state_of(number, series), "issued")
    browser.until("window.printed === 1")


def leave_before_it_is_read(person):
    """A list that comes when its view was left is not shown as another one."""
    browser = person.browser
    today = person.desk.ask("GET", "/v1/session")["today"]
    lists = {"dhl-paket": person.desk.printed["numbers"][0], "pallets": person.desk.pallet}
    person.view("parcels")
    browser.run(LATE, "/issuances|/v1/audit", 1000)
    browser.run("location.hash = arguments[0]", f"#/series/dhl-paket/day/{today}")
    browser.until("document.querySelector('main h1').textContent.includes('dhl-paket')")
    browser.run(LEAVE)
    wait(person, 1500)
    person.view(f"series/pallets/day/{today}", '[data-key="issued"]')
    browser.see(lists["pallets"], '[data-key="issued"]')
    expect("of another series", browser.run(
        "return [...document.querySelectorAll('[data-key=issued] a')]"
        ".some(each => !each.hash.includes('pallets'))"), False)

    person.view("audit", '[name="actor"]')
    person.hand.write('[name="actor"]', "ben", send=True)
    browser.run(LEAVE)
    wait(person, 1500)
    person.view("audit", '[name="actor"]')
    browser.until("[...document.querySelectorAll('main tbody tr')]"
                  ".some(row => row.cells[1].innerText !== 'ben')")
    browser.run(AT_ONCE)


def sign_in_as_one_who_sees_less(person):
    """Whoever signs in next sees what is theirs, and no list of somebody else's."""
    browser = person.browser
    today = person.desk.ask("GET", "/v1/session")["today"]
    person.desk.tokens["carl"] = person.desk.ask("POST", "/v1/tokens", {
        "name": "carl", "scopes": ["read"], "series": ["pallets"]})["token"]
    person.view(f"series/dhl-paket/day/{today}", '[data-key="issued"] a')
    browser.driver.delete_all_cookies()
    person.hand.press('[data-act="save"]')
    browser.find("dialog #token")
    person.sign_in("carl")
    browser.until("!document.querySelector('[data-key=issued]')")
    person.hand.press("#who button")
    person.sign_in("anna")


def load_what_was_given_last(person):
    """The form has the series of its address, new ones too, and takes what was given last."""
    browser = person.browser
    person.view("load", '[name="first"]')
    person.desk.ask("POST", "/v1/series", {"name": "brand-new", "carrier": "dhl"})
    person.view("parcels")
    person.view("load", '[name="first"]')
    if not browser.run("return document.querySelector('[name=series] [value=brand-new]')"):
        raise Failure("a kept form does not have a new series")
    person.view("series/brand-new/load", '[name="first"]')
    expect("series", browser.run("return document.querySelector('[name=series]').value"),
           "brand-new")
    person.hand.drop("letter.csv", "first,last\n100,199\n")
    browser.see("199", ".preview")
    person.hand.press("form.load p.acts button.plain")
    person.hand.write('[name="rows"]', "first,last\n300,399")
    person.hand.press("form.load p.acts button:first-child")
    browser.see("399", ".preview")

    # A preview that comes when its view was left is nothing of the next one.
    person.hand.press("form.load p.acts button.plain")
    browser.run(LATE, "dry_run", 1000)
    person.hand.press("form.load p.acts button:first-child")
    browser.run(LEAVE)
    wait(person, 1500)
    expect("entry", browser.run("return history.state?.preview ?? null"), None)
    browser.run(AT_ONCE)


def one_at_a_time(person):
    """While something is compared or previewed nothing takes its place, and no field changes."""
    browser = person.browser

    def drop(name, text, wanted):
        """And another one at once, which waits."""
        person.forget_said()
        person.hand.drop(name, text)
        browser.until("document.querySelector('[name=file]').closest('[inert]')")
        person.hand.drop("other.csv", "first,last\n1,2\n")
        person.said(person.words["sending"])
        browser.see(*wanted)
        expect("the file", browser.run(
            "return document.querySelector('[name=file]').files[0].name"), name)

    person.view("series/dhl-paket/invoice", '[name="file"]')
    browser.run(LATE, "/reconcile|dry_run", 1500)
    number = person.desk.printed["numbers"][0]
    drop("march.csv", f"Sendungsnummer\n{number}\n", ("march.csv", ".outcome"))
    expect("inert", browser.shows("main [inert]"), False)
    person.view("series/dhl-paket/load", "form.load")
    drop("march.csv", "first,last\n4901214215105250000,4901214215105500000\n",
         ("4901214215105500000", ".preview"))
    person.hand.press("form.load p.acts button.plain")
    person.hand.tick('[name="mode"][value="block"]')
    person.hand.write('[name="first"]', "4901214215105250000")
    person.hand.write('[name="last"]', "4901214215105000000", send=True)
    browser.until("document.querySelector('[name=last]').closest('[inert]')")
    browser.find(".outcome .problem")
    expect("focus", browser.active().get_attribute("name"), "last")
    browser.run(AT_ONCE)
    person.hand.write('[name="last"]', "4901214215105500000")
    person.hand.press("form.load p.acts button:first-child")
    browser.find(".preview")


def paste_beside_what_was_typed(person):
    """Two numbers go into their fields; more of them take nothing away that was typed."""
    first, last = "340123450000020002", "340123450000029999"
    person.view("series/pallets/load", '[name="first"]')
    person.hand.write('[name="reference"]', "letter 7")
    person.browser.run(PASTE, "first", f"{first}\t{last}\t100\n")
    person.browser.see(person.words["not pasted"], ".outcome")
    person.browser.run(PASTE, "first", f"{first} bis {last}")
    expect("typed", person.browser.run(VALUES, ["first", "last", "reference"]),
           [first, last, "letter 7"])
    expect("one block", person.browser.shows('[name="first"]'), True)
    person.hand.write('[name="reference"]', "")
    person.browser.run(PASTE, "first", f"{first}\t{last}\t100\n")
    expect("rows", person.browser.run(VALUES, ["rows"]), [f"{first}\t{last}\t100"])


def load_a_file_that_changes(person):
    """A file that changed since it was chosen is told as that; what was previewed is loaded."""
    file, file_time = person.desk.folder / "changing.csv", [1700000000]

    def write(text):
        file.write_text(text)
        file_time[0] += 10
        os.utime(file, (file_time[0], file_time[0]))

    write("first,last\n1,2\n")
    person.desk.ask("POST", "/v1/series", {"name": "changing", "carrier": "dhl"})
    person.view("series/changing/load", "form.load")
    person.hand.tick('[name="mode"][value="table"]')
    person.hand.choose_file('[name="file"]', file)
    write("first,last\n520000000,520000999\n")
    person.hand.press("form.load p.acts button:first-child")
    person.browser.see(person.words["file changed"], ".outcome")
    person.hand.choose_file('[name="file"]', file)
    person.hand.press("form.load p.acts button:first-child")
    person.browser.see("520000999", ".preview")
    write("first,last\n1,2\n")
    # What has to be ticked since has its box, too.
    person.desk.ask("POST", "/v1/series", {"name": "neighbour", "carrier": "x6"})
    person.desk.ask("POST", "/v1/series/neighbour/blocks", {
        "first": "520000000", "last": "520000999"})
    person.hand.press("form.load p.acts button:first-child")
    person.hand.tick('.warnings [value="other-series"]')
    person.forget_said()
    person.hand.press("form.load p.acts button:first-child")
    person.said("changing")
    expect("loaded", person.desk.blocks("changing")[-1]["last"], "520000999")


def lists_that_are_cut(person):
    """Of a series with more blocks than are read nobody is told that it has none."""
    block = person.desk.blocks()[0] | {"state": "exhausted"}
    person.view("parcels")
    person.browser.run(OTHER, "/dhl-paket/blocks", json.dumps({"items": [block], "next": "1"}))
    person.view("series/dhl-paket", '[data-key="cut"]')
    expect("empty", person.browser.shows('p[data-key="queue"]'), False)
    person.browser.run(AT_ONCE)


def several_series(person):
    """A number of several series leads to each of them, and to no other."""
    for name, carrier in (("e", "x8"), ("e-2", "x9")):
        person.desk.ask("POST", "/v1/series", {"name": name, "carrier": carrier})
        person.desk.ask("POST", f"/v1/series/{name}/blocks", {
            "first": "31415926", "last": "31415999",
            "confirm_warnings": ["other-series", "neighbour"]})
    person.desk.ask("POST", "/v1/series", {"name": "several", "carrier": "x7"})
    person.hand.write("#scan", "31415930", send=True)
    person.browser.find("main .rows a")
    expect("links", sorted(person.browser.run(
        "return [...document.querySelectorAll('main .rows a')].map(each => each.innerText)")),
        ["e", "e-2"])


MEANWHILE = [repeat_by_another_cookie, repeat_a_change, print_at_two_desks,
             print_without_a_barcode, leave_before_it_is_read, sign_in_as_one_who_sees_less,
             load_what_was_given_last, one_at_a_time, paste_beside_what_was_typed,
             load_a_file_that_changes, lists_that_are_cut, several_series]
