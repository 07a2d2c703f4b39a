"""No terminal takes what is printed for commands, and no stream ends a command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import batchdesk as batchdesk_package
from batchdesk.cli.main import main
from batchdesk.cli.terminal import plain, show, show_json

APP = Path(batchdesk_package.__file__).parents[1]


def batchdesk(words, folder, *, shell=None, **environment):
    """The real program, its exit code and output in bytes; ``shell`` follows it on its line."""
    command = [sys.executable, "-m", "batchdesk", *words]
    if shell is not None:
        command = ["bash", "-c", f'set -o pipefail; "$@" {shell}', "bash", *command]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(APP), **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def job(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "job.toml").write_text(
        'name = "评论 \\u001b[31m"\n[data]\npath = "t.csv"\n[provider]\npreset = "practice"\n'
        'practice = {latency_s = 0}\n[[stages]]\nname = "s"\nuser = "{{ a }}"\n',
        encoding="utf-8",
    )
    return tmp_path


def test_that_control_characters_are_not_printed(capsys):
    assert plain("a\x1b[31mb\x9bc\r\n\td\x00") == "a[31mbc d"
    show("one\x1b]0;title\x07", "two\nthree")
    assert capsys.readouterr().out == "one]0;title\ntwo three\n"
    show_json({"name": "a\x9b评"})
    printed = capsys.readouterr().out
    assert "\x9b" not in printed
    assert json.loads(printed) == {"name": "a\x9b评"}


def test_that_no_line_prints_nothing_and_an_empty_one_a_blank(capsys):
    show()
    assert capsys.readouterr().out == ""
    show("")
    assert capsys.readouterr().out == "\n"


def test_that_a_stream_without_chinese_letters_or_utf_8_gets_them_escaped(job):
    done = batchdesk(["run", "job.toml", "--json"], job, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["job"] == "评论 \x1b[31m"
    done = batchdesk(["status", "job.batchdesk"], job, PYTHONIOENCODING="ascii")
    assert b"\\u8bc4\\u8bba [31m: run 1, finished" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="bash redirects the streams")
@pytest.mark.parametrize("shell", ["| true", ">&-", "2>&-", "<&-", "<&- >&- 2>&-", "2>&1 | true"])
def test_that_streams_that_are_closed_or_not_read_end_no_command(job, shell):
    done = batchdesk(["run", "job.toml"], job, shell=shell)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["resume", "p.batchdesk", "--run", str(2**63)], f"--run: {2**63} is too large a number"),
        (["status", "x" * 300], "is too long. Choose a shorter one."),
    ],
)
def test_that_numbers_and_names_beyond_what_can_be_are_mistakes(words, sentence, capsys):
    try:
        code: object = main(words)
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert sentence in capsys.readouterr().err
