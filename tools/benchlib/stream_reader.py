#!/usr/bin/env python3
# Clients of GET /v1/notices as a stream, many in one process, for benchlib.streams:
#
#   stream_reader.py PORT STREAMS AFTER COUNT     the token is in BENCH_TOKEN
#
# Says "ready" when all streams have begun, and in the end, when each has had COUNT events, how many
# each of them had, and the seq of the last one of each, as JSON.
import json
import os
import re
import selectors
import socket
import sys

MARK = b"\nevent: "  # once in each event
ROOM = 1 << 20


class Stream:
    def __init__(self, port, token, after):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(
            f"GET /v1/notices?after={after} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.count, self.tail = 0, b""
        while b"\r\n\r\n" not in self.tail:
            self.tail += self.read_some()
        head, self.tail = self.tail.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 200"):
            sys.exit(f"a stream was answered with {head.decode()}")
        self.count = self.tail.count(MARK)

    def read_some(self):
        data = self.socket.recv(ROOM)
        if not data:
            sys.exit("a stream ended")
        return data

    def take(self):
        """Counts what came; a mark may lie across two pieces."""
        data = self.read_some()
        seam = self.tail[-len(MARK) + 1:] + data[:len(MARK) - 1]
        self.count += data.count(MARK) + seam.count(MARK)
        self.tail = (self.tail + data)[-4096:] if len(data) < 4096 else data[-4096:]

    def last(self):
        return int(re.findall(rb"id: (\d+)\nevent: ", self.tail)[-1])


def main():
    port, streams, after, count = map(int, sys.argv[1:])
    token = os.environ["BENCH_TOKEN"]
    every = [Stream(port, token, after) for _ in range(streams)]
    ready = selectors.DefaultSelector()
    for stream in every:
        ready.register(stream.socket, selectors.EVENT_READ, stream)
    print("ready", flush=True)
    waiting = sum(stream.count < count for stream in every)
    while waiting:
        for key, _ in ready.select():
            before = key.data.count
            key.data.take()
            waiting -= before < count <= key.data.count
    print(json.dumps({"events": [stream.count for stream in every],
                      "last": [stream.last() for stream in every]}), flush=True)


main()
