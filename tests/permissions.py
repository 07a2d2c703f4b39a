"""Lets file permissions bind a process of the administrator, who may else read and write anything.

On Linux that power is three capabilities: a thread can lay them down for a while, and a child can
be started without them. Where neither is possible, or needed, the test is told.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pytest

T = TypeVar("T")

_OVERRIDE, _READ_SEARCH, _OWNER = 1, 2, 3  # CAP_DAC_OVERRIDE and its like in capabilities(7)
_PR_CAPBSET_DROP = 24
_VERSION_3 = 0x20080522  # of the structures of capget(2), with two words for each set


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Data(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable"))


@contextmanager
def bound() -> Iterator[None]:
    """While the context lasts, permissions bind this thread; skips the test where they cannot."""
    if sys.platform == "win32":
        pytest.skip("needs permission bits")
    if os.geteuid() != 0:
        yield
        return
    before = _capabilities()
    powers = sum(1 << power for power in (_OVERRIDE, _READ_SEARCH, _OWNER))
    _set_effective(before & ~powers)
    try:
        yield
    finally:
        _set_effective(before)


def with_bound_children(call: Callable[[], T]) -> T:
    """Call in a thread that gave up the power to write anywhere; its children cannot regain it.

    They may still read anything: the interpreter may lie in a folder that is another user's own.
    """
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_give_up).result()
        return thread.submit(call).result()


def _give_up() -> None:
    """For good, which is why the thread must end; a set of limits belongs to one thread."""
    if sys.platform == "win32":
        pytest.skip("needs permission bits")
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for power in (_OVERRIDE, _OWNER):
        if not sys.platform.startswith("linux") or libc.prctl(_PR_CAPBSET_DROP, power, 0, 0, 0):
            pytest.skip("the administrator's powers cannot be given up here")


def _capabilities() -> int:
    """The low word of this thread's effective set, where the three are."""
    return int(_get()[0].effective)


def _get() -> ctypes.Array[_Data]:
    data = (_Data * 2)()
    _call("capget", data)
    return data


def _set_effective(low_word: int) -> None:
    data = _get()
    data[0].effective = low_word
    _call("capset", data)


def _call(name: str, data: ctypes.Array[_Data]) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("the administrator's powers can be laid down on Linux alone")
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    if function(ctypes.byref(_Header(_VERSION_3, 0)), data):
        pytest.skip(f"{name} is not permitted: {os.strerror(ctypes.get_errno())}")
