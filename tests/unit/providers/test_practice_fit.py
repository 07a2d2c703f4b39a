"""Practice answers fit a pattern, and one without end does not keep the server."""

import pytest

from batchdesk.providers.practice_fit import matching


@pytest.mark.parametrize(
    ("pattern", "found", "text", "answer"),
    [
        (r"^\d{3}-\d{2}$", None, "call 123-45 now", "123-45"),
        (r"^[A-Z]{3}$", None, "none here", "ABC"),
        ("^good$", "good", "", "good"),
        ("(", "as found", "", "as found"),
        (r"^(a?){60}b(a|b|ab)*c\1$", "as found", "a" * 60 + "b" * 40, "as found"),
    ],
)
def test_that_an_answer_fits_a_pattern_if_that_is_easy(pattern, found, text, answer):
    assert matching(pattern, found, text) == answer
