import subprocess
import sys

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend

from batchdesk.credentials import find_key, store_key
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


@pytest.mark.parametrize("error", ERRORS)
def test_that_without_a_keyring_storing_is_told_in_a_sentence_without_the_key(use_keyring, error):
    use_keyring(Broken(error))
    with pytest.raises(UserError, match="did not keep the key") as caught:
        store_key("api.example.com", "sk-secret")
    assert type(error).__name__ in str(caught.value)
    assert "sk-secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_that_the_keyring_is_loaded_only_when_it_is_asked():
    program = "import sys, batchdesk.credentials; sys.exit('keyring' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
