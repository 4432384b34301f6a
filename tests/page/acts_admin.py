"""Acts of administrators: tokens, webhooks, what was done, and notices that appear."""
import http.server
import re
import threading

from acts import act, eventually, expect
from harness.processes import Failure


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append(self.headers["authorization"])
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Nothing."""


class Receivers:
    """A web server that notes what webhooks bring."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        self.server.received, self.server.status = [], 204
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/hook"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@act
def manage_tokens(person):
    """A token is created, its secret shown once, and revoked."""
    person.view("tokens")
    person.hand.press('[data-act="create"]')
    person.browser.find('dialog [name="name"]')
    person.hand.tick('dialog [name="scopes"][value="load"]')
    person.answer(name="night shift")
    secret = person.secret()
    status, _ = person.desk.instance.call("GET", "/v1/series", secret)
    expect("the new token", status, 200)
    person.hand.press("dialog button.main")
    person.browser.see("night shift", "main")
    person.browser.until("!document.querySelector('dialog')")
    if secret in person.browser.run("return document.documentElement.outerHTML"):
        raise Failure("the secret is still on the page")
    number = secret.split("_")[1]
    person.hand.press(f'[data-act="revoke"][data-token="{number}"]')
    person.answer()
    person.said("night shift")
    eventually("revoked", lambda: person.desk.instance.call("GET", "/v1/series", secret)[0], 401)


@act
def manage_webhooks(person):
    """A webhook is created, tested, gets a new secret, is tried again and is deleted."""
    receivers = Receivers()
    try:
        hooks(person, receivers)
    finally:
        receivers.close()


def hooks(person, receivers):
    server = receivers.server
    person.view("webhooks")
    person.hand.press('[data-act="create"]')
    person.answer(url=receivers.url, authorization="Bearer 5a1e")
    first = person.secret()
    expect("secret", first[:6], "whsec_")
    person.hand.press("dialog button.main")
    number = person.desk.ask("GET", "/v1/webhooks")["items"][0]["id"]
    person.begin("test", webhook=number)
    person.answer()
    eventually("a test", lambda: server.received[:1], ["Bearer 5a1e"])
    person.browser.see("204", "dialog .good")
    person.hand.press("dialog button.main")
    server.status = 418
    person.begin("test", webhook=number)
    person.answer()
    person.browser.see("418", "dialog .bad")
    person.hand.press("dialog button.main")
    person.browser.find("main .chip.bad")
    server.status = 204
    person.begin("rotate", webhook=number)
    person.answer()
    second = person.secret()
    expect("another secret", first != second, True)
    person.hand.press("dialog button.main")
    server.status = 500
    person.desk.ask("PATCH", "/v1/series/pallets", {"paused": True})
    state = lambda: person.desk.ask("GET", f"/v1/webhooks/{number}")["state"]  # noqa: E731
    eventually("state", state, "failing")
    person.browser.find(f'[data-act="retry"][data-webhook="{number}"]')
    person.begin("retry", webhook=number)
    server.status = 204  # not before: it is tried again by itself, and then there is no button
    person.answer()
    eventually("state", state, "active")
    person.begin("delete", webhook=number)
    person.answer()
    person.said(number)
    expect("webhooks", person.desk.ask("GET", "/v1/webhooks")["items"], [])
    person.desk.ask("PATCH", "/v1/series/pallets", {"paused": False})


@act
def see_notices(person):
    """A notice appears by itself, in the reader's language, and can be chosen by its kind."""
    person.view("notices", "#kind")
    person.desk.ask("PATCH", "/v1/series/letters", {"paused": True})
    person.browser.see("letters", "main")
    person.browser.see(person.words["paused"], "main")
    person.hand.select("#kind", "series.paused")
    person.browser.until("[...document.querySelectorAll('main .rows .chip')]"
                         ".every(each => each.textContent === arguments[0])",
                         person.words["paused"])
    person.desk.ask("PATCH", "/v1/series/letters", {"paused": False})


@act
def read_audit(person):
    """An act is a line, found by person, series, kind and block, and saved as a file."""
    number = person.desk.issue(1)["numbers"][0]
    person.desk.ask("POST", "/v1/series/dhl-paket/events", {
        "kind": "voided", "reason": "torn, =1+1", "ranges": [{"first": number, "last": number}]})
    block = person.desk.ask("GET", f"/v1/series/dhl-paket/numbers/{number}")["block"]
    person.view("audit", '[name="actor"]')
    # Of everything a file is saved, too; what is not there is told below the filter.
    person.hand.press('[data-act="save"]')
    saved = person.downloads / "gapless-audit.csv"
    eventually("a file", saved.exists, True)
    expect("everybody", {"token:anna", "token:ben"} <= {
        each.split('"')[3] for each in saved.read_text().splitlines()[1:]}, True)
    expect("one mark", saved.read_text().count("\ufeff"), 1)
    saved.unlink()
    person.hand.write('[name="block"]', "99999", send=True)
    person.browser.find("main .problem")
    person.hand.write('[name="block"]', "")
    rows = "[...document.querySelectorAll('main tbody tr')]"
    who = lambda name: person.browser.until(  # noqa: E731
        f"{rows}.length > 0 && {rows}.every(row => row.cells[1].innerText === arguments[0])", name)
    person.hand.write('[name="actor"]', "ben", send=True)
    who("ben")
    person.hand.write('[name="actor"]', "anna")
    person.hand.select('[name="series"]', "dhl-paket")
    person.hand.select('[name="action"]', "number")
    person.hand.write('[name="block"]', block, send=True)
    person.browser.until(f"{rows}.length === 1")
    who("anna")
    person.browser.see(f"{number} · torn", "main tbody")
    person.hand.press('[data-act="save"]')
    eventually("a file", saved.exists, True)
    lines = saved.read_text(encoding="utf-8-sig").splitlines()
    expect("lines", len(lines), 2)
    expect("the void", number in lines[1] and "torn" in lines[1], True)
    expect("moments", bool(re.match(r'"\d{4}-\d\d-\d\dT[\d:.]+Z"', lines[1])), True)


@act
def sign_out(person):
    """Who signs out is forgotten by the page."""
    person.hand.press("#who button")
    person.browser.find("#token")
    expect("kept", person.browser.run("return sessionStorage.length"), 0)
    expect("links", person.browser.shows("#ways a"), False)
