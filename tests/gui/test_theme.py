"""The look: contrast as promised, following the system, fonts and icons."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette

from batchdesk import paths
from batchdesk.gui.theme import DARK, LIGHT, ThemeChoice, Type, cjk_families, font_scale, install

STATES = ("passed", "review", "failed", "running", "waiting", "skipped")


def _luminance(colour: str) -> float:
    parts = [QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF()]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_that_contrast_is_measured_as_the_standard_says():
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21.0)
    assert contrast("#1B1F27", "#FFFFFF") == pytest.approx(16.5, abs=0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["base", "window", "frame", "sel"])
@pytest.mark.parametrize("text", ["text", "text2", "text3", "accent"])
def test_that_text_reads_on_every_ground(tokens, ground, text):
    assert contrast(getattr(tokens, text), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_that_a_state_reads_on_panels_selection_and_its_own_tint(tokens, state):
    colours = tokens.state(state)
    for ground in (tokens.base, tokens.window, tokens.sel, colours.tint):
        assert contrast(colours.text, ground) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_that_edges_and_bars_are_seen(tokens):
    assert contrast(tokens.ctl, tokens.base) >= 3.0
    assert contrast(tokens.ctl2, tokens.frame) >= 3.0
    assert contrast(tokens.onaccent, tokens.btn) >= 4.5
    for state in ("passed", "review", "failed", "running"):
        assert contrast(tokens.state(state).fill, tokens.base) >= 3.0


def test_that_a_colour_is_named_by_its_token_or_a_states_part():
    assert LIGHT.colour("accent").name() == "#2a5bd7"
    assert LIGHT.colour("review").name() == "#8f5600"
    assert LIGHT.colour("review.fill").name() == "#b57a10"
    with pytest.raises(AttributeError):
        LIGHT.colour("pink")


def test_that_choosing_dark_changes_tokens_palette_and_style_sheet(qapp, theme):
    heard = []
    theme.changed.connect(lambda: heard.append(theme.tokens.dark))
    theme.choose(ThemeChoice.DARK)
    assert heard == [True]
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == "#1f2227"
    assert "#1F2227" in qapp.styleSheet()
    theme.choose(ThemeChoice.LIGHT)
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == "#ffffff"


def test_that_installing_again_keeps_the_one_theme(qapp, theme):
    assert install(qapp, "dark") is theme
    assert theme.tokens is DARK


def test_that_figures_are_inter_with_equal_widths(theme):
    font = theme.font(Type.FIGURE)
    assert QFontInfo(font).family() == "Inter"
    assert font.pixelSize() == 20
    assert font.weight() == QFont.Weight.DemiBold
    assert font.featureValue(QFont.Tag("tnum")) == 1


def test_that_chinese_is_never_smaller_than_12_pixels(theme):
    assert theme.font(Type.SMALL).pixelSize() == 11
    theme.set_language("zh_CN")
    assert theme.font(Type.SMALL).pixelSize() == 12
    assert theme.font(Type.PAGE_TITLE).pixelSize() == 18


@pytest.mark.parametrize(
    ("points", "platform", "scale"),
    [
        (9, "windows", 1.0),
        (18, "windows", 2.0),
        (11, "xcb", 1.0),
        (13.2, "xcb", 1.2),
        (6, "cocoa", 1.0),
        (99, "cocoa", 2.0),
    ],
)
def test_that_a_larger_system_font_makes_everything_larger(points, platform, scale):
    assert font_scale(points, platform) == pytest.approx(scale)


def test_that_every_platform_has_chinese_fonts():
    assert cjk_families("windows")[0] == "Microsoft YaHei UI"
    assert cjk_families("cocoa") == ["PingFang SC"]
    assert cjk_families("wayland")[0] == "Noto Sans CJK SC"


def test_that_every_bundled_icon_renders_in_the_colour_asked_for(theme):
    names = sorted(path.stem for path in (paths.resources() / "icons").glob("*.svg"))
    assert len(names) > 50
    for name in names:
        image = theme.icon(name, "failed", 32).pixmap(32, 32).toImage()
        seen = {
            image.pixelColor(x, y).name()
            for x in range(32)
            for y in range(32)
            if image.pixelColor(x, y).alpha() == 255
        }
        assert seen <= {"#be2a32"}, name
        assert any(image.pixelColor(x, y).alpha() for x in range(32) for y in range(32)), name


def test_that_an_icon_has_pixels_for_screens_of_200_percent(theme):
    pixmap = theme.icon("play").pixmap(
        theme.icon("play").actualSize(theme.icon("play").availableSizes()[0]), 2.0
    )
    assert pixmap.width() == 32
