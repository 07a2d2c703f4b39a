import asyncio
import subprocess
import sys

import pytest

from batchdesk.runtime import allow_many_files, loop_factory

LIMITS = """
import resource, sys
from batchdesk.runtime import allow_many_files
soft, hard = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
allow_many_files()
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_that_the_loop_runs():
    async def answer() -> int:
        await asyncio.sleep(0)
        return 42

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        assert runner.run(answer()) == 42


def test_that_the_loop_is_uvloops_where_it_exists():
    uvloop = pytest.importorskip("uvloop")
    factory = loop_factory()
    assert factory is not None
    loop = factory()
    assert isinstance(loop, uvloop.Loop)
    loop.close()


def test_that_without_uvloop_asyncios_own_loop_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert loop_factory() is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "allowed"),
    [(100, 200, "200 200"), (100, 8192, "8192 8192"), (200, 200, "200 200")],
)
def test_that_the_limit_of_open_files_is_raised_as_far_as_allowed(soft, hard, allowed):
    done = subprocess.run(
        [sys.executable, "-c", LIMITS, str(soft), str(hard)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == allowed


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_that_a_system_that_refuses_is_no_error(monkeypatch):
    import resource

    def refuse(_what: int, _limits: tuple[int, int]) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _what: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    allow_many_files()
