# A proxy that reads PostgreSQL's messages (protocol 3.0) and cuts a batch at an exact place.
#
# A batch of the connection is, from the service:  Bind(lock) … Sync, Bind(plain|requests) … Sync,
# Bind(unlock) … Sync; and from the server, for each of the three:  2 T D… C Z. The implicit COMMIT
# happens at the second Sync, and the second Z says that it is durable.
import asyncio

from torturelib.proxy import Proxy, both

# Where a batch can be cut; the row in docs/reports/failures.md.
PLACES = {
    "before the batch": "P5",  # the lock is taken, the batch does not arrive
    "before its Sync": "P7",  # all rows are written, COMMIT does not arrive
    "inside its Sync": "P8",  # COMMIT arrives in part
    "behind its Sync": "P9",  # COMMIT arrives, nobody sees an answer
    "before its rows": "P11",  # the answer is lost whole
    "inside its rows": "P11",
    "before its Z": "P11",  # rows and CommandComplete arrive, the proof of COMMIT does not
    "inside its Z": "P11",
    "behind its Z": "P12",  # only the unlock is lost
    "stall before its Z": "P11",  # nothing is lost, the answer comes late
}
BATCH = (b"plain\0", b"many\0", b"requests\0")


class Cut(OSError):
    """Both sides of this connection are to end."""


class Link:
    """One connection: which statement runs, and what of it has been answered."""

    def __init__(self):
        self.bound = ""  # what the service bound last: lock, batch, unlock or other
        self.due = []  # statements whose Z is due, oldest first
        self.fault = None  # chosen for the batch under way


class PgProxy(Proxy):
    """arm() with a name of PLACES; stall_seconds is how long a stall lasts."""

    def __init__(self, target_port, stall_seconds=1.0):
        self.stall_seconds = stall_seconds
        self.inject = None  # SQL for the connection's session, behind the service's back; once
        super().__init__(target_port)

    async def serve(self, reader, writer, there, back):
        link = Link()
        length = await reader.readexactly(4)  # the startup message has no type
        back.write(length + await reader.readexactly(int.from_bytes(length, "big") - 4))
        try:
            await both(self.from_service(link, reader, back),
                       self.from_server(link, there, writer))
        finally:
            if link.fault == "cut":  # as a network does: no goodbye
                writer.transport.abort()
                back.transport.abort()

    async def read(self, reader):
        head = await reader.readexactly(5)
        return head[:1], head + await reader.readexactly(int.from_bytes(head[1:], "big") - 4)

    async def from_service(self, link, reader, back):
        while True:
            kind, message = await self.read(reader)
            if kind == b"B":
                statement = message[5:].split(b"\0", 2)[1] + b"\0"
                link.bound = "batch" if statement in BATCH else "other"
                if link.bound == "batch" and self.inject:
                    text, self.inject = self.inject.encode() + b"\0", None
                    back.write(b"Q" + (len(text) + 4).to_bytes(4, "big") + text)
                    link.due.append("injected")
                if link.bound == "batch" and self.armed and link.fault is None:
                    link.fault = self.armed
                    if link.fault == "before the batch":
                        await self.cut(link, back)
                    self.armed = None
            at_commit = kind == b"S" and link.bound == "batch"
            if at_commit and link.fault == "before its Sync":
                await self.cut(link, back)
            if at_commit and link.fault == "inside its Sync":
                back.write(message[:3])
                await self.cut(link, back)
            if kind in (b"S", b"Q"):
                link.due.append(link.bound)
            back.write(message)
            if at_commit and link.fault == "behind its Sync":
                await self.cut(link, back)
            await back.drain()

    async def from_server(self, link, there, writer):
        while True:
            kind, message = await self.read(there)
            fault = link.fault
            if link.due[:1] == ["injected"]:  # its answer is not for the service
                if kind == b"Z":
                    link.due.pop(0)
                continue
            ours = bool(link.due) and link.due[0] == "batch" and fault is not None
            if ours and kind == b"D" and fault in ("before its rows", "inside its rows"):
                writer.write(message[:7] if fault == "inside its rows" else b"")
                await self.cut(link, writer)
            if kind == b"Z":
                if ours and fault in ("before its Z", "inside its Z"):
                    writer.write(message[:3] if fault == "inside its Z" else b"")
                    await self.cut(link, writer)
                if ours and fault == "stall before its Z":
                    self.fire()
                    await asyncio.sleep(self.stall_seconds)
                    link.fault = None
                if link.due:
                    link.due.pop(0)
            writer.write(message)
            if kind == b"Z" and ours and fault == "behind its Z":
                await self.cut(link, writer)
            await writer.drain()

    async def cut(self, link, writer):
        """Sends what was let through, then ends both sides."""
        await writer.drain()
        if writer.transport.get_write_buffer_size():
            await asyncio.sleep(0.01)
        link.fault = "cut"
        self.fire()
        raise Cut("cut")
