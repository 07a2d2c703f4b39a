"""Projects made for a test, and processes of their own that open them."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import batchdesk
from batchdesk.store.project import Project

APP = Path(batchdesk.__file__).parent.parent


async def made(path):
    project = await Project.open(path, create=True)
    await project.close()


def child(code, *arguments, **options):
    """Start Python code in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(APP), "PYTHONDONTWRITEBYTECODE": "1"},
        **options,
    )


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
