"""The separator is the one that gives records of one width."""

import pytest

from batchdesk.tables.separator import guess_separator, separator_hint


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_that_each_separator_is_found(separator):
    head = "\n".join(separator.join(cells) for cells in ("abc", "123", "456")) + "\n"
    assert guess_separator(head, whole=True) == separator


@pytest.mark.parametrize(
    ("head", "separator"),
    [
        ("preis;menge\n1,50;2,5\n3,25;1,0\n", ";"),
        ('id,text\n1,"a;b;c"\n2,"d|e;f"\n', ","),
        ("id\ttext\n1\tone, two, three\n2\tfour, five\n", "\t"),
        ('id;text\n1;"a\nb,c\nd"\n2;x\n', ";"),
        ("id,a;b\n1,2\n3,4\n", ","),
        ("a,b\n1,2\n3\n4,5,6\n7,8\n", ","),
        ("a;b\r1;2\r3;4\r", ";"),
        ("Report of May\nid,text,label\n1,x,y\n2,z,w\n", ","),
    ],
)
def test_that_other_separators_within_the_cells_do_not_mislead(head, separator):
    assert guess_separator(head, whole=True) == separator


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_that_a_first_text_longer_than_the_sample_hides_no_separator(separator):
    head = f'id{separator}text\n1{separator}"' + "one, two; three\n" * 20_000
    assert guess_separator(head, whole=False) == separator


def test_that_a_table_of_one_column_is_comma_separated():
    assert guess_separator("text\ngood\nbad\n", whole=True) == ","
    assert guess_separator("text", whole=True) == ","


def test_that_the_texts_of_a_single_column_are_not_torn_at_their_commas():
    head = "text\nwell, well, well\nnice\nso, so\n"
    assert guess_separator(head, whole=True) == ";"


def test_that_a_record_cut_by_the_samples_end_does_not_count():
    assert guess_separator('a;b\n1;2\n3;"x,y,z\n,,', whole=False) == ";"


def test_that_a_tab_is_preferred_when_the_suffix_says_so():
    assert guess_separator("text\ngood\n", whole=True, default="\t") == "\t"
    assert guess_separator("a,b\tc\n1,2\t3\n", whole=True, default="\t") == "\t"


def test_that_excels_separator_line_is_believed():
    assert separator_hint("sep=;\r\na;b\r\n") == ";"
    assert separator_hint("a;b\r\n") is None
    assert guess_separator("sep=|\na|b,c\n1|2,3\n", whole=True) == "|"
