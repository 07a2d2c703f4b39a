"""The lower panel of the Run page: tasks under way, where the time goes, or looking back.

Looking back reads the figures of any moment of the run, by a slider or by pointing at a chart.
"""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QStackedWidget, QVBoxLayout, QWidget

from batchdesk.domain.snapshot import Phases
from batchdesk.domain.task import TaskState
from batchdesk.gui.models.flights import DOING, LANE, ROW, STATE, TRY, WAITED, FlightsModel
from batchdesk.gui.models.history import Point
from batchdesk.gui.models.limit_marks import grouped
from batchdesk.gui.pages.run_facts import RunFacts
from batchdesk.gui.pages.run_panels import Look
from batchdesk.gui.theme import NBSP, ROW_DENSE_H, Type, theme
from batchdesk.gui.widgets.buttons import Segments
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.phases import Phase, PhasesBar
from batchdesk.gui.widgets.table import TableView
from batchdesk.gui.words import Words
from batchdesk.gui.words_run import RunWords

_STEPS = 1000  # of the slider
_NEAR_S = 5.0  # changes so near to the moment that is read are told


class Flights(QWidget):
    """Tasks under way and what each waits for."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._due = False
        self.model = FlightsModel(words, self)
        self.table = TableView(ROW_DENSE_H)
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Tasks in flight"))
        self.table.set_columns({ROW: 130, LANE: 70, STATE: 130, WAITED: 90, TRY: 60}, (DOING,))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)

    def refresh(self, facts: RunFacts) -> str:
        """Show a run as it stands; returns the sentence for the panel's head."""
        words, snapshot = self._words, facts.snapshot
        running = facts.is_running and snapshot is not None
        self._due = not running or not self._due
        if self._due:  # every second time: painting the table is the dearest part of the page
            self.model.show_tasks(snapshot.tasks if running and snapshot else ())
        if running and snapshot:
            return self.tr("{0} in flight, {1} to retry").format(
                words.number(snapshot.in_flight), words.number(facts.count(TaskState.WAITING))
            )
        return self.tr("none in flight; %Ln row(s) wait", "", facts.open)


class WhereTimeGoes(QWidget):
    """The phases bar, and what would help."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.bar = PhasesBar()
        self.advice = PlainLabel("", Type.BODY, "text2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 12, 2)
        column.setSpacing(8)
        column.addWidget(self.bar)
        column.addWidget(self.advice)
        column.addStretch(1)

    def refresh(self, phases: Phases | None, advice: str) -> None:
        """Show how the time of all tasks divides; None: it was not kept."""
        seconds = self._seconds(phases or Phases())
        whole = sum(part for _, _, _, part in seconds)
        self.bar.set_phases(
            [
                Phase(name, part / whole, self._figure(part, whole), colour, pattern)
                for name, colour, pattern, part in seconds
                if whole > 0
            ],
            self.tr("Where the time goes"),
        )
        known = advice or ("" if whole > 0 else self.tr("Nothing has been measured yet."))
        if self.advice.text() != known:
            self.advice.setText(known)

    def _figure(self, part: float, whole: float) -> str:
        share = self._words.percent(part / whole, 0 if part / whole >= 0.1 else 1)  # noqa: PLR2004 - small shares need a decimal
        return f"{share}{NBSP}· {self._words.duration(part)}"

    def _seconds(self, phases: Phases) -> list[tuple[str, str, Qt.BrushStyle, float]]:
        plain, style = Qt.BrushStyle.NoBrush, Qt.BrushStyle
        return [
            (self.tr("preparing"), "violet", plain, phases.preparing_s),
            (self.tr("queueing"), "scroll", style.HorPattern, phases.queueing_s),
            (self.tr("waiting for a limit"), "review.fill", style.BDiagPattern, phases.limit_s),
            (self.tr("service"), "running.fill", plain, phases.service_s),
            (self.tr("checking"), "teal", style.Dense6Pattern, phases.checking_s),
            (self.tr("writing"), "text2", style.FDiagPattern, phases.writing_s),
        ]


class LookBack(QWidget):
    """A slider over the run's time, and the figures of the moment it stands at.

    Signals:
        moved: The moment that is wanted, seconds since the epoch.
    """

    moved = Signal(object)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words, self._run_words = words, RunWords(words, self)
        self._span = (0.0, 0.0)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _STEPS)
        self.slider.setPageStep(_STEPS // 20)
        self.slider.setAccessibleName(self.tr("Moment of the run"))
        self.slider.valueChanged.connect(self._slid)
        self.time = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=70)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.slider, 1)
        row.addWidget(self.time)
        self.figures = PlainLabel("", Type.BODY, wrap=True)
        self.changed = PlainLabel("", Type.LABEL, "text2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 12, 2)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.figures)
        column.addWidget(self.changed)
        column.addStretch(1)

    def refresh(self, look: Look) -> None:
        """Show the moment that is read, or the latest."""
        points = look.history.points()
        self.slider.setEnabled(len(points) > 1)
        point = look.point
        if not points or point is None:
            self.time.set_text("")
            self.figures.setText(self.tr("No figures were kept of this run."))
            self.changed.setText("")
            return
        self._span = (points[0].at, points[-1].at)
        at = look.at if look.at is not None else point.at
        if not self.slider.isSliderDown():
            wide = max(1e-9, self._span[1] - self._span[0])
            with QSignalBlocker(self.slider):  # the person did not move it
                self.slider.setValue(round((at - self._span[0]) / wide * _STEPS))
        moment = QDateTime.fromMSecsSinceEpoch(round(point.at * 1000))
        self.time.set_text(QLocale().toString(moment, "HH:mm:ss"))
        self.figures.setText(self._said(point))
        self.changed.setText(self._changes(look, point.at))

    def _said(self, point: Point) -> str:
        words = self._words
        parts = [
            self.tr("{0} done").format(words.number(point.done)),
            self.tr("{0} wait").format(words.number(point.waiting)),
            self.tr("{0} to retry").format(words.number(point.to_retry)),
            self.tr("{0} in flight, limit {1}").format(
                words.number(point.in_flight), words.number(point.limit)
            ),
            self.tr("latency P50 {0}, P95 {1}").format(
                words.duration(point.p50_s), words.duration(point.p95_s)
            ),
            self.tr("{0} failed requests so far").format(
                words.number(sum(point.failures.values()))
            ),
        ]
        if point.hold is not None:
            parts.append(self.tr("held back by: {0}").format(self._run_words.hold(point.hold)))
        return " · ".join(parts)

    def _changes(self, look: Look, at: float) -> str:
        near = [one for one in look.changes.all() if abs(one.at - at) <= _NEAR_S]
        return "; ".join(self._run_words.detail(one.main) for one in grouped(near, 1.0))

    def _slid(self, value: int) -> None:
        start, end = self._span
        self.moved.emit(start + (end - start) * value / _STEPS)


class BelowPanel(Panel):
    """The three, one at a time.

    Signals:
        moved: The moment that is wanted, seconds since the epoch; None: now.
    """

    moved = Signal(object)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__("", "", flush=True, parent=parent)
        self.flights = Flights(words)
        self.time = WhereTimeGoes(words)
        self.back = LookBack(words)
        self.views = Segments(
            [
                ("flights", self.tr("Tasks in flight")),
                ("time", self.tr("Where the time goes")),
                ("back", self.tr("Look back")),
            ]
        )
        self.views.chosen.connect(self.show_view)
        self.add_tool(self.views)
        self.stack = QStackedWidget()
        for view in (self.flights, self.time, self.back):
            self.stack.addWidget(view)
        self.stack.setMinimumHeight(theme().px(70))
        self.add(self.stack, 1)
        self.back.moved.connect(self.moved)
        self._look: Look | None = None
        self._advice = ""
        self.show_view("flights")

    def show_view(self, name: str) -> None:
        """Show ``flights``, ``time`` or ``back``."""
        views = {"flights": self.flights, "time": self.time, "back": self.back}
        titles = {
            "flights": self.tr("Tasks in flight"),
            "time": self.tr("Where the time goes"),
            "back": self.tr("Look back"),
        }
        self.views.choose(name)
        self.stack.setCurrentWidget(views[name])
        self.set_title(titles[name])
        if name != "back":
            self.moved.emit(None)
        if self._look is not None:
            self.refresh(self._look, self._advice)

    def refresh(self, look: Look, advice: str) -> None:
        """Show a run as it stands; ``advice``: what would help, in words."""
        self._look, self._advice = look, advice
        shown, subtitle = self.stack.currentWidget(), ""
        if shown is self.flights:
            subtitle = self.flights.refresh(look.facts)
        elif shown is self.time:
            self.time.refresh(look.phases, advice)
            subtitle = self.tr("time of all rows together")
        else:
            self.back.refresh(look)
            subtitle = self.tr("drag, or point at a chart")
        self.set_subtitle(subtitle)

    def forget(self) -> None:
        """Another run follows."""
        self._look = None
        self.flights.model.show_tasks(())
