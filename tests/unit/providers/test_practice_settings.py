import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.errors import UserError
from batchdesk.providers.practice_faults import FAULTS
from batchdesk.providers.practice_plan import After, Span, Step
from batchdesk.providers.practice_settings import PracticeSettings, arguments, parse_settings


def test_that_options_become_settings():
    words = "--port 8123 --latency 0.5 --latency-sigma 0.3 --rpm 3000 --tpm 90000 --burst 5 --limit-step 1 --count-refused --limit-headers none --slots 10 --faults 500=0.02,reset=0.01 --seed 7 --api-key secret"
    words += " --window sliding --limit-words number --hint 60 --rpm-steps 60:1500,120:3000 --cap 9 --cap-words named"
    words += (
        " --slow-share 0.05 --slow-over 400 --slow-factor 20 --quota-after 500 --revoke-after 30s"
    )
    words += " --outage 10:40,120:5 --outage-mode hang --time-scale 10"
    assert parse_settings(words.split()) == PracticeSettings(
        port=8123,
        latency_s=0.5,
        latency_sigma=0.3,
        rpm=3000,
        tpm=90000,
        burst=5,
        limit_step_s=1,
        count_refused=True,
        limit_headers="none",
        slots=10,
        faults={"500": 0.02, "reset": 0.01},
        seed=7,
        api_key="secret",
        window="sliding",
        limit_words="number",
        hint_s=60,
        rpm_steps=(Step(60, 1500), Step(120, 3000)),
        cap=9,
        cap_words="named",
        slow_share=0.05,
        slow_over=400,
        slow_factor=20,
        quota_after=After(requests=500),
        revoke_after=After(seconds=30),
        outages=(Span(10, 40), Span(120, 5)),
        outage_mode="hang",
        time_scale=10,
    )


def test_that_a_quantum_is_another_name_for_steps():
    assert parse_settings(["--quantum", "1"]).limit_step_s == 1


def test_that_no_options_are_the_defaults():
    assert parse_settings([]) == PracticeSettings()


plan_ends = st.builds(After, requests=st.integers(0, 10**6)) | st.builds(
    After, seconds=st.floats(0, 10**6)
)
settings = st.builds(
    PracticeSettings,
    port=st.integers(0, 65535),
    latency_s=st.floats(0, 600),
    latency_sigma=st.floats(0, 3),
    rpm=st.none() | st.floats(1, 1e6),
    tpm=st.none() | st.integers(1, 10**8),
    burst=st.none() | st.floats(1, 100),
    limit_step_s=st.floats(0, 60),
    count_refused=st.booleans(),
    window=st.sampled_from(["bucket", "sliding"]),
    limit_headers=st.sampled_from(["level", "minute", "none", "lying"]),
    limit_words=st.sampled_from([None, "number", "none"]),
    hint_s=st.none() | st.floats(0, 100),
    rpm_steps=st.lists(st.integers(0, 1000), unique=True, max_size=3).map(
        lambda at: tuple(Step(second, second + 1.5) for second in sorted(at))
    ),
    cap=st.none() | st.integers(1, 100),
    cap_words=st.sampled_from(["number", "named", "none"]),
    slow_share=st.floats(0, 1),
    slow_over=st.none() | st.integers(1, 10_000),
    slow_factor=st.floats(1, 1000),
    quota_after=st.none() | plan_ends,
    revoke_after=st.none() | plan_ends,
    outages=st.lists(st.builds(Span, st.floats(0, 1000), st.floats(0, 1000)), max_size=3).map(
        tuple
    ),
    outage_mode=st.sampled_from(["503", "hang", "refuse"]),
    time_scale=st.floats(0.001, 1000),
    slots=st.none() | st.integers(1, 100),
    faults=st.dictionaries(st.sampled_from(sorted(FAULTS)), st.floats(0, 0.05)),
    seed=st.integers(),
    api_key=st.none() | st.text(),
)


@given(wanted=settings)
def test_that_settings_survive_the_way_over_a_command_line(wanted):
    assert parse_settings(arguments(wanted)) == wanted


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--rpm 0", "The practice server's rpm is 0. Give a value from 1 to 1e+09."),
        ("--latency -1", "The practice server's latency is -1. Give a value from 0 to 600."),
        ("--port 70000", "The practice server's port is 70000. Give a value from 0 to 65535."),
        ("--cap 0", "The practice server's cap is 0. Give a value from 1 to 1e+09."),
        (
            "--time-scale 0",
            "The practice server's time-scale is 0. Give a value from 0.001 to 1000.",
        ),
        (
            "--outage now",
            "The practice server cannot be started so: argument --outage: “now” is not understood. Write it like 10:40,120:5, with numbers from 0 to 1,000,000.",
        ),
        (
            "--latency soon",
            "The practice server cannot be started so: argument --latency: invalid float value: 'soon'.",
        ),
        (
            "--colour red",
            "The practice server cannot be started so: unrecognized arguments: --colour red.",
        ),
    ],
)
def test_that_a_wrong_option_is_told_in_one_sentence(words, sentence):
    with pytest.raises(UserError) as caught:
        parse_settings(words.split())
    assert str(caught.value) == sentence


def test_that_settings_are_checked_however_they_are_made():
    with pytest.raises(UserError, match="knows no fault “oops”"):
        PracticeSettings(faults={"oops": 0.1})
    with pytest.raises(UserError, match="slots is 0"):
        dataclasses.replace(PracticeSettings(), slots=0)


def test_that_words_of_a_refusal_follow_the_headers_unless_said():
    assert PracticeSettings().tells_limits
    assert not PracticeSettings(limit_headers="none").tells_limits
    assert PracticeSettings(limit_headers="none", limit_words="number").tells_limits
    assert not PracticeSettings(limit_words="none").tells_limits
