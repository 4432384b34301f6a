#!/usr/bin/env python3
"""A label printer at port 9100 that is slow, jams, loses paper, power or connections.

  printer.py [--port 9100]   one that works, to try the print station; numbers on standard output

It knows of ZPL what the print station sends: formats from ^XA to ^XZ, whose number is in ^BC, and
~HS, which it answers at once, also in the middle of a label. What it accepted is in its memory
until it is printed; without power all of that is lost.
"""
import argparse
import contextlib
import queue
import re
import socket
import struct
import sys
import threading
import time

NUMBER = re.compile(rb"\^BC[^^]*\^FH\^FD([^^]*)\^FS")
wait_seconds_max = 60


class Printer:
    """What happens to the next labels is in `plan`, an action each; then they are just printed.

    "slow": it reads and prints slowly;
    "jam", "paper out": it keeps the label, and prints it after mend();
    "half": it loses power when it has half of the label;
    "lost": it loses power when it has the label, which is never printed;
    "printed": it loses power when the label is printed, and before it can say so;
    "silent": as "half", and the connection does not end;
    "call": `called` is run when it has half of the label.
    Power is back after `off_seconds`."""

    def __init__(self, port=0, label_seconds=0.02, answers=True, printed=None):
        self.plan, self.label_seconds, self.answers = [], label_seconds, answers
        self.paper, self.texts = [], []  # the numbers on paper and all of their labels, in order
        self.told = printed or (lambda number: None)
        self.called = lambda: None
        self.off_seconds = 0.3
        self.trouble = None  # "jam", "paper out", while somebody has to mend it
        self.met, self.mended = threading.Event(), threading.Event()
        self.changing = threading.Lock()
        self.connections, self.silenced = [], []
        self.memory, self.waiting = queue.Queue(), 0
        self.server = None
        self.life = 0  # counts losses of power: what belongs to another life is lost
        self.address = ("127.0.0.1", port)
        self.power_on()
        threading.Thread(target=self.work, daemon=True).start()

    @property
    def name(self):
        return "{}:{}".format(*self.address)

    def power_on(self):
        server = socket.create_server(self.address)
        self.address = server.getsockname()
        with self.changing:
            self.server = server
        threading.Thread(target=self.accept, args=[server, self.life], daemon=True).start()

    def power_off(self, silent=False):
        """Everything in its memory is lost, and who is connected notices, unless silent."""
        with self.changing:
            if self.server is None:
                return
            self.life += 1
            self.waiting = 0
            self.server.shutdown(socket.SHUT_RDWR)
            self.server.close()
            self.server = None
            gone, self.connections = self.connections, []
        for connection in () if silent else gone:
            with contextlib.suppress(OSError):  # it may have ended by itself
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.shutdown(socket.SHUT_RD)  # its reader wakes up
                connection.close()
        timer = threading.Timer(self.off_seconds, self.power_on)
        timer.daemon = True
        timer.start()

    def mend(self):
        self.mended.set()

    def wait_met(self):
        """Until it is in trouble, or has called."""
        assert self.met.wait(wait_seconds_max), "the printer got no such label"
        self.met.clear()

    def accept(self, server, life):
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with self.changing:
                if life != self.life:
                    connection.close()
                    return
                self.connections.append(connection)
            threading.Thread(target=self.read, args=[connection, life], daemon=True).start()

    def read(self, connection, life):
        """Cuts what arrives into formats and commands."""
        text, action = b"", None
        try:
            while life == self.life and (part := connection.recv(16)):
                text += part
                if b"~HS" in text:
                    text = text.replace(b"~HS", b"")
                    if self.answers:
                        connection.sendall(self.status())
                if action is None and b"^XA" in text:
                    action = self.plan.pop(0) if self.plan else "print"
                if action == "slow":
                    time.sleep(0.01)
                if action in ("half", "silent", "call") and len(text) > 200:
                    action = self.half(action)
                if b"^XZ" in text:
                    label, _, text = text.partition(b"^XZ")
                    with self.changing:
                        if life == self.life:
                            self.waiting += 1
                            self.memory.put((label, action, life))
                    action = None
        except OSError:
            pass  # the station or the power has gone
        if action == "silent":
            self.silenced.append(connection)  # not closed: nobody is there who could
        else:
            connection.close()

    def half(self, action):
        if action == "call":
            self.called()
            self.met.set()
            return "print"
        self.power_off(action == "silent")
        return action

    def status(self):
        """As a Zebra printer answers ~HS."""
        paper, jam = (int(self.trouble == each) for each in ("paper out", "jam"))
        return (f"\x02030,{paper},{jam},1245,{self.waiting:03},0,0,0,000,0,0,0\x03\r\n"
                f"\x02000,0,0,0,0,2,4,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n").encode()

    def work(self):
        while True:
            label, action, life = self.memory.get()
            time.sleep(1 if action == "slow" else self.label_seconds)
            if action in ("jam", "paper out"):
                self.mended.clear()
                self.trouble = action
                self.met.set()
                self.mended.wait(wait_seconds_max)
                self.trouble = None
            if life == self.life and action != "lost":
                number = NUMBER.search(label)[1].decode()
                self.texts.append(label.decode())
                self.paper.append(number)
                self.told(number)
            if action in ("lost", "printed"):
                self.power_off()
            with self.changing:
                if life == self.life:
                    self.waiting -= 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=9100)
    port = parser.parse_args().port
    Printer(port, 0.3, printed=lambda number: print(number, flush=True))
    threading.Event().wait()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
