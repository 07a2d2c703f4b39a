"""How the parts of the prompt page stand beside each other: three columns with handles between."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from batchdesk.gui.pages.prompt_inputs import padded, scrolled, section_title
from batchdesk.gui.theme import theme
from batchdesk.gui.widgets.panel import Hairline, Panel

_LEFT, _RIGHT = 260, 320
_LEFT_LEAST, _CENTRE_LEAST, _RIGHT_LEAST = 232, 340, 270

Titled = Sequence[tuple[str, QWidget]]


def three_columns(left: Titled, centre: Sequence[QWidget], right: Sequence[QWidget]) -> QSplitter:
    """Titled parts that scroll at the left, panels under each other in the middle and at the right.

    Args:
        left: Title and part; a part without a title brings its own.
        centre: Two panels.
        right: One panel, or two.
    """
    whole = QSplitter()
    whole.addWidget(side(left, _LEFT_LEAST))
    middle = _under_each_other(centre, [330, 330])
    middle.setMinimumWidth(theme().px(_CENTRE_LEAST))
    whole.addWidget(middle)
    end = _under_each_other(right, [420, 240])
    end.setMinimumWidth(theme().px(_RIGHT_LEAST))
    whole.addWidget(end)
    whole.setChildrenCollapsible(False)
    whole.setStretchFactor(1, 1)
    whole.setSizes([theme().px(_LEFT), 500, theme().px(_RIGHT)])
    return whole


def side(parts: Titled, least: int = _RIGHT_LEAST) -> Panel:
    """A panel with titled parts under each other, which scrolls."""
    found: list[QWidget] = []
    for title, part in parts:
        if found:
            found.append(Hairline())
        if title:
            found.append(section_title(title))
        found.append(part)
    panel = Panel(flush=True)
    panel.add(scrolled(padded(found)), 1)
    panel.setMinimumWidth(theme().px(least))
    return panel


def _under_each_other(panels: Sequence[QWidget], sizes: list[int]) -> QSplitter:
    column = QSplitter(Qt.Orientation.Vertical)
    for panel in panels:
        column.addWidget(panel)
    column.setChildrenCollapsible(False)
    column.setSizes(sizes[: len(panels)])
    return column
