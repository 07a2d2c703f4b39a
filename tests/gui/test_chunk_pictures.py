"""Pictures of the Data page with long texts cut, as it was read in and with a choice not read yet.

Into ``build/screenshots``, in both themes and languages.
"""

from __future__ import annotations

import pytest
from tests.gui.test_data_chunks import LONG, type_in
from tests.gui.test_screenshots import FOLDER, GRID, SUFFIX, settle

from batchdesk.gui.pages import PAGES
from batchdesk.gui.pages.data import DataPage
from batchdesk.gui.theme import ThemeChoice
from batchdesk.gui.window import MainWindow


@pytest.fixture
def contracts(desk, files, tmp_path):
    """A desk with a table whose second row is long."""
    path = tmp_path / "contracts.csv"
    path.write_text(f'id,text,city\nA,short,Bern\nB,"{LONG}",Basel\nC,also short,Chur\n', "utf-8")
    files.open_any(path)
    return desk


@pytest.mark.parametrize("shot", GRID, ids=str)
def test_that_the_group_of_long_texts_is_pictured(qtbot, theme, language, contracts, shot):
    choice, code, size = shot
    theme.choose(ThemeChoice(choice))
    language(code)
    window = MainWindow(contracts, PAGES)
    qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
    window.resize(*size)
    window.show()
    window.go_to("data")
    settle(qtbot, window)
    page = window.page("data")
    assert isinstance(page, DataPage)
    group = page.reading.chunks
    group.cut.click()
    type_in(group.overlap, "0")
    type_in(group.tokens, "40")
    settle(qtbot, window)
    FOLDER.mkdir(parents=True, exist_ok=True)
    narrow = "-1024" if size[0] == 1024 else ""
    name = f"{choice}-{code.partition('_')[0]}{narrow}{SUFFIX}.png"
    window.grab().save(str(FOLDER / f"data-chunks-chosen-{name}"))
    page.reading.again.click()
    qtbot.waitUntil(lambda: page.table.model.rowCount() == 4)
    settle(qtbot, window)
    window.grab().save(str(FOLDER / f"data-chunks-{name}"))
    assert (window.width(), window.height()) == size
