"""Cuts the bytes of an event stream into its lines, wherever the network cut them.

Only CR, LF and CRLF end a line, as the format says: U+2028 and its like may stand in an answer's
text, so ``str.splitlines`` would tear it. Bytes go in as they come; whole lines come out.
"""

from __future__ import annotations


class EventLines:
    """Collects bytes until a line is whole."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that end within this chunk, without their ends."""
        if b"\n" not in chunk and b"\r" not in chunk and not self._rest.endswith(b"\r"):
            self._rest += chunk
            return []
        data = bytes(self._rest) + chunk
        # A CR at the very end may be the first half of a CRLF.
        held = b"\r" if data.endswith(b"\r") else b""
        lines = _unified(data.removesuffix(held)).split(b"\n")
        self._rest = bytearray(lines.pop() + held)
        return [_text(line) for line in lines]

    def end(self) -> list[str]:
        """The last line, if the stream ended without an end of line."""
        rest = bytes(self._rest).removesuffix(b"\r")
        had_end = len(rest) != len(self._rest)
        self._rest.clear()
        return [_text(rest)] if rest or had_end else []


def _unified(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
