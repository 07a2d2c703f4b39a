"""A page inside a window of the usual size, as the frame holds it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def embedded(page, qtbot):
    """Show a page in a window around it; returns the page, which keeps the window alive."""
    around = QWidget()
    qtbot.addWidget(around)
    page.setParent(around)
    around.resize(1100, 740)
    page.resize(1100, 740)
    around.show()
    page.show()
    page.shown()
    vars(page)["around"] = around
    qtbot.waitExposed(around)
    return page
