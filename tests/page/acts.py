"""Every act of the page, each by somebody who sees only the page; the service says what came of it.

An act is a function of a Person. Its docstring is the promise.
"""
import time

from desk import LETTER
from harness.processes import Failure

done_seconds_max = 30
ACTS = []
LOAD = "form.load p.acts button:first-child"


def act(function):
    ACTS.append(function)
    return function


def expect(what, found, wanted):
    if found != wanted:
        raise Failure(f"{what}: {found!r} instead of {wanted!r}")


def eventually(what, look, wanted):
    """Until the service says so."""
    deadline = time.monotonic() + done_seconds_max
    while (found := look()) != wanted:
        if time.monotonic() > deadline:
            expect(what, found, wanted)
        time.sleep(0.1)


@act
def look_up(person):
    """A number is found in any spelling, with what became of it and its barcode."""
    number = person.desk.pallet
    spelled = f"(00) {number[0]} {number[1:8]} {number[8:17]} {number[17]}"
    person.hand.write("#scan", spelled, send=True)
    person.browser.see(person.words["issued"], "main")
    person.browser.find("img.barcode")
    person.browser.until("document.querySelector('img.barcode').naturalWidth > 0")
    # The next scan goes where this one went.
    expect("focus", person.browser.active().get_attribute("id"), "scan")
    person.hand.write("#scan", "4711", send=True)
    person.browser.see(person.words["unknown number"], "main")


@act
def load_block(person):
    """A block is loaded as the letter says it, once it was seen."""
    person.view("series/dhl-paket")
    person.view("series/dhl-paket/load", '[name="first"]')
    first, last = LETTER
    person.hand.write('[name="first"]', " ".join([first[:4], first[4:8], first[8:]]))
    person.hand.write('[name="last"]', last)
    person.hand.write('[name="count"]', person.words["250001"])
    person.hand.write('[name="reference"]', "letter of 2026-12-01", send=True)
    person.browser.see(person.words["250001"], ".preview")
    expect("blocks", len(person.desk.blocks()), 4)
    person.hand.press(LOAD)
    person.said(person.words["250001"])
    loaded = person.desk.blocks()[-1]
    expect("block", [loaded[name] for name in ("first", "last", "reference", "loaded_by")],
           [*LETTER, "letter of 2026-12-01", "token:anna"])


@act
def load_with_warning(person):
    """What looks like a slip is loaded once somebody has ticked that it is meant so."""
    person.view("series/dhl-paket/load", '[name="first"]')
    person.hand.write('[name="first"]', "4091214213905250000")
    person.hand.write('[name="last"]', "4091214213905500000", send=True)
    person.browser.find(".warnings")
    before = len(person.desk.blocks())
    person.hand.press(LOAD)
    person.browser.see(person.words["tick"], ".outcome")
    expect("blocks", len(person.desk.blocks()), before)
    person.hand.tick('.warnings [name="confirm_warnings"]')
    person.forget_said()
    person.hand.press(LOAD)
    person.said("dhl-paket")
    expect("blocks", len(person.desk.blocks()), before + 1)


@act
def load_table(person):
    """A table of blocks is dropped on the page or chosen, seen, and loaded whole."""
    rows = ("Erste;Letzte;Anzahl;Referenz\n"
            "4901214214105250000;4901214214105500000;250.001;Brief vom 1.12.\n"
            "4901214214205250000;4901214214205500000;250.001;Brief vom 1.12.\n")
    before = len(person.desk.blocks())
    person.view("series/dhl-paket")
    if person.hand.name == "mouse":
        person.hand.drop("letter.csv", rows)
    else:
        person.view("series/dhl-paket/load", '[name="first"]')
        person.hand.tick('[name="mode"][value="table"]')
        file = person.desk.folder / "letter.csv"
        file.write_text(rows)
        person.hand.choose_file('[name="file"]', file)
        person.hand.press(LOAD)
    person.browser.see("4901214214205250000", ".preview")
    person.forget_said()
    person.hand.press(LOAD)
    person.said("dhl-paket")
    expect("blocks", len(person.desk.blocks()), before + 2)


@act
def load_without_series(person):
    """Nobody chooses a series: one that alone fits is named, with the reason; else it is asked."""
    person.view("load", '[name="first"]')
    expect("series", person.browser.run("return document.querySelector('[name=series]').value"), "")
    person.hand.write('[name="first"]', "123456789012")
    person.hand.write('[name="last"]', "123456789099", send=True)
    person.browser.see("letters", ".outcome")
    if person.browser.shows(".preview"):
        raise Failure("a series was guessed")
    number = "4901214214505250000"
    person.hand.write('[name="first"]', number)
    person.hand.write('[name="last"]', "4901214214505500000", send=True)
    person.browser.see("dhl-paket", ".preview .guessed")
    person.browser.see("dhl-paket, ", ".preview dl")
    # The browser's Back leads to the form, as it was.
    person.browser.driver.back()
    person.browser.until("!document.querySelector('.preview')")
    expect("typed", person.browser.run("return document.querySelector('[name=first]').value"),
           number)
    person.hand.press(LOAD)
    person.browser.see("dhl-paket", LOAD)
    before = len(person.desk.blocks())
    person.hand.press(LOAD)
    person.said("dhl-paket")
    eventually("blocks", lambda: len(person.desk.blocks()), before + 1)


@act
def move_block(person):
    """A queued block gets another place."""
    last = person.desk.blocks()[-1]["id"]
    person.view("series/dhl-paket")
    person.begin("move", block=last)
    person.browser.find("dialog select")
    person.hand.select("dialog select", "2")
    person.answer()
    person.said(last)
    order = [block["id"] for block in person.desk.blocks()]
    expect("place", order.index(last), order.index("2") - 1)


@act
def withdraw_block(person):
    """A block that was loaded by mistake is taken back."""
    person.view("series/dhl-paket")
    person.begin("withdraw", block="4")
    person.answer(reason="typo")
    person.said("4")
    states = {block["id"]: block["state"] for block in person.desk.blocks()}
    expect("state", states["4"], "withdrawn")


@act
def close_block(person):
    """A block is closed with a reason; Escape changes nothing, and Back closes the dialog."""
    person.view("")
    person.view("series/dhl-paket")
    person.begin("close", block="3")
    person.browser.driver.back()
    person.browser.until("!document.querySelector('dialog')")
    person.view("series/dhl-paket")
    person.begin("close", block="3")
    person.browser.find("dialog")
    person.hand.press("dialog button.plain")
    person.browser.until("!document.querySelector('dialog')")
    person.begin("close", block="3")
    person.answer(reason="not needed")
    person.said("3")
    closed = next(block for block in person.desk.blocks() if block["id"] == "3")
    expect("block", [closed["state"], closed["closed_reason"]], ["closed", "not needed"])


@act
def pause_and_resume(person):
    """A series is paused with a reason that is shown, and resumed; its notice hides nothing."""
    person.view("series/dhl-paket")
    for verb, fields in (("pause", {"reason": "wrong paper"}), ("resume", {})):
        person.begin(verb)
        person.answer(**fields)
        person.said("dhl-paket")
        series = person.desk.ask("GET", "/v1/series/dhl-paket")
        expect("paused", [series["paused"], series["paused_reason"], series["paused_by"]],
               [True, "wrong paper", "token:anna"] if fields else [False, None, None])
        if fields:
            person.browser.see("wrong paper", "main")
            person.browser.see("dhl-paket", '#said [data-by="others"]')
            person.browser.see("dhl-paket", '#said [data-by="me"]')


@act
def void_number(person):
    """A number is voided with a reason."""
    number = person.desk.printed["numbers"][4]
    person.hand.write("#scan", number, send=True)
    person.begin("void")
    person.answer(reason="printer jam")
    person.said(number)
    expect("state", person.desk.state_of(number), "voided")
    person.browser.see("printer jam", "main")
    # The others are still there; of all of them it is said what became of them.
    person.view(f"series/dhl-paket/issuance/{person.desk.printed['id']}", '[data-key="numbers"]')
    person.browser.see(number, '[data-key="rows"]')


@act
def settle_holds(person):
    """An open hold is confirmed, another one released."""
    one, two = (held["id"] for held in person.desk.held)
    person.view("holds")
    person.begin("confirm", issuance=one)
    person.answer()
    person.said(one)
    person.begin("release", issuance=two)
    person.answer()
    person.said(two)
    states = [person.desk.ask("GET", f"/v1/issuances/{each}")["state"] for each in (one, two)]
    expect("states", states, ["issued", "released"])


@act
def settle_proposals(person):
    """What somebody else proposed is confirmed or rejected."""
    person.view("proposals")
    person.begin("confirm", proposal="1")
    person.browser.see("7999", "dialog")
    person.answer()
    person.said("1")
    person.begin("reject", proposal="2")
    person.answer()
    person.said("2")
    expect("blocks", [block["first"] for block in person.desk.blocks("letters")], ["7001"])


@act
def propose_block(person):
    """With four eyes a load is a proposal, which oneself cannot confirm."""
    person.view("series/letters/load", '[name="first"]')
    person.hand.write('[name="first"]', "9001")
    person.hand.write('[name="last"]', "9999", send=True)
    person.browser.find(".preview")
    for box in person.browser.run(
            "return [...document.querySelectorAll('.warnings input')].map(each => each.value)"):
        person.hand.tick(f'.warnings [value="{box}"]')
    person.hand.press(LOAD)
    person.browser.until("location.hash === '#/proposals'")
    person.browser.see(person.words["your proposal"], "main")
    if person.browser.shows('[data-act="confirm"]'):
        raise Failure("one's own proposal can be confirmed")


@act
def issue_label(person):
    """One number is issued for an order and printed; its history says so."""
    person.browser.run("window.print = () => { window.printed = true; }")
    person.view("parcels")
    person.hand.select('form[name="issue"] [name="series"]', "dhl-paket")
    person.hand.write('form[name="issue"] [name="reference"]', "B-4712", send=True)
    person.browser.until("location.hash.includes('/number/')")
    person.browser.until("document.querySelector('.label img')?.naturalWidth > 0")
    number = person.browser.run("return location.hash.split('/').pop()")
    expect("reference", person.desk.find(number)["reference"], "B-4712")
    person.begin("print")
    person.answer()
    person.said(number)
    person.browser.until("window.printed")
    person.begin("print")
    person.answer(reason="torn")
    person.said(number)
    # The last three: numbers that came back are issued first.
    eventually("history",
               lambda: [each["kind"] for each in person.desk.find(number)["history"]][-3:],
               ["issued", "printed", "reprinted"])
    person.browser.see("B-4712", '[data-key="history"]')
    person.browser.see("torn", '[data-key="history"]')


@act
def find_parcels(person):
    """Parcels are found by order number, by a range and by the day they were issued on."""
    first, last = (person.desk.printed["numbers"][place] for place in (1, 3))
    person.hand.write("#scan", "order-4711", send=True)
    person.browser.find('[data-key="issued"]')
    person.hand.press('[data-key="issued"] a')
    person.browser.see(last, '[data-key="numbers"]')
    person.view("parcels")
    person.hand.select('form[name="range"] [name="series"]', "dhl-paket")
    person.hand.write('form[name="range"] [name="first"]', first)
    person.hand.write('form[name="range"] [name="last"]', last, send=True)
    person.browser.find('[data-key="issued"]')
    person.browser.see(first, '[data-key="issued"]')
    person.browser.see(last, '[data-key="issued"]')
    person.view("parcels")
    person.hand.select('form[name="day"] [name="series"]', "dhl-paket")
    person.hand.press('form[name="day"] button[name="on"]')
    person.browser.see("order-4711", '[data-key="issued"]')
    person.forget_said()
    person.hand.press('main [data-act="save"]')
    person.said(person.words["saved"])


@act
def close_day(person):
    """A day is closed after its figures were shown, and its numbers are saved for the carrier."""
    person.view("series/dhl-paket")
    person.view("series/dhl-paket/manifest")
    person.begin("close")
    # It is not over, and something is not printed: neither is passed by.
    eventually("doubts", lambda: person.browser.run(
        "return [...document.querySelectorAll('dialog [required]')].map(each => each.name)"),
        ["over", "unprinted"])
    person.hand.press("dialog p.acts button:first-child")
    printed = person.desk.printed["numbers"][0]
    expect("state", person.desk.state_of(printed), "printed")
    for doubt in ("over", "unprinted"):
        person.hand.tick(f'dialog [name="{doubt}"]')
    person.answer()
    person.browser.find('[data-act="save"]')
    expect("state", person.desk.state_of(printed), "manifested")
    person.hand.press('[data-act="save"]')
    person.said(person.words["saved"])


@act
def recall_block(person):
    """A block that the carrier rejects is recalled, and what was issued of it is saved."""
    person.view("series/dhl-paket")
    person.begin("recall", block="1")
    person.answer(reason="e-mail of 2026-12-04")
    person.said("1")
    person.settle()
    expect("recalled", bool(person.desk.blocks()[0]["recalled_at"]), True)
    if not person.browser.shows('[data-act="listed"][data-block="1"]'):
        person.hand.press('[data-key="over"] summary')
    person.hand.press('[data-act="listed"][data-block="1"]')
    person.said(person.words["saved"])


@act
def compare_invoice(person):
    """An invoice is compared, and what does not agree is shown and saved."""
    file = person.desk.folder / "invoice.csv"
    lines = [f"100;{person.desk.printed['numbers'][place]};4,50" for place in (0, 0, 4)]
    file.write_text("\n".join(["Rechnungsnr;Sendungsnummer;Betrag", *lines]) + "\n")
    person.view("series/dhl-paket/invoice", '[name="file"]')
    person.hand.choose_file('[name="file"]', file)
    person.hand.press("main form p.acts button")
    person.browser.see(person.words["billed twice"], ".outcome")
    person.browser.see(person.words["4.50"], ".outcome")
    # What is saved are the findings that are shown, whatever was chosen since.
    other = person.desk.folder / "other.csv"
    other.write_text(f"Sendungsnummer;Betrag\n{person.desk.printed['numbers'][0]};4,50\n")
    person.hand.choose_file('[name="file"]', other)
    person.hand.press(".outcome p.acts button")
    person.said(person.words["saved"])
    saved = person.downloads / "dhl-paket-findings.csv"
    eventually("a file", saved.exists, True)
    expect("the findings", person.desk.printed["numbers"][0] in saved.read_text(), True)
