"""Labels that never push a page wider, the head of a page, key caps and key hints.

All show plain text only: data and model text may look like markup.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from batchdesk.gui.theme import RADIUS_KEY, Type, theme
from batchdesk.gui.widgets.paint import CENTRE, LEFT, rounded, text_width, write

_WHOLE = 10_000  # pixels, wider than any text


class PlainLabel(QLabel):
    """A label of a type role and a token's colour; wraps if asked.

    Args:
        text: Plain text.
        role: Type role.
        colour: A token: text, text2, text3, accent, review, failed …
        wrap: Whether long text takes several lines. Without, the whole text is its minimum width.
    """

    def __init__(
        self,
        text: str = "",
        role: Type = Type.BODY,
        colour: str = "text",
        *,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._role, self._colour = role, colour
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if wrap:
            self.setMinimumWidth(40)
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        theme().changed.connect(self._restyle)
        self._restyle()

    def set_colour(self, colour: str) -> None:
        """Another token for the words."""
        if colour != self._colour:
            self._colour = colour
            self._restyle()

    def _restyle(self) -> None:
        self.setFont(theme().font(self._role))
        palette = self.palette()
        palette.setColor(self.foregroundRole(), theme().tokens.colour(self._colour))
        self.setPalette(palette)


class ElidingLabel(QWidget):
    """One line that is cut with "…" when there is no room; the whole text is in its tool tip.

    Args:
        text: Plain text.
        role: Type role.
        colour: A token's name.
        least: Smallest width, pixels.
        align: Where the text stands.
    """

    def __init__(
        self,
        text: str = "",
        role: Type = Type.LABEL,
        colour: str = "text2",
        *,
        least: int = 24,
        align: Qt.AlignmentFlag = LEFT,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._text, self._role, self._colour = text, role, colour
        self._least, self._align = least, align
        self._elide = Qt.TextElideMode.ElideRight
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Shows another text."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.updateGeometry()
            self.update()

    def set_colour(self, colour: str) -> None:
        """Another token for the words."""
        self._colour = colour
        self.update()

    def cut_in_the_middle(self) -> None:
        """From now on the end stays in view, which tells names of files apart."""
        self._elide = Qt.TextElideMode.ElideMiddle
        self.update()

    def keep_whole(self) -> None:
        """From now on others beside it are cut first: its whole text is its minimum width."""
        self._least = _WHOLE
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        font = theme().font(self._role)
        return QSize(
            int(text_width(self._text, font)) + 2, max(theme().px(20), QFontMetrics(font).height())
        )

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(self._least, hint.width()), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        font = theme().font(self._role)
        cut = text_width(self._text, font) > self.width()
        self.setToolTip(self._text if cut else "")
        with QPainter(self) as painter:
            colour = theme().tokens.colour(self._colour)
            box = QRectF(self.rect())
            write(painter, box, self._text, font, colour, align=self._align, elide=self._elide)


class KeyCap(QWidget):
    """A key's name on a cap; give the meaning as a label beside it, or use `KeyHint`."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(key)

    def sizeHint(self) -> QSize:
        width, height = cap_size(self._key)
        return QSize(int(width), int(height))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_cap(painter, QRectF(self.rect()), self._key)


class KeyHint(QWidget):
    """One or more key caps and a word beside them."""

    def __init__(self, keys: list[str], word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for key in keys:
            row.addWidget(KeyCap(key))
        row.addWidget(ElidingLabel(word))


class PageHead(QWidget):
    """The first line of a page: title, subtitle that elides first, badges, tools at the right.

    Args:
        title: The page's title.
        subtitle: What is shown, in secondary text.
    """

    def __init__(self, title: str, subtitle: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidingLabel(title, Type.PAGE_TITLE, "text", least=240)
        self.subtitle = ElidingLabel(subtitle, Type.BODY, "text2", least=0)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(10)
        self._row.addWidget(self.title)
        self._row.addWidget(self.subtitle)
        self._row.addStretch(1)
        self._badges = 2  # where the next badge goes: after the subtitle
        self.setFixedHeight(theme().px(30))

    def set_title(self, title: str) -> None:
        """Another title."""
        self.title.set_text(title)

    def set_subtitle(self, subtitle: str) -> None:
        """Another subtitle."""
        self.subtitle.set_text(subtitle)

    def add_badge(self, widget: QWidget) -> None:
        """Puts a badge or a choice right after the subtitle."""
        self._row.insertWidget(self._badges, widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._badges += 1

    def add_tool(self, widget: QWidget) -> None:
        """Puts a control at the right end."""
        self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)


def cap_size(key: str) -> tuple[float, float]:
    """Width and height of a key cap, pixels."""
    height = float(theme().px(20))
    return max(height, text_width(key, theme().font(Type.SMALL_MEDIUM)) + 2 * 6), height


def paint_cap(painter: QPainter, rect: QRectF, key: str, colour: str = "text2") -> None:
    """Paints a key cap that fills ``rect``."""
    tokens = theme().tokens
    rounded(painter, rect, RADIUS_KEY, tokens.colour("alt"), tokens.colour("ctl"))
    write(painter, rect, key, theme().font(Type.SMALL_MEDIUM), tokens.colour(colour), align=CENTRE)
