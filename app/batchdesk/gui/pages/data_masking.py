"""What the mask step looks for: kinds of personal data, countries of phone numbers, own patterns.

A MaskStep comes in, another one goes out; a choice that cannot be used is marked at once with the
reason, and the last good one stays in the job. Counts of the trial stand beside the kinds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from batchdesk.domain.clean import MaskKind, MaskPattern, MaskStep
from batchdesk.gui.pages.prompt_inputs import note
from batchdesk.gui.sentences import sentence
from batchdesk.gui.theme import Type, theme
from batchdesk.gui.widgets.buttons import Button, Kind
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.paint import RIGHT
from batchdesk.gui.words import Words
from batchdesk.session.masks import pattern_fault, phone_regions

_NAME = re.compile(r"[A-Z][A-Z_]{0,29}")
_BETWEEN = re.compile(r"[\s,;\uff0c\u3001\uff1b]+")  # also as typed in Chinese
_TAKEN = frozenset(kind.name for kind in MaskKind) | {"TEXT"}
_INDENT, _NAME_WIDTH = 22, 84
_UNDER_COUNTS = 29  # pixels: the counts stand under those of the steps


class PatternLine(QWidget):
    """One pattern of the person's own: its name, the expression, and what is wrong with it.

    Signals:
        edited(): The person changed it.
        removed(): The person takes it out.
    """

    edited = Signal()
    removed = Signal()

    def __init__(self, name: str = "", pattern: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self.pattern = QLineEdit(name), QLineEdit(pattern)
        self.name.setPlaceholderText(self.tr("NAME"))
        self.name.setAccessibleName(self.tr("Name of the pattern, which stands in its tokens"))
        self.name.setFixedWidth(theme().px(_NAME_WIDTH))
        self.pattern.setPlaceholderText(self.tr("regular expression"))
        self.pattern.setAccessibleName(self.tr("Regular expression of what is masked"))
        self.pattern.setMinimumWidth(60)
        self.count = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=20, align=RIGHT)
        self.remove = Button("", Kind.FLAT, icon="trash", height=24)
        self.remove.setAccessibleName(self.tr("Remove this pattern"))
        self.remove.setToolTip(self.remove.accessibleName())
        self.fault = note("", "failed")
        self.fault.hide()
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.name)
        row.addWidget(self.pattern, 1)
        row.addWidget(self.count)
        row.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.fault)
        for line in (self.name, self.pattern):
            line.textEdited.connect(lambda _text: self.edited.emit())
        self.remove.clicked.connect(lambda _on=False: self.removed.emit())

    def title(self) -> str:
        """Its name as it stands in tokens."""
        return self.name.text().strip().upper()

    def is_empty(self) -> bool:
        """Nothing is typed yet."""
        return not self.title() and not self.pattern.text()

    def read(self, taken: Sequence[str]) -> MaskPattern | None:
        """The pattern; None, and the reason under it, if it cannot be used.

        Args:
            taken: Names of other patterns.
        """
        found, why = self._read(taken)
        self.fault.setText(why)
        self.fault.setVisible(bool(why))
        return found

    def _read(self, taken: Sequence[str]) -> tuple[MaskPattern | None, str]:
        name, text = self.title(), self.pattern.text()
        if self.is_empty():
            return None, ""
        if not _NAME.fullmatch(name):
            return None, self.tr("Give it a name of Latin letters, such as ORDER.")
        if name in _TAKEN or name in taken:
            return None, self.tr("The name {0} is taken.").format(name)
        if not text:
            return None, self.tr("Write what to look for, such as {0}.").format(r"AB-\d{6}")
        pattern = MaskPattern(name=name, pattern=text)
        fault = pattern_fault(pattern)
        return (None, sentence(fault)) if fault is not None else (pattern, "")


class MaskOptions(QWidget):
    """The choices under the mask step.

    Args:
        words: Numbers for people.

    Signals:
        edited(object): Another MaskStep.
    """

    edited = Signal(object)

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._step = MaskStep(step="mask")
        self._counts: Mapping[str, int] = {}
        self.open = Button("", Kind.FLAT, icon="caret-right", height=24)
        self.open.setCheckable(True)
        self.kinds: dict[MaskKind, QCheckBox] = {}
        self.counts: dict[MaskKind, ElidingLabel] = {}
        self.regions = QLineEdit()
        self.regions.setAccessibleName(self.tr("Countries of phone numbers"))
        self.regions.setPlaceholderText(self.tr("only numbers with + and country code"))
        self.regions_fault = note("", "failed")
        self.regions_fault.hide()
        self.lines: list[PatternLine] = []
        self.add = Button(self.tr("Add own pattern"), Kind.FLAT, icon="plus", height=24)
        self._patterns = QVBoxLayout()
        self._patterns.setSpacing(4)
        self._inner = QWidget()
        self._lay_out()
        self._inner.hide()
        self.open.toggled.connect(self._opened)
        self.regions.textEdited.connect(lambda _text: self._edited())
        self.add.clicked.connect(lambda _on=False: self._add())
        self._show()

    def step(self) -> MaskStep:
        """The step as it was last good."""
        return self._step

    def show_step(self, step: MaskStep) -> None:
        """Show a job's step; no signal. What is being typed stays where it comes to the same."""
        if step == self._step:
            return
        self._step = step
        self._show()

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """How often each kind was found in the trial, by the name in its tokens."""
        self._counts = counts
        for kind, label in self.counts.items():
            label.set_text(self._count(kind.name))
        for line in self.lines:
            line.count.set_text(self._count(line.title()))

    def _count(self, name: str) -> str:
        found = self._counts.get(name, 0)
        return self._words.number(found) if found else ""

    def _show(self) -> None:
        for kind, box in self.kinds.items():
            with QSignalBlocker(box):
                box.setChecked(kind in self._step.kinds)
        self.regions.setText(", ".join(self._step.regions))
        self._mark_regions("")
        for line in self.lines:
            line.hide()
            line.deleteLater()
        self.lines = []
        for one in self._step.patterns:
            self._add_line(one.name, one.pattern)
        self._name_button()

    def _name_button(self) -> None:
        chosen = sum(box.isChecked() for box in self.kinds.values())
        told = self.tr("{0} of {1} kinds").format(chosen, len(self.kinds))
        if self._step.patterns:
            own = self.tr("%Ln own", "", len(self._step.patterns))
            told = f"{told}, {own}"
        self.open.setText(told)
        self.open.setAccessibleName(self.tr("What is masked: {0}").format(self.open.text()))
        self.open.updateGeometry()
        self.open.update()

    def _opened(self, on: bool) -> None:  # noqa: FBT001 - as Qt's signal calls it
        self._inner.setVisible(on)
        self.open.set_icon("caret-down" if on else "caret-right")

    # -- editing ----------------------------------------------------------------------------

    def _edited(self) -> None:
        """Tell of the choices; in place of one that cannot be used stands the last good one."""
        regions, patterns = self._read_regions(), self._read_patterns()
        new = {
            "kinds": tuple(kind for kind, box in self.kinds.items() if box.isChecked()),
            "regions": self._step.regions if regions is None else regions,
            "patterns": self._step.patterns if patterns is None else patterns,
        }
        step = self._step.model_copy(update=new)
        if step != self._step:
            self._step = step
            self._name_button()
            self.edited.emit(step)

    def _read_regions(self) -> tuple[str, ...] | None:
        typed = [one.upper() for one in _BETWEEN.split(self.regions.text()) if one]
        new = [one for one in typed if one not in self._step.regions]
        wrong = [one for one in new if one not in phone_regions()]
        why = self.tr("Unknown country: {0}. Write two letters each, such as CN, US.")
        self._mark_regions(why.format(", ".join(wrong)) if wrong else "")
        return None if wrong else tuple(dict.fromkeys(typed))

    def _mark_regions(self, why: str) -> None:
        self.regions_fault.setText(why)
        self.regions_fault.setVisible(bool(why))

    def _read_patterns(self) -> tuple[MaskPattern, ...] | None:
        found: list[MaskPattern] = []
        is_good = True
        for line in self.lines:
            one = line.read([other.name for other in found])
            if one is not None:
                found.append(one)
            is_good = is_good and (one is not None or line.is_empty())
        return tuple(found) if is_good else None

    def _add(self) -> None:
        self._add_line("", "").name.setFocus()

    def _add_line(self, name: str, pattern: str) -> PatternLine:
        line = PatternLine(name, pattern)
        line.count.set_text(self._count(name))
        line.edited.connect(self._edited)
        line.removed.connect(lambda: self._remove(line))
        self.lines.append(line)
        self._patterns.addWidget(line)
        line.show()
        return line

    def _remove(self, line: PatternLine) -> None:
        self.lines.remove(line)
        line.hide()
        line.deleteLater()
        self.add.setFocus()
        self._edited()

    # -- making -----------------------------------------------------------------------------

    def _kind_words(self) -> dict[MaskKind, str]:
        return {
            MaskKind.EMAIL: self.tr("E-mail addresses"),
            MaskKind.PHONE: self.tr("Phone numbers"),
            MaskKind.CARD: self.tr("Bank cards"),
            MaskKind.IBAN: self.tr("Bank accounts (IBAN)"),
            MaskKind.RESIDENT_ID: self.tr("Chinese resident ids"),
            MaskKind.IP: self.tr("IP addresses"),
            MaskKind.URL: self.tr("Web addresses"),
        }

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 2, theme().px(_UNDER_COUNTS), 0)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        for place, (kind, words) in enumerate(self._kind_words().items()):
            self.kinds[kind] = QCheckBox(words)
            self.counts[kind] = ElidingLabel("", Type.LABEL_MEDIUM, "text", least=30, align=RIGHT)
            self.kinds[kind].toggled.connect(self._edited)
            grid.addWidget(self.kinds[kind], place, 0)
            grid.addWidget(self.counts[kind], place, 1)
        regions = QHBoxLayout()
        regions.setSpacing(8)
        regions.addWidget(ElidingLabel(self.tr("Phones of"), Type.LABEL, "text2", least=60))
        regions.addWidget(self.regions, 1)
        inner = QVBoxLayout(self._inner)
        inner.setContentsMargins(0, 0, 0, 4)
        inner.setSpacing(4)
        inner.addLayout(grid)
        inner.addLayout(regions)
        inner.addWidget(self.regions_fault)
        inner.addLayout(self._patterns)
        inner.addWidget(self.add)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme().px(_INDENT), 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.open)
        column.addWidget(self._inner)
