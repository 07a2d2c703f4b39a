"""Words for codes: what a person reads on the command line."""

from __future__ import annotations

import os
import shutil

from batchdesk.domain.task import ErrorKind, SkipReason
from batchdesk.tables.base import ChunkOptions

# Why a run paused, and what to do. "{message}" is the service's own word.
CAUSES = {
    ErrorKind.QUOTA_EXHAUSTED: "The account has no credit or quota left ({message}). Top it up or "
    "wait for the quota to renew, then resume.",
    ErrorKind.RATE_LIMITED: "The service asks to wait until {message}. Resume after that time.",
    ErrorKind.AUTH: "The service does not accept the key ({message}). Correct the key, then "
    "resume.",
    ErrorKind.FORBIDDEN: "The key may not use this service or model ({message}). Ask for access or "
    "use another key, then resume.",
    ErrorKind.MODEL_NOT_FOUND: "The service knows no such model or address ({message}). Check "
    "`model` and `base_url` in the job.",
    ErrorKind.NOT_AN_API: "The address does not answer like a model service ({message}). Check "
    "`base_url` in the job; it usually ends in /v1.",
    ErrorKind.CONNECT_FAILED: "The service cannot be reached ({message}). Check `base_url` in the "
    "job and the network, then resume.",
    ErrorKind.CONNECT_TIMEOUT: "The service cannot be reached in time ({message}). Check the "
    "network, then resume.",
    ErrorKind.BAD_REQUEST: "The service refuses every request of this job ({message}). Correct the "
    "job and run it again.",
    ErrorKind.CONTEXT_TOO_LONG: "Every prompt is too long for the model ({message}). Shorten the "
    "prompt or choose a model with a larger window.",
    ErrorKind.PAYLOAD_TOO_LARGE: "Every request is too large for the service ({message}).",
    ErrorKind.STORAGE_FULL: "{message}",
    ErrorKind.INTERNAL: "Batchdesk itself failed ({message}). Everything saved so far is safe; "
    "resume to go on.",
}

ERRORS = {
    ErrorKind.RATE_LIMITED: "refused: too often",
    ErrorKind.QUOTA_EXHAUSTED: "no quota left",
    ErrorKind.OVERLOADED: "service overloaded",
    ErrorKind.SERVER_ERROR: "service error",
    ErrorKind.CONNECT_TIMEOUT: "no connection in time",
    ErrorKind.CONNECT_FAILED: "no connection",
    ErrorKind.READ_TIMEOUT: "no answer in time",
    ErrorKind.CONNECTION_RESET: "connection broken",
    ErrorKind.DEADLINE_EXCEEDED: "total time used up",
    ErrorKind.AUTH: "key not accepted",
    ErrorKind.FORBIDDEN: "not allowed",
    ErrorKind.MODEL_NOT_FOUND: "no such model or address",
    ErrorKind.NOT_AN_API: "not a model service",
    ErrorKind.BAD_REQUEST: "request refused",
    ErrorKind.CONTEXT_TOO_LONG: "too long for the model",
    ErrorKind.PAYLOAD_TOO_LARGE: "too large for the service",
    ErrorKind.CONTENT_FILTERED: "filtered by the service",
    ErrorKind.TRUNCATED: "answer cut off",
    ErrorKind.MALFORMED_OUTPUT: "answer not in the asked form",
    ErrorKind.EMPTY_OUTPUT: "empty answer",
    ErrorKind.MISALIGNED: "answer for another row",
    ErrorKind.TEMPLATE_FAILED: "prompt cannot be filled in",
    ErrorKind.STORAGE_FULL: "no space for the project file",
    ErrorKind.INTERNAL: "fault of Batchdesk",
}

PROBLEMS = {
    "ragged_short": "row with too few cells (the missing ones are empty)",
    "ragged_long": "row with too many cells (kept in extra columns)",
    "nul_bytes": "row with NUL characters (removed)",
    "undecodable": "place whose bytes do not fit the encoding (shown as \ufffd)",
    "duplicate_column": "column name that occurs twice (the later one was renamed)",
    "empty_column_name": "column without a name (named by its position)",
    "duplicate_key": "key that occurs twice (the later row was given another)",
    "empty_key": "row without a key (named by its row number)",
    "not_an_object": "line that is not a JSON object (left out)",
    "invalid_json": "line that is not JSON (left out)",
    "nested_too_deeply": "object nested deeper than can be read (left out)",
    "blank_line": "blank line (left out)",
    "open_quote": "quote that is never closed (the text up to the end is one cell)",
    "moved_column": "column whose name Batchdesk needs (renamed to source.…)",
    "above_header": "row above the column names (left out)",
    "cell_error": "cell that holds an error such as #N/A (kept as this text)",
    "no_cached_value": "formula whose result was not saved (the cell is empty)",
    "bad_cell": "cell that cannot be read (empty)",
    "binary_cell": "cell of bytes that are no text (shown as hexadecimal digits)",
    "hidden_sheet": "hidden sheet that was not read (choose it by its name)",
    "other_table": "further sheet or list that was not read (choose it by its name)",
    "unreadable_file": "file of the folder that was not read",
    "no_text": "document without text, such as a scan (the text is empty)",
}

SKIPS = {
    SkipReason.EMPTY: "empty",
    SkipReason.DUPLICATE: "the same as another row",
    SkipReason.FILTERED: "left out by the job's `where`",
    SkipReason.UNCHANGED: "not changed and answered before",
    SkipReason.TOO_LONG: "too long for the model",
    SkipReason.PILOT: "answered in the pilot",
}

RISKS = {
    "network": "The project file lies on a network drive. Batchdesk needs a local disk to be safe "
    "against losing data; choose another place with --project.",
    "sync": "The project file lies in a folder that a sync program rewrites. Batchdesk needs a "
    "folder of its own to be safe against losing data; choose another place with --project.",
}


def own_command() -> str:
    """What a person types before a command's name: the way by which Batchdesk was started here."""
    started_by = os.environ.get("BATCHDESK_COMMAND", "").strip()
    return started_by or ("batchdesk" if shutil.which("batchdesk") else "python -m batchdesk")


def duration(seconds: float) -> str:
    """``8 s``, ``3 min 20 s``, ``2 h 5 min``; a clock that was set back never shows below 0."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def chunk_words(options: ChunkOptions) -> str:
    """How long texts are cut."""
    counted = options.encoding or "an estimate"
    return (
        f"column {options.column}, at most {options.tokens:,} tokens, {options.overlap:,} of them "
        f"from the chunk before (counted by {counted})"
    )
