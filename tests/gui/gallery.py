"""Every widget on one page, to be looked at; also the source of the gallery screenshots."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.bars import Meter, Parts, SegmentedBar
from batchdesk.gui.widgets.buttons import Button, Kind, Segments
from batchdesk.gui.widgets.charts import BarChart, Hatch, Mark, Series, Stroke, TimeChart
from batchdesk.gui.widgets.chips import Chip, ChipTone, FilterChip
from batchdesk.gui.widgets.confusion import ConfusionMatrix
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.fields import SchemaForm
from batchdesk.gui.widgets.labels import KeyHint
from batchdesk.gui.widgets.page import Page
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.states import BadgeState, StateBadge, StateWord
from batchdesk.gui.widgets.table import Cell, TableView
from batchdesk.gui.widgets.tiles import Tile, TileStrip

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
ROWS: list[tuple[str, str, Parts, str, int, str, BadgeState, str]] = [
    (
        "Sentiment and topic",
        "prompt v7 · all rows",
        Parts(2871, 219, 22, 24, 5000),
        "62 % · 4 min left",
        3112,
        "positive",
        BadgeState.RUNNING,
        "Running",
    ),
    (
        "Refund reasons",
        "prompt v3 · 1,840 rows",
        Parts(754, 110, 19, 0, 1840),
        "48 % · paused at 11:23",
        883,
        "neutral",
        BadgeState.CAUSE,
        "Paused: no balance",
    ),
    (
        "Product names, cleaned",
        "prompt v2",
        Parts(4940, 60, 0, 0, 5000),
        "5,000 of 5,000",
        5000,
        "mixed",
        BadgeState.FINISHED,
        "Finished",
    ),
]


class GalleryModel(QAbstractTableModel):
    heads = ("Run", "Progress", "Done", "Answer", "State")

    def rowCount(self, _parent=None) -> int:  # noqa: N802 - Qt names it
        return len(ROWS)

    def columnCount(self, _parent=None) -> int:  # noqa: N802 - Qt names it
        return len(self.heads)

    def headerData(self, section, _orientation, role=Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: N802 - Qt names it
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and section == 2:
            return RIGHT
        return None

    def data(self, index, role=Qt.ItemDataRole.DisplayRole) -> Any:
        name, second, parts, words, done, label, state, word = ROWS[index.row()]
        by_role: dict[int, Any] = [
            {Qt.ItemDataRole.DisplayRole: name, Cell.SECOND: second, Cell.STRONG: True},
            {Qt.ItemDataRole.DisplayRole: words, Cell.PARTS: parts},
            {Qt.ItemDataRole.DisplayRole: f"{done:,}", Qt.ItemDataRole.TextAlignmentRole: RIGHT},
            {
                Qt.ItemDataRole.DisplayRole: label,
                Cell.CHIP: ChipTone.WRONG if index.row() else ChipTone.PLAIN,
            },
            {Qt.ItemDataRole.DisplayRole: word, Cell.STATE: state, Cell.TINTED: True},
        ][index.column()]
        return by_role.get(role)


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row


class Gallery(Page):
    """All widgets."""

    def __init__(self) -> None:
        super().__init__("Sentiment and topic")
        self.head.set_subtitle("all 5,000 rows · prompt v7 · since 14:02")
        self.head.add_badge(StateBadge(BadgeState.RUNNING, "Running", turning=True))
        self.head.add_tool(Button("Pause", icon="pause"))
        self.head.add_tool(Button("New run", Kind.PRIMARY, icon="plus"))
        banner = Banner(BannerKind.CAUSE)
        banner.show_message(
            "Paused at 14:09: the account has no balance left",
            "No row was marked failed; 1,888 rows wait. Top up the account, then check again.",
        )
        banner.add_button("Other account…", lambda: None)
        banner.add_button("Check again and resume", lambda: None, Kind.PRIMARY, "arrow-clockwise")
        self.column.addWidget(banner)
        tiles = [
            Tile("Done"),
            Tile("Passed", BadgeState.PASSED),
            Tile("Review", BadgeState.REVIEW),
            Tile("Failed", BadgeState.FAILED),
            Tile("Time left"),
        ]
        for tile, words in zip(
            tiles,
            [
                ("3,112", "of 5,000 · 62 %"),
                ("2,871", "92.3 % of done"),
                ("219", "7.0 % · 41 new"),
                ("22", "0.7 % · 3 kinds"),
                ("4:20", "min · 3:50 to 5:10"),
            ],
            strict=True,
        ):
            tile.set(*words)
        self.column.addWidget(TileStrip(tiles))
        self.column.addWidget(self._table())
        grid = QGridLayout()
        grid.setSpacing(8)
        grid.addWidget(self._states(), 0, 0)
        grid.addWidget(self._controls(), 0, 1)
        empty = Panel()
        empty.add(
            EmptyState(
                "table",
                "Drop a file here, or open one.",
                "Open a file…",
                shortcut="Ctrl+O",
                detail="CSV, TSV or JSONL; nothing leaves this computer.",
            )
        )
        grid.addWidget(empty, 0, 2)
        for column in range(3):
            grid.setColumnStretch(column, 1)
        self.column.addLayout(grid, 1)

    def _table(self) -> Panel:
        panel = Panel(flush=True)
        self.table = TableView(56)
        self.table.setModel(GalleryModel(self.table))
        self.table.set_columns({1: 208, 2: 64, 3: 110, 4: 168}, (0,))
        self.table.setFixedHeight(28 + 3 * 56)
        panel.add(self.table)
        return panel

    def _states(self) -> Panel:
        panel = Panel("States", "shape, colour, word")
        states = list(BadgeState)
        grid = QGridLayout()
        for number, state in enumerate(states):
            kind = StateBadge if number % 2 == 0 else StateWord
            grid.addWidget(kind(state, state.value.capitalize()), number // 3, number % 3)
        panel.add(grid)
        panel.add(SegmentedBar(Parts(60, 12, 6, 3, 100)))
        meter = Meter(0.54, 0.7, "review.fill")
        panel.add(meter)
        panel.body.addStretch(1)
        return panel

    def _controls(self) -> Panel:
        panel = Panel("Controls", "a long subtitle that is cut before the title is", head_line=True)
        panel.add_tool(Segments([("kind", "Kind"), ("stage", "Stage")]))
        panel.add(
            _row(
                Button("Accept", Kind.PRIMARY, key="A", height=34),
                Button("Reject…", Kind.DANGER, key="R", height=34),
                Button("Columns", Kind.FLAT, icon="columns"),
            )
        )
        disabled = Button("Export…", icon="download-simple")
        disabled.set_why_not("Nothing is answered yet")
        panel.add(
            _row(
                Chip("neutral"),
                Chip("positive", ChipTone.WRONG),
                Chip("mixed", ChipTone.UNSTABLE),
                FilterChip("label: neutral", "Remove the filter"),
            )
        )
        combo = QComboBox()
        combo.addItems(["Most severe first", "Oldest first"])
        line = QLineEdit()
        line.setPlaceholderText("Find a row")
        check = QCheckBox("Drop empty rows")
        check.setChecked(True)
        panel.add(_row(combo, line))
        panel.add(_row(check, disabled, KeyHint(["K", "J"], "previous, next")))
        panel.body.addStretch(1)
        return panel


class ChartGallery(Page):
    """Charts, confusion matrix and form."""

    def __init__(self) -> None:
        super().__init__("Charts and forms")
        grid = QGridLayout()
        grid.setSpacing(8)
        charts = [self._latency(), self._failures(), self._limit()]
        for place, panel in enumerate(charts):
            grid.addWidget(panel, place // 2, place % 2)
        confusion = Panel("Where it goes wrong", "1,194 labelled answers; a cell opens its rows")
        self.matrix = ConfusionMatrix(("your label", "the model answered", "found", "right"))
        names = ("positive", "neutral", "negative", "mixed")
        counts = [[489, 14, 5, 4], [15, 163, 13, 5], [6, 12, 358, 8], [3, 8, 8, 83]]
        self.matrix.set_counts(
            names, {(a, b): counts[i][j] for i, a in enumerate(names) for j, b in enumerate(names)}
        )
        confusion.add(self.matrix, 1)
        grid.addWidget(confusion, 1, 1)
        grid.addWidget(self._form(), 0, 2, 2, 1)
        for column, stretch in enumerate((5, 5, 4)):
            grid.setColumnStretch(column, stretch)
        grid.setRowStretch(0, 1)
        grid.setRowStretch(1, 1)
        self.column.addLayout(grid, 1)

    def _latency(self) -> Panel:
        panel = Panel("Latency of successes", "seconds, last 60 s")
        self.lines = TimeChart(
            [
                Series("p50", "P50", "running"),
                Series("p95", "P95", "violet", Stroke.DASH),
                Series("p99", "P99", "text2", Stroke.DOT),
                Series("first", "First token", "teal", Stroke.DASH_DOT),
            ],
            words="Latency",
        )
        start = 1_780_000_020.0
        for step in range(400):
            bump = 6 * math.exp(-(((step - 220) / 30) ** 2))
            self.lines.add(
                start + step,
                {
                    "p50": 2.9 + bump * 0.1 + 0.2 * math.sin(step / 5),
                    "p95": 5.6 + bump * 0.6 + 0.3 * math.sin(step / 3),
                    "p99": 8.4 + bump + 0.5 * math.sin(step / 4),
                    "first": None if step < 40 else 0.6,
                },
            )
        for key, words in {
            "p50": "P50  2.9 s",
            "p95": "P95  5.6 s",
            "p99": "P99  8.4 s",
            "first": "First token  0.6 s",
        }.items():
            self.lines.set_label(key, words)
        panel.add(self.lines, 1)
        return panel

    def _failures(self) -> Panel:
        panel = Panel("Failed requests by kind", "per 10 s; 22 rows given up")
        self.bars = BarChart(
            [
                Series("429", "Too many requests", "violet"),
                Series("5xx", "Server error", "failed"),
                Series("timeout", "No answer", "failed", hatch=Hatch.DIAGONAL),
                Series("bad", "Not readable", "waiting"),
            ],
            words="Failures",
        )
        for step in range(400):
            values = {
                "429": int(50 <= step < 60),
                "5xx": int(150 <= step < 170),
                "timeout": int(165 <= step < 175),
                "bad": int(step % 37 == 0),
            }
            self.bars.add(1_780_000_020.0 + step, values)
        panel.add(self.bars, 1)
        return panel

    def _limit(self) -> Panel:
        panel = Panel("Limit and in flight", "requests at once")
        self.steps = TimeChart(
            [
                Series("flight", "in flight", "teal", fill="teal"),
                Series("limit", "limit", "running", step=True),
            ],
            words="Limit",
        )
        start = 1_780_000_020.0
        for step in range(400):
            limit = 16 if step < 30 else 32 if step < 90 else 40
            self.steps.add(
                start + step, {"limit": limit, "flight": min(limit, 24 + 8 * math.sin(step / 20))}
            )
        self.steps.set_label("limit", "limit 40")
        self.steps.set_label("flight", "in flight 24")
        self.steps.set_marks(
            [
                Mark(start + 30, "429: 40 → 32", "429", "violet"),
                Mark(start + 180, "5xx: no growth", "5xx", "failed"),
                Mark(start + 190, "token limit", "tokens", "review"),
            ]
        )
        panel.add(self.steps, 1)
        return panel

    def _form(self) -> Panel:
        panel = Panel("Answer", "prompt v7", flush=True, head_line=True)
        self.form = SchemaForm()
        schema = {
            "type": "object",
            "properties": {
                "sentiment": {
                    "type": "string",
                    "enum": ["positive", "neutral", "negative", "mixed"],
                },
                "topics": {"type": "array", "items": {"type": "string"}},
                "battery_hours": {"type": "number"},
                "summary": {"type": "string"},
                "fits": {"type": "boolean"},
            },
        }
        self.form.set_schema(schema, lambda part: "one of 4" if "enum" in part else "")
        self.form.set_value(
            {
                "sentiment": "mixed",
                "topics": ["battery", "sound"],
                "battery_hours": 12,
                "summary": "Good sound and helpful support, but the battery lasts only 12 hours.",
                "fits": True,
            }
        )
        self.form.set_check("sentiment", BadgeState.PASSED)
        self.form.set_check(
            "battery_hours",
            BadgeState.REVIEW,
            "12 is not in the source. Near it: “two hours” (¶2).",
        )
        self.form.set_check("summary", BadgeState.FAILED, "Same number, not in the source.")
        panel.add(self.form, 1)
        return panel
