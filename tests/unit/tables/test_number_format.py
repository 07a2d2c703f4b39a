"""Numbers are shown as a spreadsheet program shows them; expected values from Excel's own rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.tables.number_format import BUILT_IN, Formats, plain_number


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (123, "00000", "00123"),
        (-7, "000", "-007"),
        (0.256, "0%", "26%"),
        (0.256, "0.00%", "25.60%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (2.5, "0", "3"),
        (1.005, "0.00", "1.01"),
        (1234, '"$"#,##0.00', "$1,234.00"),
        (1234.5, "[$€-407] #,##0.00", "€ 1,234.50"),
        (1200, "[$¥-804]#,##0", "¥1,200"),
        (1234, '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-', "1,234.00 €"),
        (-1234, '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-', "-1,234.00 €"),
        (-5, "#,##0_);(#,##0)", "(5)"),
        (0, '0;-0;"zero"', "zero"),
        (-3, "[Red]0.0;[Blue]-0.0", "-3.0"),
        (150, '[>=100]"high";"low"', "high"),
        (50, '[>=100]"high";"low"', "low"),
        (5551234567, "(000) 000-0000", "(555) 123-4567"),
        (5, '0 "pcs"', "5 pcs"),
        (1234567, '0.0,,"M"', "1.2M"),
        (12345, "0.00E+00", "1.23E+04"),
        (0.00012, "0.0E+0", "1.2E-4"),
        (1.5, "# ?/?", "1 1/2"),
        (0.5, "#.00", ".50"),
        (-0.2, "0", "0"),
        (7, "@", "7"),
        (0, "#", ""),
        (1234.5678, "#,##0.0#", "1,234.57"),
    ],
)
def test_that_numbers_are_shown_by_their_format(value, code, shown):
    assert Formats().text(value, code) == shown


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (45292, "yyyy-mm-dd", "2024-01-01"),
        (45292, BUILT_IN[14], "2024-01-01"),
        (45292.75, "yyyy-mm-dd hh:mm", "2024-01-01 18:00"),
        (45292.75, "m/d/yy h:mm AM/PM", "1/1/24 6:00 PM"),
        (45292, "d mmmm yyyy", "1 January 2024"),
        (45292, "dddd", "Monday"),
        (45292, "mmm-yy", "Jan-24"),
        (45292, 'yyyy"年"m"月"d"日"', "2024年1月1日"),
        (45292, "[$-409]d\\-mmm\\-yyyy;@", "1-Jan-2024"),
        (0.5, "h:mm", "12:00"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (45292.5004, "mm:ss.0", "00:34.6"),
        (45292.999999999, "yyyy-mm-dd hh:mm:ss", "2024-01-02 00:00:00"),
        (1, "yyyy-mm-dd", "1900-01-01"),
        (59, "yyyy-mm-dd", "1900-02-28"),
        (61, "yyyy-mm-dd", "1900-03-01"),
        (-1, "yyyy-mm-dd", "-1"),
        (3e6, "yyyy-mm-dd", "3000000"),
    ],
)
def test_that_dates_and_times_are_shown_by_their_format(value, code, shown):
    assert Formats().text(value, code) == shown


def test_that_days_may_be_counted_from_1904():
    assert Formats(from_1904=True).text(0, "yyyy-mm-dd") == "1904-01-01"
    assert Formats(from_1904=True).text(43830, "yyyy-mm-dd") == "2024-01-01"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.1 + 0.2, "0.3"),
        (1e20, "100000000000000000000"),
        (1e-12, "1E-12"),
        (12345678901234567, "12345678901234600"),
        (0.00001234, "0.00001234"),
        (-2.50, "-2.5"),
        (0.0, "0"),
    ],
)
def test_that_a_number_without_a_format_has_fifteen_digits(value, shown):
    assert plain_number(value) == shown
    assert Formats().text(value, "General") == shown


@given(st.floats(), st.text('0#?.,%/;E+-"\\_*[]@ymdhsAMP/Generalx$€ ', max_size=24))
def test_that_any_code_shows_any_number_in_some_way(value, code):
    assert isinstance(Formats().text(value, code), str)
