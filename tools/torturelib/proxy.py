# Proxies in a thread of their own; what they have in common.
import asyncio
import contextlib
import threading
import time


class Proxy:
    """Listens on a free port of the loopback and hands each connection to serve()."""

    def __init__(self, target_port):
        self.target_port = target_port
        self.faults = []  # when it did what it was armed for, by the monotonic clock
        self.fired = threading.Event()
        self.armed, self.writers = None, set()
        self.refusing = False  # as if the network were gone
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self.call(asyncio.start_server(self.accept, "127.0.0.1", 0))
        self.port = self.server.sockets[0].getsockname()[1]

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)

    def arm(self, fault):
        """The next chance is taken; fired says when."""
        self.fired.clear()
        self.armed = fault

    def fire(self):
        """Notes that the fault was injected; the next one has to be armed."""
        self.armed = None
        self.faults.append(time.monotonic_ns())
        self.fired.set()

    async def accept(self, reader, writer):
        if self.refusing:
            writer.transport.abort()
            return
        self.writers.add(writer)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target_port)
            self.writers.add(back)
            try:
                await self.serve(reader, writer, there, back)
            finally:
                self.writers.discard(back)
                back.close()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # one side has ended, or the proxy
        finally:
            self.writers.discard(writer)
            with contextlib.suppress(OSError):
                writer.close()

    def cut_all(self, refuse=False):
        """Every connection, at once; and no new ones while `refuse`."""
        self.refusing = refuse

        def cut():
            for writer in list(self.writers):
                writer.transport.abort()
        self.loop.call_soon_threadsafe(cut)

    def close(self):
        self.cut_all(refuse=True)

        async def end():
            self.server.close()
            others = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        with contextlib.suppress(Exception):
            self.call(end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)


class Pipe(Proxy):
    """Looks at nothing; hold() lets nothing through any more, as a network that lost its way."""

    def __init__(self, target_port):
        self.held = False
        super().__init__(target_port)

    async def serve(self, reader, writer, there, back):
        await both(self.pump(reader, back), self.pump(there, writer))

    async def pump(self, reader, writer):
        while data := await reader.read(65536):
            while self.held:
                await asyncio.sleep(0.01)
            writer.write(data)
            await writer.drain()

    def hold(self, held=True):
        self.held = held


async def both(one, other):
    """Until either direction has ended."""
    tasks = [asyncio.ensure_future(one), asyncio.ensure_future(other)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
