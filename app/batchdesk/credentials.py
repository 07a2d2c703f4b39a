"""API keys: from an environment variable that the job names, else from the system's keyring.

A key is never written to the project file, a log, an export or a report.
"""

from __future__ import annotations

import os

import keyring
import keyring.errors

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
        UserError: this computer has no keyring.
    """
    try:
        keyring.set_password(_SERVICE, account, key)
    except keyring.errors.KeyringError as error:
        raise UserError(
            "This computer has no keyring to keep the key in ({reason}). Put it into an "
            "environment variable and name that in the job.",
            reason=error,
        ) from error


def _stored(account: str) -> str | None:
    try:
        return keyring.get_password(_SERVICE, account)
    except keyring.errors.KeyringError:
        return None  # no keyring here: the same as no key in it
