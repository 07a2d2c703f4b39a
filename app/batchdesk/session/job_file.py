"""Reads a job file: TOML in, a Job out, and every mistake in one sentence that says where."""

from __future__ import annotations

import difflib
import tomllib
import typing
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pydantic
from pydantic_core import ErrorDetails

from batchdesk.domain.job import Job, Spec
from batchdesk.errors import JobFileError, Phrase
from batchdesk.session.job_lines import Location, bare_key, line_of, nearest_line

# What a key takes, by pydantic's type of error.
_TAKES = {
    "string_type": Phrase("it takes text in quotes"),
    "int_type": Phrase("it takes a whole number"),
    "int_parsing": Phrase("it takes a whole number"),
    "int_from_float": Phrase("it takes a whole number"),
    "float_type": Phrase("it takes a number"),
    "float_parsing": Phrase("it takes a number"),
    "finite_number": Phrase("it takes a number with an end"),
    "bool_type": Phrase("it takes true or false"),
    "bool_parsing": Phrase("it takes true or false"),
    "tuple_type": Phrase("it takes a list in [brackets]"),
    "dict_type": Phrase("it takes a table"),
    "model_type": Phrase("it takes a table"),
    "model_attributes_type": Phrase("it takes a table"),
    "path_type": Phrase("it takes a path as text in quotes"),
    "string_too_short": Phrase("it must not be empty"),
    "too_short": Phrase("it must not be empty"),
}


# The key that tells parts of a list apart.
_TAGS = {"stages": "kind", "clean": "step"}


def read_job_file(path: Path) -> Job:
    """The job; its data path is made relative to the job file's folder.

    Raises:
        JobFileError: not readable, not TOML, or not a job; the sentence names the first mistake.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise JobFileError("There is no job file {path}.", path=path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise JobFileError(
            "The job file {path} cannot be read: {reason}.", path=path, reason=_reason(error)
        ) from error
    return parse_job(text, path.name, path.parent)


def parse_job(text: str, name: str, folder: Path) -> Job:
    """The job in a text; ``folder`` is what its data path is relative to.

    Raises:
        JobFileError: the text is not TOML or not a job.
    """
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_toml(error, text, name) from error
    try:
        job = Job.model_validate(values)
    except pydantic.ValidationError as error:
        raise _mistake(error.errors(), text, name) from error
    if len(job.stages) > 1:
        raise JobFileError(
            "{name} has {count} stages; this version of Batchdesk runs jobs of one stage. Put each "
            "stage into a job of its own.",
            name=name,
            count=len(job.stages),
        )
    if job.data.path is None:
        return job
    data = job.data.model_copy(update={"path": folder / job.data.path})
    return job.model_copy(update={"data": data})


def _no_toml(error: Exception, text: str, name: str) -> JobFileError:
    if isinstance(error, RecursionError):
        return JobFileError("{name} is not valid TOML: it is nested too deeply.", name=name)
    if (bare := bare_key(text, str(error))) is not None:
        line, key = bare
        return JobFileError(
            "{where}: the name {key} needs quotes, for it has other characters than A to Z, a to "
            "z, 0 to 9, - and _: write {quoted}.",
            where=Phrase("{name}, line {line}", name=name, line=line),
            key=key,
            quoted=f'"{key}"',
        )
    return JobFileError("{name} is not valid TOML: {reason}.", name=name, reason=error)


def _mistake(errors: Sequence[ErrorDetails], text: str, name: str) -> JobFileError:
    # A misspelt key is also a missing one; the misspelling is what helps.
    error = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    location = _without_tags(error["loc"])
    line = line_of(text, location)
    if line is None and location:
        line = nearest_line(text, location[:-1])
    where = Phrase("{name}, line {line}", name=name, line=line) if line else name
    match error["type"]:
        case "extra_forbidden":
            return _unknown_key(location, _known_keys(error["loc"][:-1]), where)
        case "missing":
            return _missing_key(location, where)
        case "union_tag_not_found":
            return _missing_key((*location, _TAGS[str(location[0])]), where)
        case "union_tag_invalid":
            return _unknown_kind(location, error, where)
        case "tuple_type" if location == ("clean",):
            return JobFileError(
                "{where}: write [[clean]] with two brackets on each side; every such table is one "
                "step.",
                where=where,
            )
        case "tuple_type" if location == ("stages",):
            return JobFileError(
                "{where}: write [[stages]] with two brackets on each side; every such table is "
                "one stage.",
                where=where,
            )
        case _:
            return _wrong_value(location, error, where)


def _unknown_key(location: Location, known: Sequence[str], where: Phrase | str) -> JobFileError:
    key = str(location[-1])
    near = difflib.get_close_matches(key.casefold(), known, 1, 0.5)
    return JobFileError(
        "{where}: {key!r} is not a key of {place}. {hint}",
        where=where,
        key=key,
        place=_place(location[:-1]),
        hint=(
            Phrase("Did you mean {near}?", near=repr(near[0]))
            if near
            else Phrase("Known there: {known}.", known=", ".join(known))
        ),
    )


def _missing_key(location: Location, where: Phrase | str) -> JobFileError:
    return JobFileError(
        "{where}: {place} needs a key {key!r}.",
        where=where,
        place=_place(location[:-1]),
        key=str(location[-1]),
    )


def _unknown_kind(location: Location, error: ErrorDetails, where: Phrase | str) -> JobFileError:
    context = error.get("ctx", {})
    kind = str(context["tag"])
    known = [word.strip(" '") for word in str(context["expected_tags"]).split(",")]
    near = difflib.get_close_matches(kind.casefold(), known, 1, 0.5)
    hint = (
        Phrase("Did you mean {near}?", near=repr(near[0]))
        if near
        else Phrase("Known kinds: {known}.", known=", ".join(known))
    )
    if location[0] == "clean":
        return JobFileError(
            "{where}: there is no cleaning step {kind!r}. {hint}", where=where, kind=kind, hint=hint
        )
    return JobFileError(
        "{where}: {kind!r} is not a kind of check in {place}. {hint}",
        where=where,
        kind=kind,
        place=_place(location),
        hint=hint,
    )


def _wrong_value(location: Location, error: ErrorDetails, where: Phrase | str) -> JobFileError:
    told = error["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    reason = _TAKES.get(error["type"]) or told
    if not location or isinstance(location[-1], int):
        return JobFileError(
            "{where}: {place}: {reason}.", where=where, place=_place(location), reason=reason
        )
    return JobFileError(
        "{where}: {key!r} in {place}: {reason}.",
        where=where,
        key=location[-1],
        place=_place(location[:-1]),
        reason=reason,
    )


def _without_tags(location: Location) -> Location:
    """Without the kind that pydantic puts after a check's number; no file has a table for it."""
    match location:
        case ("stages", int(), "checks", int(), str(), *rest):
            return (*location[:4], *rest)
        case ("clean", int(), str(), *rest):
            return (*location[:2], *rest)
        case _:
            return location


def _place(location: Location) -> Phrase | str:
    """A table of the file: ``[limits]``, ``[stages 1.checks 2]``, the top level."""
    parts: list[str] = []
    for part in location:
        if isinstance(part, int):
            parts[-1] = f"{parts[-1]} {part + 1}"
        else:
            parts.append(part)
    return f"[{'.'.join(parts)}]" if parts else Phrase("the top level")


def _known_keys(location: Location) -> list[str]:
    """The keys that are allowed where the location, kinds of checks included, leads."""
    known: list[type[Spec]] = [Job]
    for part in location:
        if isinstance(part, int):
            continue
        tagged = [spec for spec in known if _tag(spec) == part]
        known = tagged or _below(known, part)
    return sorted({name for spec in known for name in spec.model_fields})


def _below(specs: Sequence[type[Spec]], name: str) -> list[type[Spec]]:
    return [
        found
        for spec in specs
        if name in spec.model_fields
        for found in _specs_in(spec.model_fields[name].annotation)
    ]


def _specs_in(annotation: Any) -> list[type[Spec]]:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return [annotation]
    return [found for part in typing.get_args(annotation) for found in _specs_in(part)]


def _tag(spec: type[Spec]) -> str | None:
    """The ``kind`` or ``step`` that chooses this part among several."""
    for name in _TAGS.values():
        if (field := spec.model_fields.get(name)) is not None:
            return str(typing.get_args(field.annotation)[0])
    return None


def _reason(error: Exception) -> Phrase | str:
    if isinstance(error, UnicodeDecodeError):
        return Phrase("it is not UTF-8 text")
    return str(getattr(error, "strerror", None) or error)
