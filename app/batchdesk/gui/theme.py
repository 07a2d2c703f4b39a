"""How the window looks: palette, type roles, spacing, Qt palette, style sheet and icons.

One `Theme` belongs to the application; `theme()` finds it. It follows the system's light or dark
scheme unless settings force one. Widgets read tokens when they paint and repaint by themselves on
a change, since Qt sends them a palette change; what caches pixmaps or pens listens to `changed`.
"""

from __future__ import annotations

from dataclasses import fields
from enum import Enum, StrEnum
from pathlib import Path

from PySide6.QtCore import QByteArray, QLocale, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyle

from batchdesk import paths
from batchdesk.gui.style_sheet import style_sheet
from batchdesk.gui.tokens import DARK, LIGHT, StateColours, Tokens

__all__ = ["DARK", "LIGHT", "StateColours", "Theme", "ThemeChoice", "Tokens", "Type", "theme"]

# Spacing and sizes, device-independent pixels.
HALF, GRID = 4, 8
PAGE_X, PAGE_Y, INSIDE = 16, 12, 12
RADIUS_PANEL, RADIUS, RADIUS_CHIP, RADIUS_KEY = 8, 6, 5, 4
HEADER_H, RAIL_W, RAIL_NARROW, RAIL_NARROW_BELOW = 44, 160, 56, 1180
ROW_H, ROW_DENSE_H, ROW_TWO_H = 32, 26, 56
TABLE_HEAD_H, TABLE_HEAD_TWO_H, PANEL_HEAD_H = 28, 44, 36

NBSP = "\u00a0"
MISSING = "\u2013"  # the en dash stands for a missing number everywhere


class ThemeChoice(StrEnum):
    """What settings say: follow the system, or always one of the two."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Type(Enum):
    """Type roles: size in pixels and weight."""

    TITLE_LARGE = (22, 600)  # first start
    FIGURE = (20, 600)  # tiles, gates, forecast
    PAGE_TITLE = (18, 600)
    CARD_TITLE = (14, 600)  # banner and card titles
    PANEL_TITLE = (13, 600)  # also the selected rail item
    BODY = (13, 400)  # body, table cell, input
    BUTTON = (13, 500)
    PRIMARY = (13, 601)  # as 600; an own member, since equal values would be aliases
    SOURCE = (14, 400)  # source text in review
    LABEL = (12, 400)
    LABEL_MEDIUM = (12, 500)
    SMALL = (11, 400)  # axis, key cap, small note
    SMALL_MEDIUM = (11, 500)
    MONO = (11, 402)  # raw request, response, file sample


def cjk_families(platform: str) -> list[str]:
    """Chinese font families to fall back to, best first, for a Qt platform name."""
    if platform == "windows":
        return ["Microsoft YaHei UI", "Microsoft YaHei"]
    if platform == "cocoa":
        return ["PingFang SC"]
    return ["Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei"]


def font_scale(points: float, platform: str) -> float:
    """How much larger than usual the person's system font is: 1 to 2, never below 1."""
    usual = {"windows": 9.0, "cocoa": 13.0}.get(platform, 11.0)
    return min(2.0, max(1.0, points / usual))


class Theme(QObject):
    """The application's look.

    Args:
        app: Gets the palette, style sheet and font; owns the theme.
        choice: Follow the system or force one.
        language: ``zh_CN`` raises the smallest type to 12.

    Attributes:
        tokens: The colours in force.
        motion: Whether anything may move by itself (the running ring).
    """

    changed = Signal()  # tokens or language are others now

    def __init__(
        self,
        app: QApplication,
        choice: ThemeChoice = ThemeChoice.SYSTEM,
        language: str = "en",
    ) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._language = language
        self._families = load_fonts()
        self._platform = QGuiApplication.platformName()
        system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        self._scale = font_scale(system.pointSizeF(), self._platform)
        self._icons: dict[tuple[str, str, int], QIcon] = {}
        self._fonts: dict[Type, QFont] = {}
        self._renderers: dict[tuple[str, str], QSvgRenderer] = {}
        self.tokens = LIGHT
        app.setStyle("Fusion")
        self.motion = app.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
        app.setProperty("theme", self)
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        """What was chosen, not what is shown."""
        return self._choice

    @property
    def language(self) -> str:
        """The language that the type roles suit."""
        return self._language

    def choose(self, choice: ThemeChoice) -> None:
        """Follows the system or forces a theme, at once."""
        self._choice = choice
        self._follow()

    def set_language(self, language: str) -> None:
        """Suits sizes to the language: Chinese is never below 12 pixels."""
        if language != self._language:
            self._language = language
            self._apply()

    def px(self, size: float) -> int:
        """A length that grows with the person's font, in pixels."""
        return round(size * self._scale)

    def font(self, role: Type) -> QFont:
        """The font of a role, derived from the application's, so with tabular figures."""
        if (known := self._fonts.get(role)) is not None:
            return QFont(known)  # asked for by every painted cell
        size, weight = role.value
        if self._language.startswith("zh"):
            size = max(12, size)
        font = QFont(self._app.font())
        font.setPixelSize(self.px(size))
        font.setWeight(QFont.Weight(weight // 100 * 100))
        if role is Type.MONO:
            font.setFamilies(["DejaVu Sans Mono", "Consolas", "Menlo", *self._cjk()])
        self._fonts[role] = font
        return QFont(font)

    def icon(self, name: str, colour: str = "text2", size: int = 16) -> QIcon:
        """An icon of ``resources/icons`` in a token's colour; sharp up to 300 %.

        Raises:
            FileNotFoundError: There is no such icon.
        """
        key = (name, colour, size)
        if key not in self._icons:
            self._icons[key] = self._render(name, colour, size)
        return self._icons[key]

    def paint_icon(self, painter: QPainter, rect: QRectF, name: str, colour: str = "text2") -> None:
        """Paints an icon into a square, sharp at every scale."""
        self._renderer(name, colour).render(painter, rect)

    def _renderer(self, name: str, colour: str) -> QSvgRenderer:
        key = (name, colour)
        if key not in self._renderers:
            svg = (paths.resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
            svg = svg.replace("currentColor", self.tokens.colour(colour).name())
            self._renderers[key] = QSvgRenderer(QByteArray(svg.encode()))
        return self._renderers[key]

    def _render(self, name: str, colour: str, size: int) -> QIcon:
        icon = QIcon()
        for ratio in (1.0, 1.5, 2.0, 3.0):
            pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
            pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(pixmap) as painter:
                bounds = QRectF(0, 0, pixmap.width(), pixmap.height())
                self.paint_icon(painter, bounds, name, colour)
            pixmap.setDevicePixelRatio(ratio)
            icon.addPixmap(pixmap)
        return icon

    def _cjk(self) -> list[str]:
        return cjk_families(self._platform)

    def _follow(self) -> None:
        """Changes the look if another theme is wanted now than is shown."""
        if self._is_dark() != self.tokens.dark:
            self._apply()

    def _is_dark(self) -> bool:
        if self._choice is ThemeChoice.SYSTEM:
            return self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._choice is ThemeChoice.DARK

    def _apply(self) -> None:
        self.tokens = DARK if self._is_dark() else LIGHT
        self._icons.clear()
        self._fonts.clear()
        self._renderers.clear()
        font = QFont()
        font.setFamilies([*self._families, *self._cjk()])
        font.setPixelSize(self.px(13))
        font.setFeature(QFont.Tag("tnum"), 1)
        self._app.setFont(font)
        self._app.setPalette(qt_palette(self.tokens))
        controls = paths.resources() / "icons" / "controls"
        colours = {
            field.name: getattr(self.tokens, field.name)
            for field in fields(self.tokens)
            if isinstance(getattr(self.tokens, field.name), str)
        }
        colours |= {state: self.tokens.state(state).text for state in ("review", "failed")}
        name = "dark" if self.tokens.dark else "light"
        self._app.setStyleSheet(style_sheet(colours, controls, name, self._scale))
        self.changed.emit()


def theme() -> Theme:
    """The application's theme.

    Raises:
        RuntimeError: No theme was made yet.
    """
    app = QApplication.instance()
    found = app.property("theme") if app is not None else None
    if isinstance(found, Theme):
        return found
    raise RuntimeError("make a Theme(app) before any widget")


def install(app: QApplication, choice: str = "system") -> Theme:
    """Gives the application its look, or changes the look it has.

    Args:
        app: The application; its language is the default QLocale's.
        choice: ``system``, ``light`` or ``dark``.
    """
    language = QLocale().name()
    found = app.property("theme")
    if isinstance(found, Theme):
        found.choose(ThemeChoice(choice))
        found.set_language(language)
        return found
    return Theme(app, ThemeChoice(choice), language)


def load_fonts() -> list[str]:
    """Loads the bundled fonts; returns the family, or nothing if they are missing."""
    folder: Path = paths.resources() / "fonts"
    loaded = [QFontDatabase.addApplicationFont(str(f)) for f in sorted(folder.glob("*.otf"))]
    return ["Inter"] if any(number >= 0 for number in loaded) else []


def qt_palette(tokens: Tokens) -> QPalette:
    """Qt's own palette in our colours, for everything that Fusion draws."""
    role = QPalette.ColorRole
    colours = {
        role.Window: tokens.window,
        role.Base: tokens.base,
        role.AlternateBase: tokens.alt,
        role.Text: tokens.text,
        role.WindowText: tokens.text,
        role.Button: tokens.base,
        role.ButtonText: tokens.text,
        role.BrightText: tokens.onaccent,
        role.Highlight: tokens.sel,
        role.HighlightedText: tokens.text,
        role.PlaceholderText: tokens.text3,
        role.ToolTipBase: tokens.base,
        role.ToolTipText: tokens.text,
        role.Light: tokens.base,
        role.Midlight: tokens.border2,
        role.Mid: tokens.border,
        role.Dark: tokens.ctl,
        role.Shadow: tokens.ctl,
        role.Link: tokens.accent,
        role.LinkVisited: tokens.accent,
        role.Accent: tokens.accent,
    }
    palette = QPalette()
    for each, value in colours.items():
        palette.setColor(each, QColor(value))
    disabled = QPalette.ColorGroup.Disabled
    for each in (role.Text, role.WindowText, role.ButtonText, role.HighlightedText):
        palette.setColor(disabled, each, QColor(tokens.ctl))
    return palette
