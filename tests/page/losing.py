"""A way to the service on which answers get lost: what was asked is done, nobody hears of it; or
requests do, and nothing is done. It leads there from below a path, as docs/operations has it for
nginx: whatever asks beside that path finds nothing."""
import http.client
import http.server
import threading

forward_seconds_max = 30
PREFIX = "/gapless"
NOT_FORWARDED = ("connection", "transfer-encoding", "content-length", "keep-alive")


class Way(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Nothing."""

    def handle_any(self):
        try:
            return self.pass_on()
        except ConnectionError:
            return self.lose()  # the page waits no longer

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        if not self.path.startswith(PREFIX + "/"):
            self.send_error(404)
            return None
        acts = self.command != "GET" and "dry_run" not in self.path
        if acts:
            self.server.keys.append(self.headers.get("Idempotency-Key"))
            if self.server.before:
                return self.lose()
        fields = {name: value for name, value in self.headers.items()
                  if name.lower() not in NOT_FORWARDED}
        target = http.client.HTTPConnection(
            "127.0.0.1", self.server.to, timeout=forward_seconds_max)
        try:
            target.request(self.command, self.path.removeprefix(PREFIX), body, fields)
            answer = target.getresponse()
            said = answer.read()
        except OSError:
            return self.lose()  # the service is away
        finally:
            target.close()
        if acts and self.server.losing > 0:
            self.server.losing -= 1
            return self.lose()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in NOT_FORWARDED:
                self.send_header(name, value.replace("Path=/;", f"Path={PREFIX}/;"))
        if answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)
        return None

    def lose(self):
        self.close_connection = True

    do_GET = do_POST = do_PATCH = do_DELETE = handle_any


class LosingWay:
    """keys: those that acts had since lose() was called."""

    def __init__(self, port):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Way)
        self.server.daemon_threads = True
        self.server.to = port
        self.lose(0)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def page(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}{PREFIX}/"

    def lose(self, answers, before=False):
        """So many answers to acts get lost from now on; before: no act arrives any more."""
        self.server.losing, self.server.before, self.server.keys = answers, before, []

    @property
    def keys(self):
        return self.server.keys

    def close(self):
        self.server.shutdown()
        self.server.server_close()
