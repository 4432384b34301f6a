# A proxy that reads HTTP requests and answers by their Content-Length, and loses parts of them.
import asyncio
import random

from torturelib.proxy import Proxy

# What can happen to one request that issues.
FAULTS = (
    "request lost",  # read, never forwarded
    "half a request",  # its first half is forwarded, then the line is cut
    "answer lost",  # forwarded, the answer is read and thrown away
    "half an answer",  # cut at a random byte of the answer
    "client gone",  # cut as soon as the request was forwarded
    "request twice",  # a proxy that repeats a POST by itself, on another connection
)


class HttpProxy(Proxy):
    """arm() with one of FAULTS; the next POST …/numbers gets it."""

    def __init__(self, target_port, seed=1):
        super().__init__(target_port)
        self.dice = random.Random(seed)

    async def read(self, reader):
        head = await reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return head + await reader.readexactly(length)

    async def serve(self, reader, writer, there, back):
        while True:
            request = await self.read(reader)
            fault = None
            if self.armed and request.startswith(b"POST") and b"/numbers " in request[:200]:
                fault = self.armed
                self.fire()
            if fault == "request lost":
                break
            if fault == "half a request":
                back.write(request[:len(request) // 2])
                await back.drain()
                break
            if fault == "request twice":
                await self.send_on_another(request)
            back.write(request)
            await back.drain()
            if fault == "client gone":
                break
            answer = await self.read(there)
            if fault == "answer lost":
                break
            if fault == "half an answer":
                writer.write(answer[:self.dice.randrange(1, len(answer))])
                await writer.drain()
                break
            writer.write(answer)
            await writer.drain()

    async def send_on_another(self, request):
        there, back = await asyncio.open_connection("127.0.0.1", self.target_port)
        back.write(request)
        await back.drain()
        asyncio.get_running_loop().call_later(0.2, back.close)
