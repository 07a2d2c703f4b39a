"""Takes the key out of what a service sends back: some repeat it in complaints or in echoes.

In comes any text, out goes the text with ``[key removed]`` where the key was: as it is, escaped
as JSON may escape it, or in base64, and where a piece of it was. Everything that a provider keeps
of a response passes here before it is read or cut.
"""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

from batchdesk.domain.chat import ChatResponse, Choice
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.key_pieces import KeyPieces

REMOVED = "[key removed]"
_LEAST_LENGTH = 8  # shorter ones are fillers such as "none", which answers may hold by themselves
_ESCAPE = "\\u00"  # how JSON may write any character of a key


class KeyGuard:
    """Knows one key.

    Args:
        key: ASCII, as it is sent; None where there is none.
    """

    def __init__(self, key: str | None) -> None:
        forms = _forms(key) if key and len(key) >= _LEAST_LENGTH else []
        # Most texts are cleared by these alone; the pattern is slower.
        self._signs = tuple({sign for form in forms for sign in _signs(form)})
        self._pieces = KeyPieces(key) if key and forms else None
        self._pattern = re.compile("|".join(_with_escapes(form) for form in forms))

    def clean(self, text: str) -> str:
        """The text without the key and its pieces."""
        if self._pieces is None:
            return text
        if _ESCAPE in text or any(sign in text for sign in self._signs):
            text = self._pattern.sub(REMOVED, text)
        return self._pieces.remove(text, REMOVED)

    def clean_response(self, response: HttpResponse) -> HttpResponse:
        """A response whose body and headers are without the key."""
        if not self._signs:
            return response
        headers = {name: self.clean(value) for name, value in response.headers.items()}
        return HttpResponse(response.status, headers, self.clean(response.body))

    def clean_answer(self, answer: ChatResponse) -> ChatResponse:
        """An answer, read from a clean response, whose texts are without the key too.

        A key that only shows here came in pieces or escaped twice. So it stands in the raw body,
        where it cannot be found: that goes as a whole.
        """
        texts = [self.clean(choice.text) for choice in answer.choices]
        if all(text == choice.text for text, choice in zip(texts, answer.choices, strict=True)):
            return answer
        choices = tuple(
            Choice(text, c.finish_reason) for text, c in zip(texts, answer.choices, strict=True)
        )
        return replace(answer, choices=choices, response_body=REMOVED)


def _forms(key: str) -> list[str]:
    """How the key may be written, the longest first."""
    packings = (base64.b64encode, base64.urlsafe_b64encode)
    sent = (f"Bearer {key}".encode(), key.encode())
    packed = {pack(raw).decode().rstrip("=") for raw in sent for pack in packings}
    return sorted({key, *packed}, key=len, reverse=True)


def _signs(form: str) -> set[str]:
    """The form plain and as JSON writes it, with and without an escape before slashes."""
    escaped = json.dumps(form)[1:-1]
    return {form, escaped, form.replace("/", "\\/"), escaped.replace("/", "\\/")}


def _with_escapes(form: str) -> str:
    """A pattern of the form, any of its characters escaped or not."""

    def either(c: str) -> str:
        slash = r"\\?" if c in '/"\\' else ""
        return rf"(?:{slash}{re.escape(c)}|\\u00(?i:{ord(c):02x}))"

    return "".join(either(c) for c in form)
