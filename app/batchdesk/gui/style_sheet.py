"""The style sheet: only for controls that Qt draws and that a palette cannot shape.

In come the colours of a theme and the folder with its arrow and tick images; out comes the text.
Everything else is painted by the widgets themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template

_SHEET = Template("""
QPushButton {
  background: $base; color: $text; border: 1px solid $border; border-radius: 6px;
  padding: 0 12px; min-height: ${h28}px; font-weight: 500;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $sel; }
QPushButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: ${h26}px; }
QPushButton:disabled { color: $ctl; }
QPushButton:default { background: $btn; color: $onaccent; border-color: $btn; font-weight: 600; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: $base; color: $text; border: 1px solid $ctl; border-radius: 6px;
  padding: 0 8px; min-height: ${h28}px;
  selection-background-color: $sel; selection-color: $text;
}
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {
  border: 2px solid $accent; padding: 0 7px; min-height: ${h26}px;
}
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  color: $ctl; border-color: $border; background: $alt;
}
QLineEdit:read-only { background: $alt; border-color: $border; }
QLineEdit[state="review"], QComboBox[state="review"], QSpinBox[state="review"] {
  border-color: $review;
}
QLineEdit[state="failed"], QComboBox[state="failed"], QSpinBox[state="failed"] {
  border-color: $failed;
}
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$controls/caret-$name.svg"); width: 12px; height: 12px; }
QComboBox QAbstractItemView {
  background: $base; color: $text; border: 1px solid $border; outline: none; padding: 4px;
  selection-background-color: $sel; selection-color: $text;
}
QSpinBox::up-button, QSpinBox::down-button,
QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0; border: none; }

QCheckBox, QRadioButton { spacing: 8px; min-height: 24px; }
QCheckBox::indicator, QRadioButton::indicator {
  width: 14px; height: 14px; border: 1px solid $ctl; background: $base; border-radius: 4px;
}
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover,
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: $accent; }
QCheckBox::indicator:checked {
  background: $btn; border-color: $btn; image: url("$controls/check-$name.svg");
}
QRadioButton::indicator:checked {
  background: $btn; border-color: $btn; image: url("$controls/dot-$name.svg");
}
QCheckBox:focus, QRadioButton:focus { color: $accent; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {
  border-color: $border; background: $alt;
}
QCheckBox:disabled, QRadioButton:disabled { color: $ctl; }

QHeaderView { background: $base; border: none; }
QHeaderView::section {
  background: $base; color: $text2; border: none; border-bottom: 1px solid $border;
  padding: 0 8px;
}
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; margin: 0; }
QScrollBar:horizontal { height: 10px; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $ctl; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSplitter::handle { background: transparent; }
QSplitter::handle:horizontal { width: 8px; }
QSplitter::handle:vertical { height: 8px; }
QSplitter::handle:hover { background: $accent; margin: 0 3px; }
QSplitter::handle:vertical:hover { margin: 3px 0; }
""")


def style_sheet(colours: Mapping[str, str], controls: Path, name: str, scale: float) -> str:
    """The sheet of one theme.

    Args:
        colours: Every plain token and its ``#RRGGBB``, and ``review`` and ``failed``.
        controls: The folder of arrow and tick images.
        name: ``light`` or ``dark``: which images.
        scale: How much larger than usual the person's font is.
    """
    heights = {f"h{h}": str(round(h * scale)) for h in (26, 28)}
    return _SHEET.substitute(colours, controls=controls.as_posix(), name=name, **heights)
