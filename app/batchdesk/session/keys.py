"""How a run's provider finds its key."""

from __future__ import annotations

from batchdesk import credentials


def look_up_key(account: str, variable: str | None, named_by_job: bool) -> str | None:  # noqa: FBT001 - a KeyLookup
    """The key of an account; see ``credentials.find_key``."""
    return credentials.find_key(account, variable=variable, named_by_job=named_by_job)
