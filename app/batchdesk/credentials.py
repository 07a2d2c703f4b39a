"""API keys: from an environment variable that the job names, else from the system's keyring.

A key is never written to the project file, a log, an export or a report. The keyring's library
is loaded only when it is asked: that takes a tenth of a second, and asking may open a dialog.
"""

from __future__ import annotations

import os

from batchdesk.errors import UserError

_SERVICE = "Batchdesk"


def find_key(account: str, *, variable: str | None, named_by_job: bool) -> str | None:
    """The key for an account (a service's host), or None if there is none.

    ``variable`` is the environment variable to look in first; where the job itself names it
    (``named_by_job``), it must be set.

    Raises:
        UserError: the job names a variable that is not set.
    """
    if variable is not None:
        value = os.environ.get(variable, "").strip()
        if value:
            return value
        if named_by_job:
            raise UserError(
                "The environment variable {variable}, which should hold the key, is not set. Set "
                "it and start again.",
                variable=variable,
            )
    return _stored(account)


def store_key(account: str, key: str) -> None:
    """Keep a key in the system's keyring.

    Raises:
        UserError: this computer has no keyring, or it refuses.
    """
    import keyring  # noqa: PLC0415 - slow to load, see above

    try:
        keyring.set_password(_SERVICE, account, key)
    except Exception as error:  # noqa: BLE001 - as below
        # Not the error's own words: of some backends they repeat what was to be kept.
        raise UserError(
            "This computer's keyring did not keep the key ({reason}). Put it into an environment "
            "variable and name that in the job.",
            reason=type(error).__name__,
        ) from None


def _stored(account: str) -> str | None:
    import keyring  # noqa: PLC0415 - slow to load, see above

    try:
        return (keyring.get_password(_SERVICE, account) or "").strip() or None
    except Exception:  # noqa: BLE001 - backends let their own libraries' errors through
        return None  # no keyring here: the same as no key in it
