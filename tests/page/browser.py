"""A real Chromium, and two hands: one that uses the mouse, one that has the keyboard alone."""
import contextlib
import functools
import os
import pathlib
import shutil
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from harness.processes import Failure

wait_seconds_max = 60
look_seconds = 0.1
tabs_max = 400
still_looks_max = 50
replaced_max = 5
elsewhere = "gapless.test"  # a name of this machine that is none of loopback
heights = {375: 812, 1280: 900, 3840: 2160}
# Nothing is being read: what is shown stays where it is for now.
SETTLED = "!document.querySelector('main').hasAttribute('data-reading')"
# Where an element is on the screen; and before it is pressed, to hear whether it was.
PLACE = "const { x, y } = arguments[0].getBoundingClientRect(); return [x, y];"
HEARS = """window.heard = false;
           arguments[0].addEventListener("click", () => { window.heard = true; },
                                         {capture: true, once: true});""" + PLACE
# Chromium writes a line for each answer that is no success; the page is asked for some of them.
expected_lines = ("Failed to load resource", "net::ERR_")


def on_what_is_there(act):
    """What a hand does: on the element that is there by then, if the page draws it anew."""
    @functools.wraps(act)
    def done(*values, **named):
        for _ in range(replaced_max):
            with contextlib.suppress(StaleElementReferenceException):
                return act(*values, **named)
        return act(*values, **named)
    return done


def missing():
    """What of Debian's packages is not there."""
    return [name for name in ("chromium", "chromedriver") if not shutil.which(name)]


class Browser:
    def __init__(self, language="en-GB", width=1280, downloads=None, dark=False):
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", f"--lang={language}", "--no-first-run",
                     f"--host-resolver-rules=MAP {elsewhere} 127.0.0.1"):
            options.add_argument(word)
        chosen = {"intl.accept_languages": language}
        if downloads:
            chosen |= {"download.default_directory": str(downloads),
                       "download.prompt_for_download": False}
        options.add_experimental_option("prefs", chosen)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # What the browser itself writes, as in fields of dates, follows the environment.
        environment = os.environ | {"LANGUAGE": language.replace("-", "_"), "LC_ALL": "C.UTF-8"}
        service = Service(shutil.which("chromedriver"), env=environment)
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_page_load_timeout(wait_seconds_max)
        self.driver.set_script_timeout(wait_seconds_max)
        self.width = width
        self.resize(width, heights.get(width, 900))
        if dark:
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": "dark"}]})

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def close(self):
        self.driver.quit()

    def open(self, url):
        self.driver.get(url)

    def run(self, script, *values):
        return self.driver.execute_script(script, *values)

    def until(self, script, *values, seconds_max=wait_seconds_max):
        """Waits until an expression of the page is true -> what it is"""
        deadline = time.monotonic() + seconds_max
        while time.monotonic() < deadline:
            with contextlib.suppress(Exception):  # a page that is being loaded has no answer
                if told := self.run(f"return {script}", *values):
                    return told
            time.sleep(look_seconds)
        raise Failure(f"waited in vain for {script} {values or ''}\n{self.text('body')[:2000]}")

    def find(self, selector):
        """The element that is shown first, once there is one."""
        return self.until(
            "[...document.querySelectorAll(arguments[0])].find(each => each.checkVisibility())",
            selector)

    def shows(self, selector):
        return bool(self.run("return [...document.querySelectorAll(arguments[0])]"
                             ".some(each => each.checkVisibility())", selector))

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def see(self, words, selector="body"):
        """Waits until the page shows these words."""
        self.until("(document.querySelector(arguments[0])?.innerText ?? '').includes(arguments[1])",
                   selector, words)

    def active(self):
        return self.driver.switch_to.active_element

    def overflow(self):
        """Columns that lie beyond the right edge."""
        return self.run("return document.documentElement.scrollWidth - innerWidth")

    def faults(self):
        """What the page did wrong in the browser's eyes since the last look."""
        lines = [entry["message"] for entry in self.driver.get_log("browser")]
        return [line for line in lines if not any(each in line for each in expected_lines)]

    def picture(self, path):
        pathlib.Path(path).write_bytes(self.driver.get_screenshot_as_png())


class Hand:
    """What a person does with an element, by its selector."""

    def __init__(self, browser):
        self.browser, self.driver = browser, browser.driver

    def choose_file(self, selector, path):
        """The dialog of the system is not part of the page; what it gives is."""
        self.browser.find(selector)
        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys(str(path))

    def go(self, address):
        """By a link of the page."""
        self.press(f'a[href="#/{address}"]')


class Mouse(Hand):
    name = "mouse"

    def point(self, selector):
        self.browser.until(SETTLED)
        element = self.browser.find(selector)
        before = None
        for _ in range(still_looks_max):  # until it stays where it is: drawings arrive later
            self.browser.run("arguments[0].scrollIntoView({block: 'center'})", element)
            here = element.rect
            if here == before:
                break
            before = here
            time.sleep(look_seconds)
        return element

    @on_what_is_there
    def press(self, selector):
        """Again, as anybody does, where it has moved meanwhile; what is covered is a failure."""
        for _ in range(replaced_max):
            element = self.point(selector)
            before = self.browser.run(HEARS, element)
            ActionChains(self.driver).move_to_element(element).click().perform()
            if self.browser.run("return window.heard !== false"):  # undefined: another page
                return
            if self.browser.run(PLACE, element) == before:
                break
        raise Failure(f"{selector} cannot be pressed")

    @on_what_is_there
    def press_twice(self, selector):
        ActionChains(self.driver).move_to_element(self.point(selector)).double_click().perform()

    @on_what_is_there
    def write(self, selector, text, send=False):
        self.press(selector)
        self.clear(self.browser.active())
        self.browser.active().send_keys(text, *([Keys.ENTER] if send else []))

    @staticmethod
    def clear(element):
        if element.get_attribute("value"):
            element.send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)

    tick = press

    @on_what_is_there
    def select(self, selector, value):
        Select(self.point(selector)).select_by_value(value)

    def drop(self, name, text):
        """A file, from somewhere else onto the middle of the page."""
        self.browser.run("""
            const given = new DataTransfer();
            given.items.add(new File([arguments[1]], arguments[0], {type: "text/csv"}));
            for (const kind of ["dragover", "drop"])
                document.elementFromPoint(innerWidth / 2, innerHeight / 2).dispatchEvent(
                    new DragEvent(kind, {dataTransfer: given, bubbles: true, cancelable: true}));
            """, name, text)


class Keyboard(Hand):
    name = "keyboard"

    def reach(self, selector):
        """By Tab alone."""
        wanted = self.browser.find(selector)
        for _ in range(tabs_max):
            if self.browser.active() == wanted:
                return wanted
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
        raise Failure(f"Tab does not reach {selector}")

    @on_what_is_there
    def press(self, selector):
        for _ in range(replaced_max):
            element = self.reach(selector)
            if self.browser.run("return arguments[0].matches(':focus-visible')", element):
                return ActionChains(self.driver).send_keys(Keys.ENTER).perform()
            # A view that has just been opened takes the focus to its heading.
            if self.browser.active() == element:
                break
        raise Failure(f"nobody sees that {selector} has the focus")

    @on_what_is_there
    def press_twice(self, selector):
        self.reach(selector)
        ActionChains(self.driver).send_keys(Keys.ENTER, Keys.ENTER).perform()

    @on_what_is_there
    def write(self, selector, text, send=False):
        element = self.reach(selector)
        if element.get_attribute("type") != "date":
            Mouse.clear(element)
        ActionChains(self.driver).send_keys(text, *([Keys.ENTER] if send else [])).perform()

    @on_what_is_there
    def tick(self, selector):
        """A box, or one of several choices."""
        element = self.browser.find(selector)
        if element.get_attribute("type") == "radio":
            self.reach(f'[name="{element.get_attribute("name")}"]:checked')
            ActionChains(self.driver).send_keys(Keys.ARROW_DOWN).perform()
        else:
            self.reach(selector)
            ActionChains(self.driver).send_keys(Keys.SPACE).perform()

    @on_what_is_there
    def select(self, selector, value):
        element = self.reach(selector)
        ActionChains(self.driver).send_keys(Keys.HOME).perform()
        for _ in range(tabs_max):
            if element.get_property("value") == value:
                return
            ActionChains(self.driver).send_keys(Keys.ARROW_DOWN).perform()
        raise Failure(f"{selector} cannot be set to {value}")

    drop = Mouse.drop  # a keyboard chooses the file instead: choose_file


HANDS = {"mouse": Mouse, "keyboard": Keyboard}
