from __future__ import annotations

import logging
import threading

from batchdesk import logs, paths
from batchdesk.logs import ATTEMPTS, open_logs


def test_that_warnings_and_attempts_have_a_file_each(tmp_path, capsys):
    folder = tmp_path / "of" / "logs"
    with open_logs(folder):
        logging.getLogger("batchdesk.engine.x").error("it broke")
        logging.getLogger("batchdesk.engine.x").info("it goes on")
        logging.getLogger(ATTEMPTS).info('{"task": 1}')
    general = (folder / "batchdesk.log").read_text(encoding="utf-8")
    assert general.endswith("ERROR batchdesk.engine.x: it broke\n")
    assert "it goes on" not in general
    assert "task" not in general
    assert (folder / "attempts.jsonl").read_text(encoding="utf-8") == '{"task": 1}\n'
    assert capsys.readouterr().err == "it broke\n"


def test_that_an_error_is_written_with_its_stack(tmp_path):
    with open_logs(tmp_path):
        try:
            {"y": 1}["x"]
        except KeyError:
            logging.getLogger("batchdesk.y").exception("a bug")
    assert "test_logs.py" in (tmp_path / "batchdesk.log").read_text(encoding="utf-8")


def test_that_nothing_is_left_behind_when_the_logs_are_closed(tmp_path):
    threads = threading.active_count()
    with open_logs(tmp_path):
        assert logging.getLogger(ATTEMPTS).isEnabledFor(logging.INFO)
        assert threading.active_count() == threads + 2
    assert threading.active_count() == threads
    assert not logging.getLogger(ATTEMPTS).isEnabledFor(logging.INFO)
    assert logging.getLogger(ATTEMPTS).propagate
    for name in ("batchdesk", ATTEMPTS):
        assert logging.getLogger(name).handlers == []
    assert list(tmp_path.iterdir()) == []


def test_that_files_are_kept_to_a_size_and_a_number(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "_BYTES", 1000)
    with open_logs(tmp_path):
        for number in range(200):
            logging.getLogger(ATTEMPTS).info("%s", f"{number:099d}")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["attempts.jsonl", *(f"attempts.jsonl.{n}" for n in (1, 2, 3))]
    assert all(path.stat().st_size <= 1000 for path in tmp_path.iterdir())
    assert int((tmp_path / "attempts.jsonl").read_text(encoding="utf-8").split()[-1]) == 199


def test_that_a_file_that_cannot_be_renamed_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "_BYTES", 300)
    (tmp_path / "attempts.jsonl.1").mkdir()
    (tmp_path / "attempts.jsonl.1" / "in the way").touch()
    with open_logs(tmp_path):
        for number in range(10):
            logging.getLogger(ATTEMPTS).info("%s", f"{number:099d}")
    lines = (tmp_path / "attempts.jsonl").read_text(encoding="utf-8").split()
    assert int(lines[-1]) == 9


def test_that_a_folder_that_cannot_be_made_costs_nothing_but_the_log(tmp_path, capsys):
    (tmp_path / "file").touch()
    with open_logs(tmp_path / "file" / "logs"):
        logging.getLogger(ATTEMPTS).info("lost")
    assert capsys.readouterr().err == ""


def test_that_the_folder_can_be_named_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("BATCHDESK_LOGS", str(tmp_path))
    assert paths.logs() == tmp_path
    monkeypatch.delenv("BATCHDESK_LOGS")
    assert "Batchdesk" in paths.logs().parts


def test_that_a_disk_that_does_not_keep_up_holds_nobody_up(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "_MOST_QUEUED", 5)
    written, may_write = [], threading.Event()

    def slow_emit(_self, record):
        may_write.wait(10)
        written.append(record.getMessage())

    monkeypatch.setattr(logs._File, "emit", slow_emit)
    with open_logs(tmp_path):
        for number in range(100):
            logging.getLogger(ATTEMPTS).info("%s", number)
        may_write.set()
    assert 4 <= len(written) <= 6  # one in the writer's hands, five queued, one given up at the end
    assert [int(one) for one in written] == sorted(int(one) for one in written)
    assert int(written[-1]) <= 6
