"""Every view as it looks: nothing off screen, nothing that axe-core objects to, no error."""
import fcntl
import json
import os
import shutil
import subprocess

from acts import expect
from harness.processes import Failure, build_folder, root

install_seconds_max = 120
VIEWS = ["", "series/dhl-paket", "series/letters", "series/dhl-paket/load",
         "series/dhl-paket/manifest", "series/dhl-paket/invoice", "parcels", "holds", "proposals",
         "notices", "webhooks", "tokens", "audit", "nothing"]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def read_axe():
    """-> axe-core's source, or why it cannot be had"""
    if not shutil.which("npm"):
        return None, "npm is not installed"
    folder = build_folder / "page-axe"
    folder.mkdir(parents=True, exist_ok=True)
    for file in (root / "tests/page/axe").iterdir():
        shutil.copy(file, folder)
    script = folder / "node_modules/axe-core/axe.min.js"
    with (folder / "lock").open("w") as lock:  # npm empties the folder that another run reads
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = json.loads((folder / "package.json").read_text())["devDependencies"]["axe-core"]
        there = script.exists() and f"axe v{wanted} " in script.read_text()[:200]
        if not there:
            try:
                subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                               cwd=folder, check=True, timeout=install_seconds_max,
                               capture_output=True, env=os.environ | {"CI": "true"})
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
                return None, "npm has not got axe-core"
        return script.read_text(), ""


def judge(browser, axe, where):
    """What axe-core objects to on what is shown now."""
    if not browser.run("return typeof axe === 'object'"):
        browser.run(axe + "; window.axe = axe;")
    found = browser.driver.execute_async_script("""
        const done = arguments[arguments.length - 1];
        axe.run(document, {runOnly: arguments[0], resultTypes: ["violations"]}).then(
            told => done(told.violations.map(each => each.id + ": " + each.help + " " +
                each.nodes.map(node => node.target.join(" ") + " " + node.html).join(" | "))),
            error => done([String(error)]));""", TAGS)
    if found:
        raise Failure(f"{where}: " + "\n".join(each[:600] for each in found))


def check(person, axe, where):
    browser = person.browser
    expect(f"columns off screen at {where}", max(browser.overflow(), 0), 0)
    judge(browser, axe, where)
    if faults := browser.faults():
        raise Failure(f"{where}: {faults}")


def see_what_is_wrong(person, axe):
    """Seeded faults are seen: who judges is awake."""
    for rule, name in (("image-alt", "img"), ("color-contrast", "p"), ("label", "input")):
        person.browser.run("""
            const made = document.createElement(arguments[0]);
            made.src = "data:,";
            made.append("pale");
            made.style.color = "#999999";
            made.style.background = "#aaaaaa";
            document.querySelector("main").append(made);""", name)
        try:
            judge(person.browser, axe, "a seeded fault")
        except Failure as seen:
            expect(f"{rule} is seen", rule in str(seen), True)
        else:
            raise Failure(f"{rule} is not seen")
        person.browser.run("document.querySelector('main').lastElementChild.remove()")


def look_at_views(person, axe):
    """Each view, and each kind of dialog."""
    check(person, axe, "the form to sign in")
    person.sign_in()
    person.settle()
    for address in VIEWS:
        person.view(address)
        person.browser.until("document.querySelector('main').children.length > 1")
        check(person, axe, address or "the series")
        heading = person.browser.text("main h1")
        expect(f"title at {address}", person.browser.driver.title.startswith(heading), True)
    person.view(f"number/{person.desk.printed['numbers'][0]}", ".history")
    check(person, axe, "a number")
    person.view("number/nothing")
    check(person, axe, "no number")
    look_at_forms(person, axe)


def look_at_forms(person, axe):
    person.view("series/dhl-paket", ".cards")
    for verb in ("close", "withdraw", "recall", "move"):
        person.browser.run("document.querySelector(`[data-act=${arguments[0]}]`).click()", verb)
        person.browser.find("dialog")
        check(person, axe, f"the dialog {verb}")
        person.browser.run("document.querySelector('dialog').close()")
    for address, act in (("tokens", "create"), ("webhooks", "create")):
        person.view(address, f'[data-act="{act}"]')
        person.browser.run("document.querySelector(`[data-act=${arguments[0]}]`).click()", act)
        person.browser.find("dialog")
        check(person, axe, f"the dialog of {address}")
        person.browser.run("document.querySelector('dialog').close()")
    person.view("series/dhl-paket/load", '[name="first"]')
    for name, value in (("first", "4091214213905250000"), ("last", "4091214213905500000")):
        person.browser.find(f'[name="{name}"]').send_keys(value)
    person.browser.find('[name="last"]').send_keys("\n")
    person.browser.find(".warnings")
    check(person, axe, "a preview with warnings")
    person.hand.press("form.load p.acts button:first-child")
    person.browser.see(person.words["tick"], ".outcome")
    check(person, axe, "a warning that is not ticked")


def look_from_afar(person):
    """On a wall everything is larger, and series are beside one another."""
    person.sign_in("wall")
    person.browser.until("document.querySelectorAll('.tile').length === 3")
    size = person.browser.run("return parseFloat(getComputedStyle(document.body).fontSize)")
    expect("larger type", size > 20, True)
    tops = person.browser.run("return [...document.querySelectorAll('.tile')]"
                              ".map(each => each.getBoundingClientRect().top)")
    expect("one row", len(set(tops)), 1)
    expect("columns off screen", max(person.browser.overflow(), 0), 0)
