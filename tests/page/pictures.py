#!/usr/bin/python3
"""Takes the pictures of docs/guide: a real page, a real service, made-up numbers.

  pictures.py [FOLDER]   default: docs/guide/pictures
"""
import argparse
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import browser as browsers  # noqa: E402
from desk import new_desk  # noqa: E402
from harness.processes import root  # noqa: E402
from person import Person  # noqa: E402
from words import WORDS  # noqa: E402

settle_seconds = 1.5


def take(desk, folder, name, address, **look):
    """One picture of a view; `act`: what is done before it is taken."""
    act, selector = look.pop("act", None), look.pop("selector", "main h1")
    height = look.pop("height", 900)
    language = look.pop("language", "en-GB")
    opened = browsers.Browser(language, look.pop("width", 1280), **look)
    try:
        opened.resize(opened.width, height)
        opened.open(desk.page)
        person = Person(desk, opened, browsers.Mouse(opened), WORDS[language])
        person.sign_in()
        person.settle()
        person.view(address, selector)
        if act:
            act(person)
        time.sleep(settle_seconds)
        opened.picture(folder / f"{name}.png")
        print(f"{name}.png")
    finally:
        opened.close()


def preview(person):
    person.hand.write('[name="first"]', "4091214213705250000")
    person.hand.write('[name="last"]', "4091214213705500000")
    person.hand.write('[name="reference"]', "letter of 2026-12-01", send=True)
    person.browser.find(".warnings")


def withdraw(person):
    person.begin("withdraw", block="4")
    person.hand.write('dialog [name="reason"]', "typo in the last number")


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", nargs="?", type=pathlib.Path,
                         default=root / "docs/guide/pictures")
    folder = options.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with new_desk("pictures") as desk:
        desk.use_up()
        desk.issue(3, "pallets", reference="order-4712")
        number = desk.printed["numbers"][0]
        phone = {"width": 375, "height": 812}
        take(desk, folder, "series", "", height=760, selector=".tile .chart")
        take(desk, folder, "one-series", "series/dhl-paket", height=900, selector=".cards")
        take(desk, folder, "load", "series/dhl-paket/load", act=preview,
             selector='[name="first"]', **phone)
        take(desk, folder, "withdraw", "series/dhl-paket", act=withdraw, selector=".cards", **phone)
        take(desk, folder, "number", f"number/{number}", selector=".history", **phone)
        take(desk, folder, "dark", "", dark=True, language="de-DE", selector=".tile",
             **phone)
        desk.ask("PATCH", "/v1/series/letters", {"paused": True})
        take(desk, folder, "notices", "notices", height=700, selector="main .rows li")
    return 0


if __name__ == "__main__":
    sys.exit(main())
