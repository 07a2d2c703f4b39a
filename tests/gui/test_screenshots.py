"""Pictures of every page in both themes and languages, to be looked at beside the mock-ups.

Into ``build/screenshots``; ``QT_SCALE_FACTOR=2`` in the environment, which Qt itself reads, makes
those of a 200 % screen, with ``-200`` in their names.
A page that grows the window, or paints nothing, fails.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from tests.gui.gallery import ChartGallery, Gallery

from batchdesk.domain.job import PracticeSpec, ProviderSpec
from batchdesk.gui.pages import PAGES
from batchdesk.gui.theme import ThemeChoice
from batchdesk.gui.window import MainWindow
from batchdesk.session import Session, read_job_file

FOLDER = Path(__file__).resolve().parents[2] / "build" / "screenshots"
SCALE = float(os.environ.get("QT_SCALE_FACTOR", "1"))
SUFFIX = "-200" if SCALE == 2 else ""
SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
GRID = [
    (choice, code, size)
    for choice in ("light", "dark")
    for code in ("en", "zh_CN")
    for size in ((1280, 800), (1024, 700))
    if size == (1280, 800) or (choice, code) == ("light", "en")
]


@pytest.fixture
def look(theme, language):
    return theme, language


async def make_project(path):
    """The English reviews, run through the practice server with a few faults."""
    session = await Session.open(path, create=True)
    dataset = await session.import_table(SAMPLES / "reviews-en.csv", key_column="id")
    practice = PracticeSpec(latency_s=0.02, faults={"503": 0.03, "reset": 0.03, "malformed": 0.03})
    provider = ProviderSpec(preset="practice", model="practice", practice=practice)
    job = read_job_file(SAMPLES / "reviews-en.toml").model_copy(update={"provider": provider})
    run_id = await session.make_run(job, dataset)
    await session.start(run_id)
    await session.wait(run_id)
    await session.close()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    path = tmp_path_factory.mktemp("finished") / "Reviews June.batchdesk"
    asyncio.run(make_project(path))
    return path


@pytest.fixture
def project(desk, finished, tmp_path):
    """A desk with a finished run, so that pages have something to show."""
    path = tmp_path / finished.name
    shutil.copy(finished, path)
    desk.open(path)
    return desk


def settle(qtbot, window):
    """Lets layouts, the first drawing of charts and what waits for a pause in typing happen."""
    for _ in range(6):
        qtbot.wait(30)
    pauses = [one for one in window.findChildren(QTimer) if one.isSingleShot()]
    qtbot.waitUntil(lambda: not any(one.isActive() for one in pauses), timeout=10_000)
    qtbot.wait(30)
    window.repaint()


@pytest.mark.parametrize("shot", GRID, ids=str)
@pytest.mark.parametrize("name", list(PAGES))
def test_that_a_page_fits_and_is_pictured(qtbot, look, project, name, shot):
    theme, language = look
    choice, code, size = shot
    theme.choose(ThemeChoice(choice))
    language(code)
    try:
        window = MainWindow(project, PAGES)
        window.page(name)
    except ModuleNotFoundError as missing:
        pytest.skip(f"no such page yet: {missing.name}")
    qtbot.addWidget(window, before_close_func=lambda one: one._desk.under_way.clear())
    window.resize(*size)
    window.show()
    for item in window.rail.items():
        item.set_reason("")
    window.go_to(name)
    settle(qtbot, window)
    picture = window.grab()
    FOLDER.mkdir(parents=True, exist_ok=True)
    narrow = "-1024" if size[0] == 1024 else ""
    language_name = code.partition("_")[0]
    picture.save(str(FOLDER / f"{name}-{choice}-{language_name}{narrow}{SUFFIX}.png"))
    assert (window.width(), window.height()) == size
    least = window.page(name).minimumSizeHint()
    assert (least.width() <= 1024 - 56, least.height() <= 700 - 44) == (True, True), least
    assert window.current_page == name


@pytest.mark.parametrize("choice", ["light", "dark"])
@pytest.mark.parametrize("make", [Gallery, ChartGallery])
def test_that_the_widgets_are_pictured(qtbot, theme, make, choice):
    theme.choose(ThemeChoice(choice))
    gallery = make()
    gallery.setAutoFillBackground(True)
    qtbot.addWidget(gallery)
    gallery.resize(1280, 800)
    gallery.show()
    settle(qtbot, gallery)
    FOLDER.mkdir(parents=True, exist_ok=True)
    picture = gallery.grab()
    picture.save(str(FOLDER / f"{make.__name__.lower()}-{choice}{SUFFIX}.png"))
    assert picture.width() == 1280 * SCALE
