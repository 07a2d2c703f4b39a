"""Runs every check of the project in a virtual environment of its own.

Called by `test.sh` and `test.ps1` with a Python that is new enough. All checks run even if an
early one fails; pytest runs last, so that its summary closes the output, with the arguments given.
The exit code is zero only if everything passed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from environment import (
    CHECKOUT,
    Environment,
    SetupError,
    clean_variables,
    ensure,
    environment,
    prepare_process,
    step,
)

CHECKS: tuple[tuple[str, ...], ...] = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("mypy",),
    ("lint-imports",),
)
# On all cores, but not so many that the tests of the real program wait for each other; the tests of
# one file stay together, for the servers that they share.
IN_PARALLEL = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")


def main(arguments: Sequence[str]) -> int:
    """Installs what is missing, runs the checks and then pytest; returns the exit code."""
    tools = environment(".venv-dev", "requirements-dev.lock", "BATCHDESK_DEV_VENV")
    try:
        python = ensure(tools)
        failed = [" ".join(check) for check in CHECKS if not passes(tools, check)]
        print(f"Failed: {', '.join(failed)}." if failed else "These checks passed.", flush=True)
        tests = subprocess.run(  # noqa: S603 - the environment's own Python
            [str(python), "-m", "pytest", *IN_PARALLEL, *arguments],
            check=False,
            cwd=CHECKOUT,
            env=clean_variables(),
        )
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return tests.returncode or (1 if failed else 0)


def passes(tools: Environment, check: Sequence[str]) -> bool:
    """Whether a check passes; what it says is shown if it does not."""
    name, *options = check
    with step(" ".join(check)):
        done = subprocess.run(  # noqa: S603 - one of CHECKS
            [str(tools.tool(name)), *options],
            check=False,
            cwd=CHECKOUT,
            env=clean_variables(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    if done.returncode != 0:
        print(done.stdout.decode("utf-8", "replace"), end="", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    prepare_process()
    sys.exit(main(sys.argv[1:]))
