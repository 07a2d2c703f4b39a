"""The limit's panel: requests at once against their limit, why it changed, and what is permitted.

Marks stand where a limit changed; those nearer than 40 pixels are one, named after the weightiest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import USED_OF_TOLD, LimitChange
from batchdesk.gui.models.history import Point
from batchdesk.gui.models.limit_marks import Changes, Group, grouped
from batchdesk.gui.pages.run_panels import LivePanel, Look, curves, named
from batchdesk.gui.theme import Type
from batchdesk.gui.widgets.bars import Meter
from batchdesk.gui.widgets.charts import Mark, Series, Stroke, TimeChart
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.words import MISSING, Words
from batchdesk.gui.words_run import RunWords

_WIDTH = 156
_ALMOST = 0.95  # of a permitted rate: amber from here on
_MOST_DETAILS = 8  # lines of a mark's tool tip


def _near_ceiling(point: Point) -> float | None:
    """The ceiling, only where the limit comes near: else it would press the curves flat."""
    near = point.ceiling > 0 and point.limit * 2 >= point.ceiling
    return float(point.ceiling) if near else None


_CURVES: dict[str, Callable[[Point], float | None]] = {
    "in_flight": lambda point: float(point.in_flight),
    "limit": lambda point: float(point.limit),
    "ceiling": _near_ceiling,
}


class RateMeter(QWidget):
    """How much of a permitted rate is used: name and share, a bar, the figures."""

    def __init__(self, name: str, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._words = name, words
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        line = QHBoxLayout()
        line.addWidget(ElidingLabel(name, Type.LABEL, "text2", least=40))
        line.addStretch(1)
        self.share = ElidingLabel(MISSING, Type.LABEL_MEDIUM, "text", least=40, align=RIGHT)
        line.addWidget(self.share)
        column.addLayout(line)
        self._meter = Meter()
        column.addWidget(self._meter)
        self.figures = ElidingLabel("", Type.LABEL, "text2", least=40)
        column.addWidget(self.figures)

    def refresh(
        self, per_s: float | None, told_per_s: float | None, pace_per_s: float | None = None
    ) -> None:
        """Show a rate and what is permitted.

        Args:
            per_s: What is used; None: not under way.
            told_per_s: The limit as it was told; None: it was not.
            pace_per_s: Learned from refusals; counts where it is below what was told.
        """
        words = self._words
        learned = pace_per_s is not None and (told_per_s is None or pace_per_s < told_per_s)
        most = pace_per_s if learned else told_per_s
        share = min(1.0, per_s / most) if per_s is not None and most else None
        amber = share is not None and share > _ALMOST
        self.share.set_text(words.percent(share) if share is not None else MISSING)
        self.share.set_colour("review" if amber else "text")
        self.figures.set_text(self._said(per_s, most, learned=learned))
        fill = "review.fill" if amber else "running.fill"
        told = f"{self._name}: {self.share.text()} {self.figures.text()}"
        self._meter.set_value(share, told, fill)

    def _said(self, per_s: float | None, most: float | None, *, learned: bool) -> str:
        if per_s is None:
            return ""
        used = self._words.number(per_s * 60)
        if most is None:
            return self.tr("{0}; limit not told").format(used)
        shape = self.tr("{0} of {1} learned") if learned else self.tr("{0} of {1} told")
        return shape.format(used, self._words.number(most * 60))


class LimitPanel(LivePanel):
    """The limit of requests at once, what is in flight, and the permitted rates."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", parent)
        self.set_title(self.tr("Limit and in flight"))
        self._words, self._run_words = words, RunWords(words, self)
        self.chart = TimeChart(
            [
                Series("ceiling", "", "text2", Stroke.DOT, step=True),
                Series("in_flight", "", "teal", fill="teal", step=True),
                Series("limit", "", "running", step=True),
            ],
            words=self.tr("Limit and requests in flight over time"),
        )
        side = QVBoxLayout()
        side.setSpacing(2)
        side.addWidget(ElidingLabel(self.tr("Used of permitted"), Type.LABEL_MEDIUM, "text2"))
        self.tokens = RateMeter(self.tr("Tokens/min"), words)
        self.requests = RateMeter(self.tr("Requests/min"), words)
        side.addWidget(self.tokens)
        side.addWidget(self.requests)
        side.addStretch(1)
        self.place(self.chart, side, _WIDTH)

    def refresh(self, look: Look) -> None:
        """Show a run as it stands, or as it stood."""
        self.chart.set_source(partial(curves, look.history, _CURVES))
        self.chart.set_mark_source(partial(self._marks, look.changes))
        facts, point = look.facts, look.point
        now = facts.snapshot if facts.is_running else None
        pinned = point.pinned if look.at is not None and point else bool(now and now.pinned)
        self.set_subtitle(
            self.tr("requests at once; fixed by you") if pinned else self.tr("requests at once")
        )
        if point is not None:
            number = self._words.number
            limit = self.tr("fixed") if pinned else self.tr("limit")
            self.chart.set_label("limit", named(limit, number(point.limit)))
            self.chart.set_label("in_flight", named(self.tr("in flight"), number(point.in_flight)))
            self.chart.set_label("ceiling", named(self.tr("ceiling"), number(point.ceiling)))
        if look.at is None and now is not None:
            told = (now.told_tokens_per_s, now.told_requests_per_s)
            self._show_rates(now.tokens_per_s, now.requests_per_s, told, now.pace_per_s)
        elif point is not None:  # looking back; of a run that has ended, at its last moment
            told = (
                _told(point.permitted_tokens_per_s),
                _told(point.permitted_requests_per_s),
            )
            self._show_rates(point.tokens_per_s, point.requests_per_s, told, point.pace_per_s)
        else:
            self._show_rates(None, None, (None, None), None)

    def _show_rates(
        self,
        tokens: float | None,
        requests: float | None,
        told: tuple[float | None, float | None],
        pace: float | None,
    ) -> None:
        self.tokens.refresh(tokens, told[0])
        self.requests.refresh(requests, told[1], pace)

    def _marks(self, changes: Changes, gap_s: float) -> Sequence[Mark]:
        return [self.mark(group) for group in grouped(changes.all(), gap_s)]

    def mark(self, group: Group) -> Mark:
        """The mark of a group of changes."""
        words = self._run_words
        return Mark(
            group.at,
            words.mark(group.main),
            words.code(group.main),
            words.colour(group.main),
            self.said(group.changes),
        )

    def said(self, changes: Sequence[LimitChange]) -> str:
        """Changes in words, a line each; the first ones if they are many."""
        lines = [self._run_words.detail(change) for change in changes[:_MOST_DETAILS]]
        more = len(changes) - len(lines)
        if more > 0:
            lines.append(self.tr("and %Ln more", "", more))
        return "\n".join(lines)


def _told(permitted: float | None) -> float | None:
    return None if permitted is None else permitted / USED_OF_TOLD
