from __future__ import annotations

import json
from dataclasses import replace

import pytest

from batchdesk.cli.main import main
from batchdesk.cli.preview import forecast_table, passes, preview_lines
from batchdesk.session import (
    Choice,
    ConfidenceTest,
    Forecast,
    Gate,
    Gates,
    GateState,
    Preview,
    Range,
    Share,
    Work,
)

PROMISED = Forecast(
    rows=5000, reused=20, too_long=3,
    requests=Range(5000, 5100, 5300), input_tokens=Range(900_000, 1_000_000, 1_100_000),
    output_tokens=Range(90_000, 100_000, 110_000), instructions=400_000,
    micros=Range(1_000_000, 1_250_000, 1_500_000), currency="USD",
    seconds=Range(290, 310, 400), bound_by="requests", instructions_micros=200_000,
)  # fmt: skip
FOUND = Preview(
    id=1, first_run_id=1, second_run_id=2, choice=Choice(), work=Work(5020, 100_000),
    is_finished=True,
    gates=Gates(
        format=Gate(GateState.PASSED, 40, 40), stable=Gate(GateState.FAILED, 18, 20),
        matched=Gate(GateState.NOT_ASKED), unanswered=0,
        stable_fields={"label": Share(18, 20)}, unstable_keys=("7", "9"),
    ),
    evaluation=None, confidence=None, forecast=PROMISED,
)  # fmt: skip


def test_that_a_promise_is_told_with_its_ranges():
    assert forecast_table(PROMISED) == [
        ("requests", "5,100 (5,000 to 5,300)"),
        ("tokens in", "1,000,000 (900,000 to 1,100,000)"),
        ("", "of them 400,000 for the instructions: USD 0.2000"),
        ("tokens out", "100,000 (90,000 to 110,000)"),
        ("cost", "USD 1.2500 (1.0000 to 1.5000)"),
        (
            "time",
            "5 min 10 s (4 min 50 s to 6 min 40 s); by the limit of requests per minute",
        ),
        ("reused", "20 further rows that were answered before"),
        ("left out", "3 too long for the model"),
    ]


def test_that_an_unknown_price_is_said_to_be_unknown():
    table = dict(forecast_table(replace(PROMISED, micros=None, currency=None)))
    assert table["cost"] == "unknown: no price is known for this model"


def test_that_gates_are_told_with_their_counts_and_the_rows_that_differ():
    lines = preview_lines(FOUND, "reviews")
    assert "  format     passed: 40 of 40 answers have the asked form" in lines
    assert "  stable     NOT passed: 18 of 20 rows were answered the same twice" in lines
    assert "  matched    not asked for by this job" in lines
    assert "  differing  7, 9" in lines
    assert not passes(FOUND)
    steady = replace(FOUND.gates, stable=Gate(GateState.PASSED, 20, 20))
    assert passes(replace(FOUND, gates=steady))
    assert not passes(replace(FOUND, gates=replace(steady, unanswered=1)))


def test_that_a_preview_without_an_answer_is_not_passed_and_says_so():
    nothing = Gate(GateState.OPEN)
    gates = replace(FOUND.gates, format=nothing, stable=nothing, unstable_keys=())
    found = replace(FOUND, gates=gates, forecast=None)
    assert not passes(found)
    assert "no row was answered" in preview_lines(found, "reviews")[-1]


@pytest.mark.parametrize(
    ("useless", "line"),
    [
        (True, "  confidence  says nothing about right and wrong here (it was 0.90 to 0.91)"),
        (False, "  confidence  wrong below 0.80: 50% (2 of 4; 95 %: 15% to 85%)"),
    ],
)
def test_that_confidence_is_held_against_correctness(useless, line):
    test = ConfidenceTest(0.8, Share(2, 4), Share(0, 16), 0.9, 0.91, 0.9, is_useless=useless)
    assert line in preview_lines(replace(FOUND, confidence=test), "reviews")


@pytest.fixture
def job(tmp_path):
    rows = "".join(f"{n},It is {'good' if n % 2 else 'bad'} {n}\n" for n in range(1, 31))
    (tmp_path / "reviews.csv").write_text("id,text\n" + rows, encoding="utf-8")
    path = tmp_path / "job.toml"
    path.write_text(
        'name = "reviews"\n[data]\npath = "reviews.csv"\nkey = "id"\n'
        '[provider]\npreset = "practice"\npractice = { latency_s = 0.0 }\n'
        '[[stages]]\nname = "s"\nuser = "{{ text }}"\nanswer_field = "label"\n'
        'output = { type = "object", properties = { label = { enum = ["good", "bad"] } },'
        ' required = ["label"] }\n',
        encoding="utf-8",
    )
    return path


def test_that_the_command_prints_one_json_object(job, tmp_path, capsys):
    project = str(tmp_path / "p.batchdesk")
    assert main(["preview", str(job), "--project", project, "--rows", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] is True
    assert told["gates"]["format"] == {"state": "passed", "right": 10, "of": 10}
    assert told["forecast"]["rows"] == 30
    assert told["runs"] == [1, 2]


def test_that_the_command_says_what_a_run_would_take(job, tmp_path, capsys):
    project = str(tmp_path / "p.batchdesk")
    assert main(["preview", str(job), "--project", project, "--choose", "longest"]) == 0
    told = capsys.readouterr().out
    assert "A full run would send 30 rows and take:" in told
    assert "rows chosen: the longest" in told
    assert told.endswith(f' run "{job}" --project "{project}"\n')  # the project it is kept in


def test_that_a_run_is_held_against_what_the_preview_promised(job, tmp_path, capsys):
    project = str(tmp_path / "p.batchdesk")
    main(["preview", str(job), "--project", project, "--json"])
    capsys.readouterr()
    assert main(["run", str(job), "--project", project]) == 0
    told = capsys.readouterr().out
    assert "Against what the preview promised:" in told
    assert "requests    30 (30 to 33): as promised" in told
    assert main(["run", str(job), "--project", project, "--json"]) == 0
    requests = json.loads(capsys.readouterr().out)["forecast"]["requests"]
    assert (requests["took"], requests["kept"]) == (30, True)


def test_that_a_preview_whose_prompt_fits_no_row_ends_with_what_tells_why(job, tmp_path, capsys):
    job.write_text(
        job.read_text("utf-8").replace("{{ text }}", "{{ text | int // 0 }}"), encoding="utf-8"
    )
    project = tmp_path / "p.batchdesk"
    assert main(["preview", str(job), "--project", str(project)]) == 4
    shown = capsys.readouterr().out
    assert "no row was answered" in shown
    assert f'dead "{project}" --run 1' in shown
    assert "Run all with" not in shown
