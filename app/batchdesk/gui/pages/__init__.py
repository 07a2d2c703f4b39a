"""One page of the window per module. Pages know the desk and the widgets, never each other.

``PAGES`` says which there are, in the order of work; a page's module is imported at its first
visit, so that the window opens before anything heavy is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType

from PySide6.QtWidgets import QWidget

from batchdesk.gui.desk import Desk

PageFactory = Callable[[Desk], QWidget]


def _page(module: str, name: str) -> PageFactory:
    def make(desk: Desk) -> QWidget:
        page: QWidget = getattr(import_module(f"batchdesk.gui.pages.{module}"), name)(desk)
        return page

    return make


PAGES: Mapping[str, PageFactory] = MappingProxyType(
    {
        "runs": _page("runs", "RunsPage"),
        "data": _page("data", "DataPage"),
        "prompt": _page("prompt", "PromptPage"),
        "preview": _page("preview", "PreviewPage"),
        "run": _page("run", "RunPage"),
        "review": _page("review", "ReviewPage"),
        "results": _page("results", "ResultsPage"),
        "settings": _page("settings", "SettingsPage"),
    }
)
