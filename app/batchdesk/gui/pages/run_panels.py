"""What the live panels of the Run page share: their shape, and what they are shown.

A panel is told to ``refresh`` with a `Look`: a run's history, where it stands, and the moment
that is read if the person looks back. Curves are asked for only when a chart draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import Phases
from batchdesk.gui.models.history import History, Point
from batchdesk.gui.models.limit_marks import Changes
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.theme import NBSP, theme
from batchdesk.gui.widgets.charts import Curves
from batchdesk.gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class Look:
    """What is shown of a run.

    Attributes:
        at: The moment that is read, seconds since the epoch; None: now.
    """

    history: History
    facts: RunFacts
    changes: Changes = field(default_factory=Changes)
    at: float | None = None

    @property
    def point(self) -> Point | None:
        """The figures of the moment that is read, or the latest; None before the first."""
        return self.history.latest if self.at is None else self.history.near(self.at)

    @property
    def phases(self) -> Phases | None:
        """How the time of the run's tasks divides; None if that is not known."""
        if self.facts.snapshot is not None:
            return self.facts.snapshot.phases
        return self.history.latest.phases if self.history.latest else None


class LivePanel(Panel):
    """A panel with a chart at the left and, if it has one, a column of figures beside it."""

    def __init__(self, title: str, subtitle: str, parent: QWidget | None = None) -> None:
        super().__init__(title, subtitle, parent=parent)
        self.body.setContentsMargins(11, 0, 11, 6)
        self._row = QHBoxLayout()
        self._row.setSpacing(12)
        self.add(self._row, 1)

    def place(self, chart: QWidget, side: QVBoxLayout | None = None, width: int = 0) -> None:
        """Put the chart, and a column of a fixed width beside it."""
        self._row.addWidget(chart, 1)
        if side is not None:
            holder = QWidget()
            holder.setFixedWidth(theme().px(width))
            side.setContentsMargins(0, 0, 0, 4)
            holder.setLayout(side)
            self._row.addWidget(holder)


def curves(
    history: History, read: Mapping[str, Callable[[Point], float | None]], *, breaks: bool = True
) -> Curves:
    """A history as curves.

    Args:
        read: How each curve's value is read from a point; None is a gap.
        breaks: Whether lines break where the run rested.
    """
    lines = history.lines() if breaks else [(point.at, point) for point in history.points()]
    return Curves(
        [at for at, _ in lines],
        {
            key: [
                math.nan if point is None or (value := one(point)) is None else value
                for _, point in lines
            ]
            for key, one in read.items()
        },
    )


def named(name: str, figure: str) -> str:
    """The word at a curve's end: name and figure, which stay together."""
    return f"{name}{NBSP}{NBSP}{figure}"
