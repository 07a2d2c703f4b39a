import os
import subprocess
import sys

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as FailingKeyring

from batchdesk.credentials import NoKeyringError, find_key, keep_for_now, store_key
from batchdesk.errors import UserError


class InMemory(KeyringBackend):
    """A keyring that forgets everything at the end."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


class Broken(KeyringBackend):
    """A keyring whose every use ends in an error that repeats the secret."""

    priority = 1

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def get_password(self, service: str, username: str) -> str | None:
        raise self.error

    def set_password(self, service: str, username: str, password: str) -> None:
        raise self.error


@pytest.fixture
def use_keyring(monkeypatch):
    before = keyring.get_keyring()
    monkeypatch.delenv("MY_KEY", raising=False)
    yield keyring.set_keyring
    keyring.set_keyring(before)


ERRORS = [
    keyring.errors.NoKeyringError("no backend"),
    keyring.errors.InitError("locked; sk-secret"),
    RuntimeError("the bus is down; sk-secret"),
]


def test_that_a_key_comes_from_the_environment_first(use_keyring, monkeypatch):
    use_keyring(Broken(RuntimeError("must not be asked")))
    monkeypatch.setenv("MY_KEY", " sk-1\n")
    assert find_key("api.example.com", variable="MY_KEY", named_by_job=False) == "sk-1"
    assert find_key("api.example.com", variable="MY_KEY", named_by_job=True) == "sk-1"


def test_that_a_kept_key_is_found_for_its_account_only(use_keyring):
    use_keyring(InMemory())
    store_key("api.example.com", "sk-2")
    assert find_key("api.example.com", variable="MY_KEY", named_by_job=False) == "sk-2"
    assert find_key("api.example.com", variable=None, named_by_job=False) == "sk-2"
    assert find_key("other.example.com", variable=None, named_by_job=False) is None


@pytest.mark.parametrize("value", [None, "", "  "])
def test_that_a_variable_named_by_the_job_must_be_set(use_keyring, monkeypatch, value):
    use_keyring(InMemory())
    if value is not None:
        monkeypatch.setenv("MY_KEY", value)
    store_key("api.example.com", "sk-2")
    with pytest.raises(UserError, match="variable MY_KEY, which should hold the key, is not set"):
        find_key("api.example.com", variable="MY_KEY", named_by_job=True)


@pytest.mark.parametrize("error", ERRORS)
def test_that_without_a_keyring_there_is_no_key(use_keyring, error):
    use_keyring(Broken(error))
    assert find_key("api.example.com", variable=None, named_by_job=False) is None


@pytest.mark.parametrize("error", ERRORS[1:])
def test_that_a_keyring_that_refuses_is_told_in_a_sentence_without_the_key(use_keyring, error):
    use_keyring(Broken(error))
    with pytest.raises(UserError, match="did not keep the key") as caught:
        store_key("api.example.com", "sk-secret")
    assert type(error).__name__ in str(caught.value)
    assert "sk-secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_that_the_keyring_is_loaded_only_when_it_is_asked():
    program = "import sys, batchdesk.credentials; sys.exit('keyring' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_that_without_a_keyring_the_way_out_is_said(use_keyring):
    use_keyring(Broken(keyring.errors.NoKeyringError("no backend")))
    with pytest.raises(NoKeyringError) as caught:
        store_key("api.example.com", "sk-secret")
    command = "setx NAME KEY" if os.name == "nt" else "export NAME=KEY"
    assert str(caught.value) == (
        "This computer has no keyring, so the key was not stored. Set an environment variable to "
        f"it before Batchdesk starts ({command}), and write the variable's name here."
    )


def test_that_without_a_keyring_a_key_can_be_kept_until_the_program_ends(use_keyring):
    use_keyring(FailingKeyring())
    keep_for_now("api.example.com", "sk-1")
    keep_for_now("other.example.com", "sk-2")
    assert find_key("api.example.com", variable=None, named_by_job=False) == "sk-1"
    assert find_key("other.example.com", variable=None, named_by_job=False) == "sk-2"
    use_keyring(FailingKeyring())  # as at the next start
    assert find_key("api.example.com", variable=None, named_by_job=False) is None


def test_that_a_keyring_that_is_there_is_not_replaced(use_keyring):
    ring = InMemory()
    use_keyring(ring)
    keep_for_now("api.example.com", "sk-1")
    assert list(ring.kept.values()) == ["sk-1"]
