"""The error tree: what a person is told, apart from what is a bug.

::

    BatchdeskError
    ├── UserError             something the person can mend; its sentence is shown as it is
    │   ├── JobFileError      a job file that cannot be used
    │   ├── TableError        a file that cannot be read or written
    │   └── ProjectError      a project file that cannot be opened, locked or written
    │       └── StorageFullError  the disk or the file's limit is full; nothing is lost
    └── ProviderError         a request that failed, with its ErrorKind (in providers.base)

Anything that is not a BatchdeskError is a bug and reaches the crash report.
"""

from __future__ import annotations

from typing import Any


class BatchdeskError(Exception):
    """Everything that Batchdesk raises on purpose."""


class UserError(BatchdeskError):
    """A sentence for the person: what happened and what to do.

    Args:
        template: The sentence in English, with ``{name}`` fields. It is also the key under which
            a translation is found.
        params: Values for the fields. Words among them that are to be translated too are a Phrase.
    """

    def __init__(self, template: str, /, **params: Any) -> None:
        self.template = template
        self.params = params
        super().__init__(template.format(**params) if params else template)


class Phrase:
    """A part of a UserError's sentence, such as a hint, translated by a template of its own."""

    def __init__(self, template: str, /, **params: Any) -> None:
        self.template = template
        self.params = params

    def __str__(self) -> str:
        return self.template.format(**self.params) if self.params else self.template


class JobFileError(UserError):
    """A job file that cannot be used as it is."""


class TableError(UserError):
    """A table that cannot be read or written."""


class ProjectError(UserError):
    """A project file that cannot be opened, locked or written."""


class StorageFullError(ProjectError):
    """No space left for the project file. What was committed before is safe."""
