"""The base of every page: margins, head, help words and the commands it offers to the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QVBoxLayout, QWidget

from batchdesk.gui.theme import GRID, PAGE_X, PAGE_Y
from batchdesk.gui.widgets.labels import PageHead


@dataclass(frozen=True, slots=True)
class Command:
    """Something the command palette offers while its page exists.

    Attributes:
        words: What the person reads and searches.
        act: What happens; called on the window's thread.
        key: Its shortcut as words, shown beside it; the page makes the shortcut itself.
        enabled: Asked each time the palette opens.
    """

    words: str
    act: Callable[[], object]
    key: str = ""
    enabled: Callable[[], bool] = bool  # replaced in __post_init__

    def __post_init__(self) -> None:
        if self.enabled is bool:
            object.__setattr__(self, "enabled", lambda: True)


class Page(QWidget):
    """A page of the window. Subclasses fill ``column`` (margins and gaps are set).

    Args:
        title: Words of the head; "" leaves the head out.
        gap: Space between panels, pixels.

    Override:
        help_text: What F1 shows, plain words.
        commands: What the command palette offers.
        shown: Called each time the window shows the page; take the focus here.
    """

    def __init__(self, title: str = "", gap: int = GRID, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(PAGE_X, PAGE_Y, PAGE_X, PAGE_Y)
        self.column.setSpacing(gap)
        self.head = PageHead(title)
        self.head.setVisible(bool(title))
        self.column.addWidget(self.head)

    def help_text(self) -> str:
        """What the page is for and how it is used; empty for none."""
        return ""

    def commands(self) -> Sequence[Command]:
        """Commands for the palette."""
        return ()

    def shown(self) -> None:
        """The window shows the page now."""
