"""API keys: from an environment variable that the job names, else from the system's keyring.

A key is never written to the project file, a log, an export or a report. The keyring's library
is loaded only when it is asked: that takes a tenth of a second, and asking may open a dialog.
"""

from __future__ import annotations

import os

from batchdesk.errors import UserError

_SERVICE = "Batchdesk"


class NoKeyringError(UserError):
    """This computer has no keyring: a variable, or this session only, can hold the key."""


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
        NoKeyringError: there is none.
        UserError: it refuses.
    """
    import keyring  # noqa: PLC0415 - slow to load, see above
    from keyring.errors import NoKeyringError as NoBackendError  # noqa: PLC0415 - as above

    try:
        keyring.set_password(_SERVICE, account, key)
    except NoBackendError:
        raise NoKeyringError(
            "This computer has no keyring, so the key was not stored. Set an environment variable "
            "to it before Batchdesk starts ({how}), and write the variable's name here.",
            how=_how_to_set(),
        ) from None
    except Exception as error:  # noqa: BLE001 - as below
        # Not the error's own words: of some backends they repeat what was to be kept.
        raise UserError(
            "This computer's keyring did not keep the key ({reason}). Unlock it and try again, or "
            "set an environment variable to the key ({how}) and write the variable's name here.",
            reason=type(error).__name__,
            how=_how_to_set(),
        ) from None


def keep_for_now(account: str, key: str) -> None:
    """Keep a key in this program's memory, where there is no keyring: gone when it ends."""
    import keyring  # noqa: PLC0415 - slow to load, see above
    from keyring.backend import KeyringBackend  # noqa: PLC0415 - as above
    from keyring.backends import fail  # noqa: PLC0415 - as above

    class ForNow(KeyringBackend):
        """A keyring that forgets when the program ends."""

        priority = 0.1

        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call] # the library has no type for it
            self._kept: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self._kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self._kept[service, username] = password

    if isinstance(keyring.get_keyring(), fail.Keyring):  # what the library has where there is none
        keyring.set_keyring(ForNow())
    keyring.set_password(_SERVICE, account, key)


def _how_to_set() -> str:
    """The command that sets a variable for good or for a terminal; the same in every language."""
    return "setx NAME KEY" if os.name == "nt" else "export NAME=KEY"


def _stored(account: str) -> str | None:
    import keyring  # noqa: PLC0415 - slow to load, see above

    try:
        return (keyring.get_password(_SERVICE, account) or "").strip() or None
    except Exception:  # noqa: BLE001 - backends let their own libraries' errors through
        return None  # no keyring here: the same as no key in it
