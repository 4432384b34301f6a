#!/usr/bin/env python3
r"""Keeps the inputs of a fuzz target in one text file, an input a line, so that a diff can be read.

  corpus.py pack FOLDER FILE     the files of FOLDER become the lines of FILE, in their own order
  corpus.py unpack FILE FOLDER   the other way; each file is named by its content

ASCII stands as it is; \n, \r, \t, \\ and \xNN stand for the rest.
"""
import hashlib
import pathlib
import re
import sys

SHORT = {0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x5C: "\\\\"}
LONG = {text[1]: bytes([byte]) for byte, text in SHORT.items()}


def to_line(content):
    return "".join(SHORT.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}")
                   for byte in content)


def to_content(line):
    return re.sub(rb"\\(?:x(..)|(.))", lambda m: bytes.fromhex(m[1].decode()) if m[1]
                  else LONG[m[2].decode()], line.encode("ascii"))


def pack(folder, file):
    contents = [found.read_bytes() for found in pathlib.Path(folder).iterdir()]
    lines = sorted(map(to_line, contents))
    assert sorted(map(to_content, lines)) == sorted(contents), "an input does not survive"
    pathlib.Path(file).write_text("".join(line + "\n" for line in lines))


def unpack(file, folder):
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with open(file, encoding="ascii", newline="\n") as lines:
        for line in lines:
            content = to_content(line.removesuffix("\n"))
            (target / hashlib.sha1(content).hexdigest()).write_bytes(content)


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
