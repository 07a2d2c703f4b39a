import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from batchdesk.errors import UserError
from batchdesk.providers import child
from batchdesk.providers.child import ChildAddress, ChildFailed, ChildServer, child_command

# A child as small as can be: says its port and waits for the end of its input.
GOOD = """
import sys
from batchdesk.providers.child import announce, watch_parent
watch_parent()
announce(4321)
import time
time.sleep(60)
"""
# Ends only by force: deaf to the end of its input and to a polite request.
STUBBORN = """
import signal, time
from batchdesk.providers.child import announce
signal.signal(signal.SIGTERM, signal.SIG_IGN)
announce(4321)
time.sleep(60)
"""
PARENT = """
import asyncio, sys
from batchdesk.providers.child import ChildServer
async def main():
    server = ChildServer([sys.executable, "-c", sys.argv[1]])
    await server.start(20)
    print(server.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_that_a_child_tells_its_port_and_ends_with_its_input():
    server = ChildServer(python(GOOD))
    address = await server.start(20)
    assert address == ChildAddress(4321)
    assert address.base_url == "http://127.0.0.1:4321"
    assert server.address == address
    before = server.alive
    began = time.monotonic()
    await server.stop()
    assert time.monotonic() - began < 1.5
    assert (before, server.alive) == (True, False)
    assert server.exit_code == 0


async def test_that_async_with_starts_and_stops():
    async with ChildServer(python(GOOD)) as server:
        assert server.alive
    assert not server.alive


async def test_that_stop_may_be_called_twice_and_before_any_start():
    server = ChildServer(python(GOOD))
    await server.stop()
    await server.stop()
    with pytest.raises(ChildFailed, match="already started or stopped"):
        await server.start(1)
    assert server.pid is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to be deaf to")
async def test_that_a_stubborn_child_is_ended_by_force(monkeypatch):
    monkeypatch.setattr(child, "STOP_WAIT_S", 0.2)
    server = ChildServer(python(STUBBORN))
    await server.start(20)
    await server.stop()
    assert server.exit_code == -signal.SIGKILL


async def test_that_a_child_that_fails_to_start_gives_one_sentence_with_its_reason():
    server = ChildServer(python("import a_module_that_is_not_there"))
    with pytest.raises(ChildFailed) as caught:
        await server.start(20)
    assert isinstance(caught.value, UserError)
    assert str(caught.value) == (
        "The helper server could not start: "
        "ModuleNotFoundError: No module named 'a_module_that_is_not_there'"
    )
    assert server.last_words.startswith("Traceback (most recent call last):")
    assert not server.alive


async def test_that_a_silent_end_is_told_with_its_exit_code():
    with pytest.raises(ChildFailed, match=r"it ended with exit code 7 and gave no reason\."):
        await ChildServer(python("raise SystemExit(7)")).start(20)


async def test_that_a_program_that_is_not_there_is_told():
    with pytest.raises(ChildFailed, match=r"could not start: .*no-such-program"):
        await ChildServer(["/no-such-program"]).start(5)


async def test_that_a_child_that_never_listens_is_stopped_and_told():
    server = ChildServer(python("import sys; sys.stdin.read()"))
    with pytest.raises(ChildFailed, match=r"not ready after 0\.3 s and was stopped"):
        await server.start(0.3)
    assert not server.alive


async def test_that_a_cancelled_start_leaves_no_child():
    server = ChildServer(python("import sys; sys.stdin.read()"))
    starting = asyncio.create_task(server.start(30))
    for _ in range(500):
        if server.pid is not None:
            break
        await asyncio.sleep(0.01)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert not server.alive


async def test_that_a_child_never_blocks_on_its_output_and_only_the_last_lines_are_kept():
    noisy = f"""
import sys
for n in range(20000):
    sys.stderr.write(f"line {{n}} " + "x" * 50 + "\\n")
    sys.stdout.write("not a port\\n")
sys.stderr.write("y" * 100_000 + "\\n")
sys.stdout.flush()
{GOOD}
"""
    async with ChildServer(python(noisy)) as server:
        assert server.address.port == 4321
        assert len(server.last_words.splitlines()) == 20
        assert len(server.last_words) < 20 * 2001


async def test_that_an_ended_child_is_seen():
    async with ChildServer(
        python("from batchdesk.providers.child import announce; announce(1)")
    ) as server:
        for _ in range(200):
            if not server.alive:
                break
            await asyncio.sleep(0.02)
        assert not server.alive
        assert server.exit_code == 0


def test_that_it_works_on_any_event_loop_in_any_thread():
    uvloop = pytest.importorskip("uvloop")

    async def story() -> int:
        async with ChildServer(python(GOOD)) as server:
            return server.address.port

    def closed(loop_factory: Callable[[], asyncio.AbstractEventLoop]) -> int:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(story())

    assert closed(uvloop.new_event_loop) == 4321
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(closed, uvloop.new_event_loop).result(30) == 4321
        assert pool.submit(closed, asyncio.new_event_loop).result(30) == 4321


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for the child in /proc")
def test_that_the_child_ends_when_its_parent_is_killed():
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, GOOD],
        stdout=subprocess.PIPE,
        env=child.child_environment(),
    )
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
        parent.wait()
    until = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(pid)


def test_that_the_command_line_names_the_module_or_the_frozen_program(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    assert child_command("practice", "--rpm", "60") == [
        "/usr/bin/python3", "-m", "batchdesk", "child", "practice", "--rpm", "60",
    ]  # fmt: skip
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/batchdesk/batchdesk")
    assert child_command("practice") == ["/opt/batchdesk/batchdesk", "child", "practice"]


def test_that_the_environment_leads_to_the_package_and_takes_additions(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    env = child.child_environment({"OMP_WAIT_POLICY": "passive"})
    assert env["OMP_WAIT_POLICY"] == "passive"
    assert env["PYTHONPATH"].endswith(os.pathsep + "elsewhere")
    assert (Path(env["PYTHONPATH"].split(os.pathsep)[0]) / "batchdesk" / "errors.py").is_file()
    assert env["PATH"] == os.environ["PATH"]
