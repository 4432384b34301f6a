"""A receiver of webhooks: checks signatures, keeps what it got, and misbehaves as it is told."""
import base64
import collections
import hashlib
import hmac
import http.server
import json
import socket
import struct
import threading
import time

tolerance_seconds = 60  # between the sender's clock and ours, which are one


class Delivery:
    """One request, as it came."""

    def __init__(self, fields, body):
        self.id, self.body, self.at = fields.get("webhook-id"), body, time.monotonic()
        self.timestamp = fields.get("webhook-timestamp", "")
        self.signatures = fields.get("webhook-signature", "").split(" ")
        self.says = json.loads(body)
        self.notice = self.says["data"]
        self.authorization = fields.get("authorization")
        self.seq = int(self.notice["seq"] or 0)
        self.status = 0  # that was answered; 0: none

    def is_signed_with(self, secret):
        """As a library of Standard Webhooks checks it, for each signature."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        text = f"{self.id}.{self.timestamp}.".encode() + self.body
        wanted = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
        return any(hmac.compare_digest(f"v1,{wanted}", each) for each in self.signatures)

    def defects(self, secrets):
        if not any(map(self.is_signed_with, secrets)):
            yield "it is not signed with a secret of this receiver"
        if abs(int(self.timestamp) - time.time()) > tolerance_seconds:
            yield f"its moment is {self.timestamp}"
        if sorted(self.says) != ["data", "timestamp", "type"]:
            yield f"it has the members {sorted(self.says)}"
        if (self.says["type"], self.says["timestamp"]) != (self.notice["kind"], self.notice["at"]):
            yield "it is about another notice"
        if self.id != self.notice["id"]:
            yield f"its webhook-id is {self.id}, its notice is {self.notice['id']}"


def well(_):
    """Accepts everything."""
    return 204


def slow(_, seconds=11):
    """Longer than a sender waits."""
    time.sleep(seconds)
    return 204


class Receiver:
    """On a port of its own; `manner` says what becomes of a delivery: a status, or None for a
    reset."""

    def __init__(self, manner=well, host="127.0.0.1"):
        self.manner, self.host = manner, host
        self.secrets = []  # of its webhooks; one of them has to sign
        self.lock, self.got, self.wrong = threading.Lock(), [], []
        handler = type("Handler", (Handler,), {"receiver": self})
        server = Server((self.host, 0), handler)
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05},
                         daemon=True).start()

    @property
    def url(self):
        return f"http://{self.host}:{self.port}/in"

    def take(self, delivery):
        """-> what is answered"""
        deadline = time.monotonic() + 5
        while not self.secrets and time.monotonic() < deadline:
            time.sleep(0.01)  # whoever made the webhook is about to say it
        with self.lock:
            self.wrong += [f"{delivery.id}: {why}" for why in delivery.defects(self.secrets)]
        answer = self.manner(delivery)
        delivery.status = answer or 0
        with self.lock:
            self.got.append(delivery)
        return answer

    @property
    def accepted(self):
        with self.lock:
            return [each for each in self.got if 200 <= each.status < 300]

    def ids(self):
        return {each.id for each in self.accepted}

    def faults(self, known):
        """What is wrong with what was accepted, where `known` are the ids of all notices. The same
        id may come again; nothing else may."""
        accepted, found = self.accepted, list(self.wrong)
        found += [f"nobody knows {each.id}" for each in accepted if each.id not in set(known)]
        bodies, seqs = collections.defaultdict(set), []
        for each in accepted:
            bodies[each.id].add(each.body)
            if each.seq not in seqs:
                seqs.append(each.seq)
        found += [f"{id} came with {len(texts)} bodies"
                  for id, texts in bodies.items() if len(texts) > 1]
        if seqs != sorted(seqs):
            found.append(f"they came in the order {seqs}")
        return found


class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """A sender that was killed says no goodbye."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    receiver = None  # whose it is

    def do_POST(self):
        fields = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(fields.get("content-length", 0)))
        answer = self.receiver.take(Delivery(fields, body))
        if answer is None:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
            return
        self.send_response(answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Says nothing."""
