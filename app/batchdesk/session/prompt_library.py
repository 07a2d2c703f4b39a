"""Prompts that a person keeps for all projects: one JSON file each in a folder of the user's own.

Stages come in and go out; what is kept is the prompt, its answer and its checks, never rows, a
provider or a key. A file that cannot be read is left where it is and left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from batchdesk import paths
from batchdesk.domain.job import Stage
from batchdesk.errors import UserError

SUFFIX = ".prompt.json"
_NOT_IN_NAMES = re.compile(r'[\s\x00-\x1f<>:"/\\|?*]+')
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class KeptPrompt:
    """A prompt of the library."""

    name: str
    path: Path
    stage: Stage


def library_folder() -> Path:
    """Where the files lie; it may not exist yet."""
    return paths.user_data() / "prompts"


def kept_prompts(folder: Path | None = None) -> list[KeptPrompt]:
    """All that can be read, by name; reads files, so call it in a thread."""
    found = []
    for path in sorted((folder or library_folder()).glob(f"*{SUFFIX}")):
        try:
            stage = Stage.model_validate_json(path.read_text("utf-8"))
        except (OSError, ValueError):  # pydantic's and UTF-8's errors are ValueErrors
            continue
        found.append(KeptPrompt(path.name.removesuffix(SUFFIX), path, stage))
    return found


def keep_prompt(name: str, stage: Stage, folder: Path | None = None) -> KeptPrompt:
    """Keep a prompt under a name; one of that name is replaced.

    Raises:
        UserError: the name says nothing, or the file cannot be written.
    """
    clean = _NOT_IN_NAMES.sub(" ", name).strip(" .")[:_LONGEST].rstrip(" .")
    if not clean:
        raise UserError("Give the prompt a name of letters or digits.")
    place = folder or library_folder()
    path = place / f"{clean}{SUFFIX}"
    draft = path.with_name(path.name + ".new")
    try:
        place.mkdir(parents=True, exist_ok=True)
        draft.write_text(stage.model_dump_json(indent=2, exclude_defaults=True), "utf-8")
        draft.replace(path)
    except OSError as error:
        raise UserError(
            "The prompt cannot be kept in {folder}: {reason}.",
            folder=str(place),
            reason=error.strerror or str(error),
        ) from error
    return KeptPrompt(clean, path, stage)


def forget_prompt(kept: KeptPrompt) -> None:
    """Remove a prompt's file; one that is gone already is fine.

    Raises:
        UserError: it cannot be removed.
    """
    try:
        kept.path.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(
            "The prompt {name} cannot be removed: {reason}.",
            name=kept.name,
            reason=error.strerror or str(error),
        ) from error


def with_kept(stage: Stage, kept: Stage) -> Stage:
    """A stage with the texts, examples, answer and checks of another, and its own name.

    Raises:
        pydantic.ValidationError: they do not fit together.
    """
    taken = {
        name: getattr(kept, name)
        for name in ("system", "user", "examples", "output", "answer_field", "echo_key", "checks")
    }
    return Stage.model_validate(dict(stage) | taken)
