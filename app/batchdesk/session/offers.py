"""What the program offers before any project is open: samples, presets, a look into a file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from batchdesk import credentials, paths, tables
from batchdesk.domain.chat import ChatRequest, Message
from batchdesk.domain.job import ProviderSpec
from batchdesk.errors import UserError
from batchdesk.providers.base import ProviderError
from batchdesk.providers.connect import KEYLESS, choose, connect
from batchdesk.providers.practice_faults import FAULTS
from batchdesk.providers.presets import PRESETS
from batchdesk.session.job_file import read_job_file
from batchdesk.session.keys import look_up_key
from batchdesk.tables.base import ReadOptions

BUILT_IN = frozenset({"local", "practice"})


@dataclass(frozen=True, slots=True)
class Sample:
    """A bundled job with its table. ``name`` is the file's: reviews-en, reviews-zh, orders."""

    name: str
    job_file: Path
    table: Path


@dataclass(frozen=True, slots=True)
class Service:
    """A provider preset for choosing. ``is_built_in``: Batchdesk starts it itself."""

    preset: str
    title: str
    base_url: str | None
    api_key_env: str | None
    is_built_in: bool
    is_model: bool


@dataclass(frozen=True, slots=True)
class TablePeek:
    """The beginning of a file, read with some options.

    Attributes:
        format: name, encoding, separator as they were used.
        rows: The first rows, cells as text or None.
        problems: Kind → count, among these rows.
        size: Bytes of the file.
    """

    format: Mapping[str, Any]
    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    problems: Mapping[str, int]
    size: int


@dataclass(frozen=True, slots=True)
class ProviderTest:
    """A provider answered a small question."""

    seconds: float
    text: str


def samples() -> list[Sample]:
    """The bundled samples."""
    folder = paths.resources() / "samples"
    found = []
    for job_file in sorted(folder.glob("*.toml")):
        table = read_job_file(job_file).data.path
        if table is not None:
            found.append(Sample(job_file.stem, job_file, table))
    return found


def services() -> list[Service]:
    """All provider presets, the built-in ones first."""
    return [
        Service(
            preset=name,
            title=preset.title,
            base_url=preset.base_url,
            api_key_env=preset.api_key_env,
            is_built_in=name in BUILT_IN,
            is_model=preset.capabilities.is_model,
        )
        for name, preset in PRESETS.items()
    ]


def peek_table(path: Path, options: ReadOptions | None = None, *, count: int = 50) -> TablePeek:
    """Read the first rows of a file; blocks, so call it in a thread.

    Raises:
        TableError: the file cannot be read.
    """
    reader = tables.open_reader(path, options)
    try:
        rows = [row for _, row in islice(reader.rows(), count)]
        return TablePeek(
            format=asdict(reader.format),
            columns=tuple(reader.columns),
            rows=tuple(tuple(row) for row in rows),
            problems={kind.value: number for kind, number in reader.problem_counts.items()},
            size=path.stat().st_size,
        )
    finally:
        reader.close()


async def try_provider(spec: ProviderSpec) -> ProviderTest:
    """Ask a provider for one word; costs a few tokens.

    Raises:
        UserError: it did not answer; the sentence carries its own words.
    """
    connection = await connect(choose(spec), look_up_key)
    request = ChatRequest(
        model=connection.model,
        messages=(Message("user", "Answer with the word OK."),),
        idempotency_key=f"batchdesk-test-{time.time_ns()}",
        trace_id="test",
        max_tokens=16,
        timeout_total_s=60.0,
        timeout_read_s=60.0,
    )
    began = time.perf_counter()
    try:
        response = await connection.provider.chat(request)
    except ProviderError as error:
        # Many services close their own words with a full stop.
        reason = error.message.rstrip(".")
        raise UserError("The service did not answer: {reason}.", reason=reason) from error
    finally:
        await connection.provider.close()
    return ProviderTest(time.perf_counter() - began, response.choices[0].text.strip())


def fault_names() -> list[str]:
    """The faults that the practice server can play."""
    return list(FAULTS)


def takes_stored_key(spec: ProviderSpec) -> bool:
    """Whether the keyring is asked for this provider; a server without keys is not asked."""
    preset = PRESETS.get(spec.preset)
    return preset is not None and spec.preset not in BUILT_IN and spec.preset not in KEYLESS


def key_account(spec: ProviderSpec) -> str:
    """The host that a key is kept under; empty without an address. Providers there share it."""
    preset = PRESETS.get(spec.preset)
    url = spec.base_url or (preset.base_url if preset is not None else None)
    try:
        return urlsplit(url or "").netloc
    except ValueError:  # not an address; `check_provider` says so
        return ""


def has_stored_key(spec: ProviderSpec) -> bool:
    """Whether the keyring has a key for this provider; may wait for it, so ask in a thread."""
    account = key_account(spec)
    return (
        bool(account)
        and takes_stored_key(spec)
        and credentials.find_key(account, variable=None, named_by_job=False) is not None
    )


def check_provider(spec: ProviderSpec) -> None:
    """Check a provider without asking it anything.

    Raises:
        UserError: an address or a model that is missing or wrong.
    """
    choose(spec)


def store_key(spec: ProviderSpec, key: str) -> None:
    """Keep the key of a provider in the system's keyring; an empty one forgets it.

    Raises:
        UserError: this computer has no keyring, the provider section is not complete, or the
            keyring would never be asked for this provider's key.
    """
    choice = choose(spec)
    if key and spec.api_key_env is not None:
        raise UserError(
            "The key of {service} is taken from the environment variable {variable}, not from the "
            "keyring. Put it there, or remove the variable's name.",
            service=choice.preset.title,
            variable=spec.api_key_env,
        )
    if key and not takes_stored_key(spec):
        raise UserError(
            "{service} is asked without a key. If yours wants one, put the key into an environment "
            'variable and name it with api_key_env = "…" in [provider].',
            service=choice.preset.title,
        )
    if choice.base_url is not None:
        credentials.store_key(urlsplit(choice.base_url).netloc, key)
