"""Somebody at the page, who sees what it shows and has one hand."""
from browser import SETTLED


class Person:
    """Somebody at the page: a browser, a hand, and the words of a language."""

    def __init__(self, desk, browser, hand, words):
        self.desk, self.browser, self.hand, self.words = desk, browser, hand, words

    def sign_in(self, name="anna"):
        self.browser.find("#token")
        self.hand.write("#token", self.desk.tokens[name], send=True)
        self.browser.find("#ways a")

    def view(self, address, selector="main h1"):
        """By the links of the page where there is one, else as a bookmark."""
        # A page that is about to show another view would lose what is typed into this one.
        self.browser.until("(document.querySelector('main').dataset.shown ?? location.hash) === "
                           "location.hash")
        link = f'nav a[href="#/{address}"], main a[href="#/{address}"]'
        if self.browser.shows(link):
            self.hand.press(link)
        else:
            self.browser.run("location.hash = arguments[0]", f"#/{address}")
        self.browser.until("document.querySelector('main').dataset.shown === arguments[0]",
                           f"#/{address}")
        self.settle()
        self.browser.find(selector)

    def settle(self):
        """Until what is shown was read."""
        self.browser.until(SETTLED)

    def forget_said(self):
        """What was said before counts no more."""
        self.browser.run("document.querySelector('#said').textContent = ''")

    def begin(self, act, **about):
        """Presses the button of an act, and sees that the question is about that."""
        self.forget_said()
        marks = "".join(f'[data-{name}="{value}"]' for name, value in about.items())
        self.hand.press(f'main [data-act="{act}"]{marks}')
        for value in about.values():
            self.browser.see(value, "dialog h2")

    def answer(self, **fields):
        """Fills the dialog that is open, and sends it."""
        self.browser.find("dialog")
        for name, value in fields.items():
            self.hand.write(f'dialog [name="{name}"]', value)
        self.hand.press("dialog p.acts button:first-child")

    def secret(self):
        """What the dialog shows once."""
        return self.browser.until("document.querySelector('dialog input.secret')?.value")

    def said(self, words):
        """Waits until it is done, and the page has said so; what others did counts not."""
        self.browser.until("!document.querySelector('dialog') && document.querySelector("
                           "'#said [data-by=\"me\"]')?.textContent.includes(arguments[0])", words)
