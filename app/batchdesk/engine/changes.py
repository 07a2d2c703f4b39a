"""Changes of limits on their way to the screen and into the project file, each exactly once."""

from __future__ import annotations

from batchdesk.domain.snapshot import LimitChange


class ChangeLog:
    """Two readers, each of which gets every change once; ``at`` is in epoch seconds."""

    def __init__(self) -> None:
        self._to_show: list[LimitChange] = []
        self._to_keep: list[LimitChange] = []

    def add(self, change: LimitChange) -> None:
        """One more."""
        self._to_show.append(change)
        self._to_keep.append(change)

    def take_shown(self) -> tuple[LimitChange, ...]:
        """Those since the last snapshot that was shown."""
        taken, self._to_show = tuple(self._to_show), []
        return taken

    def take_kept(self) -> tuple[LimitChange, ...]:
        """Those since the last line of figures that was kept."""
        taken, self._to_keep = tuple(self._to_keep), []
        return taken
