"""What a token may not do is not shown."""
from acts import expect
from browser import elsewhere
from harness.processes import Failure

ALL = ["", "parcels", "load", "holds", "proposals", "notices", "webhooks", "tokens", "audit"]
# Who sees which views, and which acts on a series.
SHOWN = {
    "anna": (ALL, {"move", "withdraw", "close", "recall", "pause", "warn", "carrier", "confirm",
                   "release", "listed"}),
    "clerk": (["", "parcels", "load", "holds", "proposals", "notices"],
              {"move", "withdraw", "close", "recall", "listed"}),
    "packer": (["", "parcels", "holds", "notices"], {"confirm", "release"}),
    "wall": (["", "parcels", "holds", "notices"], set()),
}
# Acts for those who load, though all may read what they save.
READING = {"listed"}


def links(browser):
    return browser.run("return [...document.querySelectorAll('#ways a')]"
                       ".map(each => each.getAttribute('href').slice(2))")


def acts(browser):
    return set(browser.run("return [...document.querySelectorAll('main [data-act]')]"
                           ".map(each => each.dataset.act)"))


def everybody_sees_what_is_theirs(person):
    """Each set of scopes has its views and its acts, and no others."""
    for name, (views, allowed) in SHOWN.items():
        person.sign_in(name)
        person.settle()
        expect(f"views of {name}", links(person.browser), views)
        person.view("series/dhl-paket", ".cards")
        expect(f"acts of {name}", acts(person.browser) - READING, allowed - READING)
        person.view("")
        for address in [each for each in ALL if each not in views]:
            person.browser.run("location.hash = arguments[0]", f"#/{address}")
            person.browser.until("document.querySelector('main').dataset.shown === arguments[0]",
                                 f"#/{address}")
            expect(f"acts of {name} at {address}", acts(person.browser), set())
        number = person.desk.printed["numbers"][0]
        person.view(f"number/{number}", ".history")
        expect(f"void of {name}", "void" in acts(person.browser), name in ("anna", "packer"))
        person.hand.press("#who button")
        person.browser.find("#token")


def a_bound_token_sees_its_series(person):
    """A token of one series sees that one, and nothing of the others."""
    made = person.desk.ask("POST", "/v1/tokens", {
        "name": "bound", "scopes": ["read", "load", "admin"], "series": ["pallets"]})
    person.desk.tokens["bound"] = made["token"]
    person.sign_in("bound")
    person.browser.see("pallets", "main")
    if "dhl-paket" in person.browser.text("body"):
        raise Failure("a foreign series is shown")
    expect("audit", "audit" in links(person.browser), False)
    person.hand.press("#who button")
    person.browser.find("#token")


def who_may_not_read_is_told(person):
    """A token that cannot read is refused by the page, and kept by nobody."""
    person.hand.write("#token", person.desk.tokens["printer"], send=True)
    person.browser.see(person.words["lacks read"], "form.sign-in")
    cookies = person.browser.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
    expect("cookies", [each["name"] for each in cookies], [])
    person.hand.write("#token", "gapless_1_nonsense", send=True)
    person.browser.see(person.words["not in force"], "form.sign-in")
    person.desk.ask("DELETE", f"/v1/tokens/{person.desk.tokens['ben'].split('_')[1]}")
    person.hand.write("#token", person.desk.tokens["ben"], send=True)
    person.browser.see(person.words["revoked"], "form.sign-in")


def why_nobody_is_signed_in_is_told(person):
    """A cookie that the browser does not keep, or a token that asks too often, is told as that."""
    person.desk.tokens["slow"] = person.desk.ask("POST", "/v1/tokens", {
        "name": "slow", "scopes": ["read"], "rate": 1, "burst": 1})["token"]
    person.hand.write("#token", person.desk.tokens["slow"], send=True)
    person.browser.see(person.words["too many"], "form.sign-in")
    person.browser.open(person.desk.page.replace("127.0.0.1", elsewhere))
    person.browser.find("#token")
    person.hand.write("#token", person.desk.tokens["wall"], send=True)
    person.browser.see("https", "form.sign-in")
    person.browser.open(person.desk.page)
    person.browser.driver.delete_all_cookies()
    person.browser.driver.refresh()
    person.browser.find("#token")


def a_screen_stays_signed_in(person):
    """The cookie of a token that only reads lasts longer each time; no script can read it."""
    def cookie():
        told = person.browser.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
        return next(each for each in told if each["name"] == "gapless_session")

    for name, renewed in (("wall", True), ("clerk", False)):
        person.sign_in(name)
        before = cookie()
        expect("cookie", [before["httpOnly"], before["sameSite"]], [True, "Strict"])
        expect("to scripts", person.browser.run("return document.cookie"), "")
        person.browser.until("new Promise(done => setTimeout(() => done(true), 1500))")
        person.browser.driver.refresh()
        person.browser.find("#ways a")
        person.settle()
        expect(f"renewed for {name}", cookie()["expires"] - before["expires"] > 1, renewed)
        person.hand.press("#who button")
        person.browser.find("#token")


LIMITS = [everybody_sees_what_is_theirs, a_bound_token_sees_its_series, who_may_not_read_is_told,
          why_nobody_is_signed_in_is_told, a_screen_stays_signed_in]
