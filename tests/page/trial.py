"""How long a load takes somebody who is no quick typist: letter in hand, block loaded."""
import time

from acts import LETTER, expect
from harness.processes import Failure

letter_seconds = 0.3  # for each character: two hundred a minute
look_seconds = 3  # before anything is pressed
seconds_max = 60


def load_as_people_do(person):
    """From the list of series to the loaded block in less than a minute."""
    hand, browser = person.hand, person.browser

    def press(selector):
        browser.find(selector)
        time.sleep(look_seconds)
        hand.press(selector)

    def write(name, text):
        hand.press(f'[name="{name}"]')
        for character in text:
            browser.active().send_keys(character)
            time.sleep(letter_seconds)

    person.view("")
    person.forget_said()
    begun = time.monotonic()
    press('main a[href="#/series/dhl-paket"]')
    press('main a[href="#/series/dhl-paket/load"]')
    write("first", LETTER[0])
    write("last", LETTER[1])
    write("count", "250001")
    write("reference", "letter of 2026-12-01")
    press("form.load p.acts button:first-child")
    browser.find(".preview")
    time.sleep(look_seconds)
    press("form.load p.acts button:first-child")
    person.said(person.words["250001"])
    took = time.monotonic() - begun
    expect("loaded", person.desk.blocks()[-1]["first"], LETTER[0])
    print(f"letter in hand to block loaded: {took:.0f} s")
    if took > seconds_max:
        raise Failure(f"a load took {took:.0f} s")
