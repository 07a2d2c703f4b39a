import pytest

from batchdesk.providers.practice_words import Judgement, judge


@pytest.mark.parametrize(
    ("text", "positive", "negative"),
    [
        ("The screen is great.", 1, 0),
        ("The screen is very great.", 1.5, 0),
        ("The screen is not great.", 0, 1),
        ("It isn't great, but it works.", 1.5, 1),
        ("It isn’t great.", 0, 1),
        ("Not the most helpful people.", 0, 1),  # a negation reaches three words ahead,
        ("Not that the big screen is great.", 1, 0),  # no further
        ("No problems at all.", 1, 0),
        ("The charger broke and support was rude.", 0, 2),
        ("Positive or negative? Delivered on Monday.", 0, 0),
        ("", 0, 0),
        ("质量很好，物流很快", 2, 0),
        ("质量不好，客服敷衍", 0, 2),
        ("没有问题，不喜欢颜色", 1, 1),
        ("正面还是负面，好评还是差评", 0, 0),
    ],
)
def test_that_the_tone_is_counted_word_by_word(text, positive, negative):
    assert judge(text) == Judgement(positive, negative)


def test_that_clarity_grows_with_words_of_one_kind_and_falls_to_zero_at_a_tie():
    assert judge("great but broken").clarity == pytest.approx(0.5 / 2.5 * (1 - 0.3**2.5))
    assert Judgement(1, 1).clarity == 0
    assert Judgement(0, 0).clarity == 0
    assert Judgement(1, 0).clarity == pytest.approx(0.7)
    assert Judgement(3, 0).clarity == pytest.approx(0.973)


def test_that_flipping_turns_the_tone_round_and_a_text_without_tone_friendly():
    assert Judgement(2, 1).flipped() == Judgement(1, 2)
    assert Judgement(1, 1).flipped() == Judgement(2, 1)
