import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.errors import UserError
from batchdesk.providers.practice_faults import FAULTS
from batchdesk.providers.practice_settings import PracticeSettings, arguments, parse_settings


def test_that_options_become_settings():
    words = "--port 8123 --latency 0.5 --latency-sigma 0.3 --rpm 3000 --tpm 90000 --burst 5 --limit-step 1 --count-refused --limit-headers none --slots 10 --faults 500=0.02,reset=0.01 --seed 7 --api-key secret"
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
    )


def test_that_no_options_are_the_defaults():
    assert parse_settings([]) == PracticeSettings()


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
    limit_headers=st.sampled_from(["level", "minute", "none"]),
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
