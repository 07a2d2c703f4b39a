"""Pictures of what the Data, Prompt and Preview pages show once something was done on them.

Into ``build/screenshots`` like those of the pages as they open.
"""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QScrollArea
from tests.gui.test_preview_page import wait
from tests.gui.test_screenshots import FOLDER, SAMPLES, SUFFIX, settle

from batchdesk.domain.clean import DuplicatesStep, LengthStep, MaskStep, NormaliseStep
from batchdesk.gui.pages import PAGES
from batchdesk.gui.pages.data import DataPage
from batchdesk.gui.pages.preview import PreviewPage
from batchdesk.gui.theme import ThemeChoice
from batchdesk.gui.window import MainWindow
from batchdesk.session import read_job_file

SHOTS = [
    ("light", "en", (1280, 800)),
    ("light", "zh_CN", (1024, 700)),
    ("dark", "zh_CN", (1280, 800)),
]
EXTRA = (
    "x-1,Call me at +44 20 7946 0958  or ann@example.com about the refund.,negative,lamp,1\n"
    "x-2,Twice the same.,neutral,lamp,3\n"
    "x-3,Twice the same.,neutral,lamp,3\n"
)


@pytest.fixture
def prepared_desk(desk, tmp_path):
    """The English reviews with equal rows and personal data, and steps that find them."""
    table = tmp_path / "reviews.csv"
    table.write_text((SAMPLES / "reviews-en.csv").read_text("utf-8-sig") + EXTRA, "utf-8")
    desk.open(tmp_path / "Reviews June.batchdesk")
    desk.import_table(table, "id")
    steps = (
        NormaliseStep(step="normalise"),
        DuplicatesStep(step="duplicates"),
        MaskStep(step="mask"),
        LengthStep(step="length", window=4000),
    )
    desk.edit_job(read_job_file(SAMPLES / "reviews-en.toml").model_copy(update={"clean": steps}))
    return desk


@pytest.fixture
def window_of(qtbot, theme, language, prepared_desk):
    def make(shot, name):
        choice, code, size = shot
        theme.choose(ThemeChoice(choice))
        language(code)
        window = MainWindow(prepared_desk, PAGES)
        qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
        window.resize(*size)
        window.show()
        window.go_to(name)
        settle(qtbot, window)
        return window, window.page(name)

    return make


def save(window, name, shot):
    choice, code, size = shot
    FOLDER.mkdir(parents=True, exist_ok=True)
    narrow = "-1024" if size[0] == 1024 else ""
    language_name = code.partition("_")[0]
    window.grab().save(str(FOLDER / f"{name}-{choice}-{language_name}{narrow}{SUFFIX}.png"))
    assert (window.width(), window.height()) == size


def to_the_end(page):
    """Every scroll area of a page scrolled down."""
    for area in page.findChildren(QScrollArea):
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())


@pytest.mark.parametrize("shot", SHOTS, ids=str)
def test_that_cleaning_with_its_counts_and_samples_is_pictured(qtbot, window_of, shot):
    window, page = window_of(shot, "data")
    assert isinstance(page, DataPage)
    mask = next(one for one in page.cleaning.lines if one.name == "mask")
    mask.samples.click()
    settle(qtbot, window)
    to_the_end(page)
    settle(qtbot, window)
    save(window, "data-cleaned", shot)
    assert mask.count.text() == "1"
    assert "[EMAIL_1]" in page.cleaning.detail.text()


@pytest.mark.parametrize("shot", SHOTS, ids=str)
def test_that_the_choices_of_what_is_masked_are_pictured(qtbot, window_of, shot):
    window, page = window_of(shot, "data")
    assert isinstance(page, DataPage)
    masks = page.cleaning.masks
    masks.open.click()
    for name, pattern in (("ORDER", r"[A-Z]-\d{5}"), ("CASE", "(ab")):
        masks.add.click()
        qtbot.keyClicks(masks.lines[-1].name, name)
        qtbot.keyClicks(masks.lines[-1].pattern, pattern)
    settle(qtbot, window)
    to_the_end(page)
    settle(qtbot, window)
    save(window, "data-masks", shot)
    assert masks.lines[1].fault.isVisible()


@pytest.mark.parametrize("shot", SHOTS, ids=str)
def test_that_the_lower_parts_of_the_prompt_page_are_pictured(qtbot, window_of, shot):
    window, page = window_of(shot, "prompt")
    to_the_end(page)
    settle(qtbot, window)
    save(window, "prompt-below", shot)
    assert any(area.verticalScrollBar().value() > 0 for area in page.findChildren(QScrollArea))


# Each runs a pilot for real, half a minute long: the suite takes one.
@pytest.mark.parametrize(
    "shot",
    [SHOTS[0], *(pytest.param(shot, marks=pytest.mark.benchmark) for shot in SHOTS[1:])],
    ids=str,
)
def test_that_rows_that_were_tried_and_a_pilot_are_pictured(qtbot, window_of, prepared_desk, shot):
    window, page = window_of(shot, "preview")
    assert isinstance(page, PreviewPage)
    page.strip.start.click()
    wait(prepared_desk)
    page._read()
    settle(qtbot, window)
    save(window, "preview-tried", shot)
    page.forecast.pilot.click()
    wait(prepared_desk)
    window.go_to("preview")
    settle(qtbot, window)
    save(window, "preview-pilot", shot)
    assert page.pilot.isVisible()
    assert page.model.rowCount() == 20
