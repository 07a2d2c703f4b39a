from __future__ import annotations

import pytest

from batchdesk.domain.labels import folded_label


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Good", " good\n"),
        ("4.0", "4"),
        ("-12.50", "-12.5"),
        ("STRASSE", "straße"),
        ("ÄPFEL", "äpfel"),
        ("\u00a0好\u3000", "好"),
    ],
)
def test_that_these_labels_are_the_same(one, other):
    assert folded_label(one) == folded_label(other)


@pytest.mark.parametrize(
    ("one", "other"), [("40", "4"), ("4.05", "4.5"), ("true", "1"), ("1.2.0", "1.2"), ("04.0", "4")]
)
def test_that_these_labels_differ(one, other):
    assert folded_label(one) != folded_label(other)
