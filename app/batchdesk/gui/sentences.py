"""Error sentences in the window's language.

A UserError and the Phrases among its params come in with their English templates, which are the
keys of the translations; the whole sentence goes out.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from batchdesk.errors import Phrase, UserError

CONTEXT = "errors"


def sentence(error: UserError) -> str:
    """What happened and what to do; in English where the translation is missing or unfit."""
    try:
        return _told(error)
    except (AttributeError, LookupError, TypeError, ValueError):  # what str.format may raise
        return str(error)


def _told(words: UserError | Phrase) -> str:
    told = QCoreApplication.translate(CONTEXT, words.template)
    if not words.params:
        return told
    values = {name: _value(value) for name, value in words.params.items()}
    return told.format(**values)


def _value(value: object) -> object:
    """A param as the sentence holds it; the words of others stay as they are."""
    if isinstance(value, UserError | Phrase):
        return _told(value)
    return str(value) if isinstance(value, Exception) else value
