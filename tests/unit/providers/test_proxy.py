import pytest

from batchdesk.errors import UserError
from batchdesk.providers.proxy import checked_proxy, proxy_for


@pytest.fixture
def system_proxy(monkeypatch):
    monkeypatch.setattr("urllib.request.getproxies", lambda: {"https": "http://sys.example:1"})
    monkeypatch.setattr("urllib.request.proxy_bypass", lambda host: host == "inside.example")


@pytest.mark.parametrize(
    ("url", "chosen", "proxy"),
    [
        ("https://api.example.com/v1", "", "http://sys.example:1"),
        ("https://inside.example/v1", "", None),
        ("http://api.example.com/v1", "", None),
        ("https://api.example.com/v1", "none", None),
        ("https://api.example.com/v1", "http://mine.example:2", "http://mine.example:2"),
        ("https://inside.example/v1", "http://mine.example:2", None),
        ("http://127.0.0.1:8000/v1", "http://mine.example:2", None),
        ("http://localhost:8000/v1", "http://mine.example:2", None),
    ],
)
def test_that_the_persons_proxy_goes_before_the_systems(system_proxy, url, chosen, proxy):
    assert proxy_for(url, chosen) == proxy


def test_that_a_proxy_may_be_written_without_its_scheme():
    assert checked_proxy(" proxy.example:8080 ") == "http://proxy.example:8080"
    assert checked_proxy("http://[::1]:3128") == "http://[::1]:3128"


@pytest.mark.parametrize(
    "text", ["", "http://", "socks5://h:1", "http://h:99999", "http://[::1", "a b:1", "h:x"]
)
def test_that_what_is_no_proxy_is_refused(text):
    with pytest.raises(UserError, match="no proxy's address that can be used"):
        checked_proxy(text)


def test_that_a_password_is_not_kept_and_not_repeated():
    with pytest.raises(UserError, match="name and password are not kept") as caught:
        checked_proxy("http://u:hunter2@proxy.example:8080")
    assert "hunter2" not in str(caught.value)
