"""The widgets: what they show, what keys and clicks do, what a screen reader hears."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from tests.gui.gallery import ChartGallery, Gallery

from batchdesk.gui.theme import ThemeChoice
from batchdesk.gui.widgets.banner import Banner, BannerKind
from batchdesk.gui.widgets.bars import Parts, SegmentedBar, part_widths
from batchdesk.gui.widgets.buttons import Button, Kind, Segments
from batchdesk.gui.widgets.chips import Chip, ChipTone, FilterChip
from batchdesk.gui.widgets.confusion import ConfusionMatrix, shade, share
from batchdesk.gui.widgets.empty import EmptyState
from batchdesk.gui.widgets.fields import Field, FieldKind, SchemaForm, from_text, kind_of
from batchdesk.gui.widgets.labels import ElidingLabel, PlainLabel
from batchdesk.gui.widgets.panel import Panel
from batchdesk.gui.widgets.states import BadgeState, StateBadge, StateShape, StateWord
from batchdesk.gui.widgets.tiles import Tile, TileStrip


def colours(widget: QWidget) -> set[str]:
    image = widget.grab().toImage()
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


# -- labels, panels ---------------------------------------------------------------------------


def test_that_an_eliding_label_never_makes_a_page_wider(qtbot):
    label = ElidingLabel("a sentence that is much longer than there is room for", least=30)
    qtbot.addWidget(label)
    assert label.minimumSizeHint().width() == 30
    assert label.sizeHint().width() > 200
    label.resize(60, 20)
    label.grab()
    assert label.toolTip() == label.text() == label.accessibleName()
    label.resize(600, 20)
    label.grab()
    assert label.toolTip() == ""


def test_that_labels_show_markup_as_it_is(qtbot):
    label = PlainLabel("<b>bold</b>")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText


def test_that_a_panels_subtitle_is_cut_before_its_title(qtbot):
    panel = Panel("Latency of successes", "seconds over the last sixty seconds of the run")
    qtbot.addWidget(panel)
    panel.resize(240, 80)
    panel.show()
    assert panel.title.width() >= panel.title.sizeHint().width()
    assert panel.subtitle.width() < panel.subtitle.sizeHint().width()


# -- states -----------------------------------------------------------------------------------


@pytest.mark.parametrize("state", list(BadgeState))
def test_that_every_state_has_a_shape_of_its_own(qtbot, state):
    def picture(one: BadgeState) -> bytes:
        shape = StateShape(one, "x", 28)
        qtbot.addWidget(shape)
        image = shape.grab().toImage()
        return bytes(
            image.pixelColor(x, y).alpha() > 0 and image.pixelColor(x, y) != image.pixelColor(0, 0)
            for x in range(28)
            for y in range(28)
        )

    same = {
        BadgeState.PASSED: {BadgeState.ACCEPTED, BadgeState.FINISHED},
        BadgeState.FAILED: {BadgeState.REJECTED},
    }
    group = next(
        ({key, *others} for key, others in same.items() if state in {key, *others}), {state}
    )
    for other in BadgeState:
        assert (picture(state) == picture(other)) == (other in group), other


def test_that_a_badge_says_its_word_to_a_screen_reader_and_tells_of_changes(qtbot):
    badge = StateBadge(BadgeState.RUNNING, "Running")
    qtbot.addWidget(badge)
    assert badge.accessibleName() == "Running"
    before = badge.sizeHint().width()
    badge.set_state(BadgeState.CAUSE, "Paused: no balance")
    assert (badge.accessibleName(), badge.state) == ("Paused: no balance", BadgeState.CAUSE)
    assert badge.sizeHint().width() > before
    assert "#fcf0d9" in colours(badge)


def test_that_the_ring_turns_only_where_allowed(qtbot, theme):
    still, moving = (
        StateWord(BadgeState.RUNNING, "a"),
        StateWord(BadgeState.RUNNING, "a", turning=True),
    )
    for badge in (still, moving):
        qtbot.addWidget(badge)
        badge.show()
    assert not still._timer.isActive()
    assert not moving._timer.isActive()  # nothing moves: the system says so
    moving.hide()
    theme.motion = True
    moving.show()
    assert moving._timer.isActive()
    moving.set_state(BadgeState.FINISHED, "b")
    assert not moving._timer.isActive()


# -- bars, tiles ------------------------------------------------------------------------------


def test_that_parts_share_the_bar_and_small_ones_stay_visible():
    assert part_widths(Parts(60, 20, 10, 0, 100), 200) == [
        ("passed", 120),
        ("review", 40),
        ("failed", 20),
    ]
    assert part_widths(Parts(4999, 0, 1, 0, 5000), 100) == [("passed", 98), ("failed", 2)]
    assert part_widths(Parts(), 100) == []


@given(
    st.lists(st.integers(0, 10**6), min_size=4, max_size=4),
    st.integers(0, 10**6),
    st.integers(32, 2000),
)
def test_that_parts_never_leave_the_bar(counts, rest, width):
    passed, review, failed, running = counts
    parts = Parts(passed, review, failed, running, sum(counts) + rest)
    widths = part_widths(parts, width)
    assert sum(wide for _, wide in widths) <= width + 1e-6
    assert all(wide >= 2 for _, wide in widths)
    assert [name for name, _ in widths] == [
        name
        for name, count in zip(("passed", "review", "failed", "running"), counts, strict=True)
        if count
    ]


def test_that_a_bar_says_its_counts(qtbot):
    bar = SegmentedBar()
    qtbot.addWidget(bar)
    bar.set_parts(Parts(1, 0, 0, 0, 2), "1 of 2 done")
    assert bar.accessibleName() == "1 of 2 done"
    bar.resize(100, 8)
    assert {"#36935e", "#e7eaee"} <= colours(bar)


def test_that_a_tile_changes_in_place(qtbot):
    tile = Tile("Passed", BadgeState.PASSED)
    strip = TileStrip([tile, Tile("Failed", BadgeState.FAILED)])
    qtbot.addWidget(strip)
    strip.show()
    assert (strip.height(), tile.figure()) == (76, "–")
    width = tile.minimumSizeHint().width()
    tile.set("2,871,000,000,000", "92.3 % of done")
    assert tile.accessibleName() == "Passed: 2,871,000,000,000; 92.3 % of done"
    assert tile.minimumSizeHint().width() == width


# -- buttons, chips, banner -------------------------------------------------------------------


def test_that_space_enter_and_a_click_press_a_button(qtbot):
    button = Button("Run", Kind.PRIMARY, icon="play")
    qtbot.addWidget(button)
    button.show()
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.keyClick(button, Qt.Key.Key_Return)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(pressed) == 3


def test_that_a_disabled_button_says_why(qtbot):
    button = Button("Export…")
    qtbot.addWidget(button)
    button.set_why_not("Nothing is answered yet")
    assert (button.isEnabled(), button.toolTip(), button.accessibleDescription()) == (
        False,
        "Nothing is answered yet",
        "Nothing is answered yet",
    )
    button.set_why_not("")
    assert (button.isEnabled(), button.toolTip()) == (True, "")


def test_that_a_buttons_looks_differ_by_kind(qtbot):
    seen = {}
    for kind in Kind:
        button = Button("Word", kind)
        qtbot.addWidget(button)
        seen[kind] = colours(button)
    assert "#2a5bd7" in seen[Kind.PRIMARY]
    assert "#dade" in "".join(seen[Kind.SECONDARY])
    assert "#2a5bd7" not in seen[Kind.SECONDARY]


def test_that_segments_keep_one_choice(qtbot):
    segments = Segments([("kind", "Kind"), ("stage", "Stage")])
    qtbot.addWidget(segments)
    assert segments.choice() == "kind"
    with qtbot.waitSignal(segments.chosen) as chosen:
        segments._buttons["stage"].click()
    assert (chosen.args, segments.choice()) == (["stage"], "stage")


def test_that_a_differing_chip_has_a_sign_before_its_word(qtbot):
    chip = Chip("positive", ChipTone.WRONG)
    plain = Chip("positive")
    qtbot.addWidget(chip)
    qtbot.addWidget(plain)
    assert (chip.accessibleName(), plain.accessibleName()) == ("≠ positive", "positive")


def test_that_a_filter_chip_is_removed_by_the_keyboard(qtbot):
    chip = FilterChip("label: R&D", "Remove the filter label: R&D")
    qtbot.addWidget(chip)
    chip.show()
    with qtbot.waitSignal(chip.removed):
        qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert chip.shortcut().isEmpty()


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_that_delete_removes_a_filter_chip(qtbot, key):
    chip = FilterChip("label: a", "Remove")
    qtbot.addWidget(chip)
    chip.show()
    with qtbot.waitSignal(chip.removed, timeout=500):
        qtbot.keyClick(chip, key)


def test_that_a_banner_pushes_content_down_and_lets_go_again(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    banner, content = Banner(closable=True, close_word="Close"), QWidget()
    column.addWidget(banner)
    column.addWidget(content, 1)
    page.resize(600, 300)
    page.show()
    top = content.y()
    banner.show_message("Paused at 14:09", "No row was marked failed.", BannerKind.CAUSE)
    qtbot.waitUntil(lambda: content.y() > top + 40)
    assert banner.accessibleName() == "Paused at 14:09 No row was marked failed."
    assert "#fcf0d9" in colours(banner)
    pressed: list[int] = []
    banner.add_button("Check again", lambda: pressed.append(1), Kind.PRIMARY).click()
    assert pressed == [1]
    with qtbot.waitSignal(banner.closed):
        banner._close.click()
    qtbot.waitUntil(lambda: content.y() == top)


def test_that_an_empty_state_says_one_thing_to_do(qtbot):
    empty = EmptyState("table", "Open a file.", "Open…", shortcut="Ctrl+O")
    qtbot.addWidget(empty)
    with qtbot.waitSignal(empty.activated):
        empty.button.click()


# -- table ------------------------------------------------------------------------------------


@pytest.fixture
def gallery(qtbot):
    gallery = Gallery()
    qtbot.addWidget(gallery)
    gallery.resize(1280, 800)
    gallery.show()
    return gallery


def test_that_a_table_moves_selects_and_opens_by_keys(qtbot, gallery):
    table = gallery.table
    rows: list[int] = []
    table.current_row.connect(rows.append)
    table.select_row(0)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    with qtbot.waitSignal(table.opened) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert (rows, opened.args[0].row()) == ([0, 1], 1)


def test_that_a_table_paints_badges_chips_bars_and_the_accent_of_the_selection(gallery):
    gallery.table.select_row(1)
    gallery.table.clearFocus()
    seen = colours(gallery.table.viewport())
    assert {"#e4ecfc", "#fce8e8", "#36935e", "#dfe8fb", "#2a5bd7", "#e7eaee"} <= seen


def test_that_a_tables_fixed_columns_keep_their_width_and_one_takes_the_rest(gallery):
    table = gallery.table
    assert [table.columnWidth(c) for c in (1, 2, 3, 4)] == [208, 64, 110, 168]
    before = table.columnWidth(0)
    gallery.resize(1100, 800)
    gallery.grab()
    assert table.columnWidth(0) == before - 180


# -- confusion matrix -------------------------------------------------------------------------


@pytest.fixture
def matrix(qtbot):
    matrix = ConfusionMatrix(("your label", "the model answered", "found", "right"))
    matrix.set_counts(["yes", "no"], {("yes", "yes"): 9, ("yes", "no"): 1, ("no", "no"): 4})
    qtbot.addWidget(matrix)
    matrix.resize(400, 260)
    matrix.show()
    return matrix


def test_that_a_share_is_words_and_unknown_without_a_whole():
    assert (share(9, 10), share(0, 0)) == ("90\u00a0%", "–")
    assert shade(0, 10, right=True) == 0
    assert shade(10, 10, right=True) == pytest.approx(0.64)
    assert shade(10, 10, right=False) == pytest.approx(0.50)


def test_that_a_cell_is_chosen_by_keys_and_said_in_words(qtbot, matrix):
    assert matrix.accessibleName() == "your label yes, the model answered yes: 9"
    qtbot.keyClick(matrix, Qt.Key.Key_Right)
    assert matrix.accessibleName() == "your label yes, the model answered no: 1"
    with qtbot.waitSignal(matrix.cell_selected) as selected:
        qtbot.keyClick(matrix, Qt.Key.Key_Return)
    assert (selected.args, matrix.selected()) == (["yes", "no"], ("yes", "no"))
    with qtbot.waitSignal(matrix.cell_selected) as selected:
        qtbot.keyClick(matrix, Qt.Key.Key_Escape)
    assert (selected.args, matrix.selected()) == (["", ""], None)


def test_that_a_click_selects_a_cell_and_a_second_click_lets_go(qtbot, matrix):
    place = matrix.cell_rect(1, 0).center().toPoint()
    qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=place)
    assert matrix.selected() == ("no", "yes")
    qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=place)
    assert matrix.selected() is None
    qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert matrix.selected() is None


# -- forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "enum": ["a", "b"]}, FieldKind.CHOICE),
        ({"type": "string", "maxLength": 20}, FieldKind.LINE),
        ({"type": ["string", "null"]}, FieldKind.TEXT),
        ({"type": "integer"}, FieldKind.NUMBER),
        ({"type": "boolean"}, FieldKind.FLAG),
        ({"type": "array", "items": {"type": "string"}}, FieldKind.LIST),
        ({"type": "array", "items": {"type": "object"}}, FieldKind.JSON),
        ({"enum": [1, 2]}, FieldKind.JSON),
        ({}, FieldKind.JSON),
    ],
)
def test_that_a_schema_gets_the_control_that_suits(schema, kind):
    assert kind_of(schema) is kind


def test_that_texts_mean_values():
    assert from_text(FieldKind.LIST, "battery， sound、 , price") == ["battery", "sound", "price"]
    assert from_text(FieldKind.NUMBER, "2.5") == 2.5
    assert from_text(FieldKind.NUMBER, "two") == "two"
    assert from_text(FieldKind.NUMBER, " ") is None
    assert from_text(FieldKind.JSON, '{"a": [1]}') == {"a": [1]}


ANSWER = {
    "label": "b",
    "note": "a\nb",
    "n": 1.50,
    "ok": None,
    "tags": ["x, y", "z"],
    "raw": {"k": [1]},
    "other": 3,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "label": {"enum": ["a", "b"]},
        "note": {"type": "string"},
        "n": {"type": "number"},
        "ok": {"type": ["boolean", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "raw": {"type": "object"},
        "missing": {"type": "string", "maxLength": 9},
    },
}


@pytest.fixture
def form(qtbot):
    form = SchemaForm()
    qtbot.addWidget(form)
    form.set_schema(SCHEMA)
    form.set_value(ANSWER)
    form.show()
    return form


def test_that_what_is_not_touched_comes_back_unchanged(form):
    assert form.value() == ANSWER
    assert form.value()["tags"] == ["x, y", "z"]


def test_that_edits_come_back_typed_and_are_told(qtbot, form):
    changed: list[str] = []
    form.changed.connect(changed.append)
    number = form.fields["n"].control
    number.selectAll()
    qtbot.keyClicks(number, "7")
    form.fields["label"].control.setCurrentText("a")
    qtbot.keyClick(form.fields["ok"].control, Qt.Key.Key_Space)
    line = form.fields["missing"].control
    qtbot.keyClicks(line, "hi")
    value = form.value()
    assert (value["n"], value["label"], value["ok"], value["missing"]) == (7, "a", True, "hi")
    assert set(changed) == {"n", "label", "ok", "missing"}


def test_that_showing_another_answer_is_no_edit(form):
    changed: list[str] = []
    form.changed.connect(changed.append)
    form.set_value({"label": "not in the choices"})
    assert changed == []
    assert form.value() == {"label": "not in the choices"}


def test_that_a_finding_stands_at_its_field_with_shape_and_words(form):
    assert form.set_check("tags/0", BadgeState.REVIEW, "“x” is not in the list.")
    field: Field = form.fields["tags"]
    assert field._message.isVisible()
    assert field._shape.state is BadgeState.REVIEW
    assert field.control.property("state") == "review"
    assert field.control.accessibleDescription() == "“x” is not in the list."
    assert not form.set_check("nowhere", BadgeState.REVIEW, "no field")
    form.set_value(ANSWER)
    assert not field._message.isVisible()
    assert not field._shape.isVisible()


def test_that_a_form_can_be_read_only(qtbot, form):
    form.set_read_only(read_only=True)
    qtbot.keyClicks(form.fields["note"].control, "x")
    qtbot.keyClicks(form.fields["missing"].control, "x")
    assert form.value() == ANSWER
    assert not form.fields["label"].control.isEnabled()


# -- all of them ------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [Gallery, ChartGallery])
@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_that_all_widgets_paint_in_both_themes_without_a_complaint(qtbot, theme, make, choice):
    theme.choose(choice)
    page = make()
    qtbot.addWidget(page)
    page.resize(1280, 800)
    page.show()
    qtbot.wait(20)
    assert theme.tokens.base.lower() in colours(page)
