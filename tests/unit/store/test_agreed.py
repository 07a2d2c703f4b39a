import sqlite3

import pytest

from batchdesk.store import schema
from batchdesk.store.agreed import Agreement, agree, agreement


@pytest.fixture
def connection():
    opened = sqlite3.connect(":memory:")
    schema.migrate(opened)
    yield opened
    opened.close()


def test_that_what_was_agreed_is_kept_for_each_address(connection):
    agree(connection, "https://a.example", ["评论", "text"], {"text": {"phone", "email"}}, 1.0)
    agree(connection, "https://b.example", [], {}, 2.0)
    assert agreement(connection, "https://a.example") == Agreement(
        frozenset({"评论", "text"}), {"text": frozenset({"email", "phone"})}
    )
    assert agreement(connection, "https://b.example") == Agreement(frozenset(), {})
    assert agreement(connection, "http://a.example") is None


def test_that_a_later_agreement_takes_the_place_of_the_earlier(connection):
    agree(connection, "https://a.example", ["text"], {}, 1.0)
    agree(connection, "https://a.example", ["text", "name"], {}, 2.0)
    found = agreement(connection, "https://a.example")
    assert found is not None
    assert found.columns == {"text", "name"}
