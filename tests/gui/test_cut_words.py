"""Words that have no room: the end of a file's name stays, and the whole is in the tool tip."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStyleOptionViewItem, QToolTip

from batchdesk.gui.pages.data_table import TablePanel
from batchdesk.gui.theme import ROW_H
from batchdesk.gui.widgets.labels import ElidingLabel
from batchdesk.gui.widgets.table import Cell, TableView, cut_words
from batchdesk.gui.widgets.tiles import Tile
from batchdesk.gui.words import Words


@pytest.fixture
def table(qtbot):
    table = TableView(ROW_H)
    model = QStandardItemModel(1, 2, table)
    model.setItem(0, 0, QStandardItem("1,234,567 <b> rows"))
    model.setItem(0, 1, QStandardItem("12"))
    model.setData(model.index(0, 1), "a second line that is long", Cell.SECOND)
    table.setModel(model)
    qtbot.addWidget(table)
    return table


def test_that_a_cell_tells_what_its_column_cuts(table):
    first, second = table.model().index(0, 0), table.model().index(0, 1)
    assert cut_words(first, 400) == ""
    assert cut_words(first, 60) == "<p>1,234,567 &lt;b&gt; rows</p>"
    assert cut_words(second, 60) == "<p>a second line that is long</p>"


@pytest.mark.qt_log_ignore("does not support raise", extend=True)  # a real tool tip opens
def test_that_the_tool_tip_of_a_cell_is_what_it_cuts_unless_the_model_has_one(table, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, words, *_rest: told.append(words))
    index, option = table.model().index(0, 0), QStyleOptionViewItem()
    option.rect.setWidth(60)
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1))
    assert table.itemDelegate().helpEvent(event, table, option, index)
    assert told == ["<p>1,234,567 &lt;b&gt; rows</p>"]
    table.model().setData(index, "the model's own", Qt.ItemDataRole.ToolTipRole)
    table.itemDelegate().helpEvent(event, table, option, index)
    assert len(told) == 1


def test_that_a_tile_tells_each_line_that_it_cuts(qtbot):
    tile = Tile("Accuracy of answered rows")
    qtbot.addWidget(tile)
    tile.set("1,234,567", "of 1,234,567")
    tile.resize(400, 74)
    tile.grab()
    assert tile.toolTip() == ""
    tile.resize(130, 74)
    tile.grab()
    assert tile.toolTip() == "Accuracy of answered rows"

    tile.resize(84, 74)
    tile.grab()
    assert tile.toolTip() == "Accuracy of answered rows\n1,234,567\nof 1,234,567"


def test_that_a_tile_without_room_for_its_name_shows_its_short_one(qtbot):
    tile, short = Tile("Accuracy of answered rows", short="Right"), Tile("Right")
    for one in (tile, short):
        qtbot.addWidget(one)
        one.set("12")
        one.resize(130, 74)
    assert tile.grab().toImage() == short.grab().toImage()
    assert tile.toolTip() == "Accuracy of answered rows"
    tile.resize(400, 74)
    short.resize(400, 74)
    assert tile.grab().toImage() != short.grab().toImage()


def test_that_a_label_is_cut_in_the_middle_or_not_at_all(qtbot):
    label = ElidingLabel("reviews of June.csv", least=30)
    qtbot.addWidget(label)
    label.resize(80, 20)
    at_the_end = label.grab().toImage()
    label.cut_in_the_middle()
    assert label.grab().toImage() != at_the_end
    assert label.minimumSizeHint().width() == 30
    label.keep_whole()
    assert label.minimumSizeHint().width() == label.sizeHint().width()


def test_that_the_name_of_a_table_gives_way_to_its_counts(qtbot, desk):
    panel = TablePanel(desk, Words())
    qtbot.addWidget(panel)
    panel.set_title("a_very_long_name_of_a_table_" * 3, "1,234,567 rows · 12 columns")
    panel.resize(620, 300)
    panel.show()
    assert panel.subtitle.width() >= panel.subtitle.sizeHint().width()
    assert panel.title.width() < panel.title.sizeHint().width()
