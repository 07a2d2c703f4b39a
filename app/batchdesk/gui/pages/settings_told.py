"""What a service can do, and what it said when it was tried: models, limits, its answer.

A Service or a ProviderTest comes in, words go out. Names of models are plain text of the service.
"""

from __future__ import annotations

from PySide6.QtCore import QLocale, QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QVBoxLayout, QWidget

from batchdesk.domain.chat import LimitState, RateLimits
from batchdesk.gui.pages.settings_general import wrapped
from batchdesk.gui.theme import Type
from batchdesk.gui.words import Words
from batchdesk.session import ProviderTest, Service

_NAMES_SHOWN = 6
_SHOWN_ANSWER = 80


class Told(QWidget):
    """The outcome of a test, and what is known of the service before it.

    Attributes:
        models: Suggests the listed models while a name is typed.
    """

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.abilities = wrapped("", Type.LABEL, "text2")
        self.found = wrapped("", Type.LABEL, "text2")
        self._names = QStringListModel(self)
        self.models = QCompleter(self._names, self)
        self.models.setFilterMode(Qt.MatchFlag.MatchContains)
        self.models.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.abilities)
        column.addWidget(self.found)
        self.clear()

    def clear(self) -> None:
        """Nothing is known from a test."""
        self.found.setText("")
        self.found.hide()
        self._names.setStringList([])

    def show_service(self, service: Service) -> None:
        """Say what a service can do."""
        self.abilities.setText(self.abilities_of(service))

    def abilities_of(self, service: Service) -> str:
        """How it gives JSON, and what it lacks."""
        able = service.abilities
        parts = [
            {
                "json_schema": self.tr("JSON: held to the fields by the service"),
                "json_object": self.tr("JSON: yes, but the fields are only asked for in words"),
                "instruction": self.tr("JSON: only asked for in words"),
            }[able.structured_output]
        ]
        lacks = [
            word
            for has, word in (
                (able.logprobs, self.tr("probabilities of tokens")),
                (able.several, self.tr("several answers at once")),
                (able.seed, self.tr("a seed")),
            )
            if not has
        ]
        if lacks:
            comma = self.tr(", ", "between items of a list")
            parts.append(self.tr("without {0}").format(comma.join(lacks)))
        return self.tr("; ", "between statements").join(parts) + self.tr(".", "ends a sentence")

    def answer_of(self, test: ProviderTest) -> str:
        """Its answer, or that it only listed its models."""
        if test.seconds is None:
            return self.tr("It answered. Choose one of its models.")
        words = self.tr("It answered after {0}: “{1}”")
        return words.format(self._words.duration(test.seconds), test.text[:_SHOWN_ANSWER])

    def show_test(self, test: ProviderTest, model: str) -> None:
        """Show models and limits; ``model`` is the one that was asked."""
        lines = [self._models(test, model), self._limits(test.limits)]
        words = "\n".join(line for line in lines if line)
        self.found.setText(words)
        self.found.setVisible(bool(words))
        self._names.setStringList([one.name for one in test.models])

    def _models(self, test: ProviderTest, model: str) -> str:
        if test.no_list:
            return self.tr("It lists no models: {0}").format(test.no_list)
        if not test.models:
            return ""
        comma = self.tr(", ", "between items of a list")
        names = comma.join(one.name for one in test.models[:_NAMES_SHOWN])
        words = self.tr("%Ln model(s): {0}", "", len(test.models)).format(names)
        if len(test.models) > _NAMES_SHOWN:
            words += self.tr(" …")
        chosen = next((one for one in test.models if one.name == model), None)
        if chosen is not None and chosen.window:
            window = QLocale().toString(chosen.window)
            words += "\n" + self.tr("{0} takes {1} tokens at most.").format(model, window)
        elif model and chosen is None:
            words += "\n" + self.tr("{0} is not among them.").format(model)
        return words

    def _limits(self, limits: RateLimits) -> str:
        requests, tokens = _figure(limits.requests), _figure(limits.tokens)
        if requests and tokens:
            words = self.tr("Limits told: {0} requests and {1} tokens a minute.")
            return words.format(requests, tokens)
        if requests:
            return self.tr("Limit told: {0} requests a minute.").format(requests)
        if tokens:
            return self.tr("Limit told: {0} tokens a minute.").format(tokens)
        return self.tr("It tells no limits; a run finds them out.")


def _figure(limit: LimitState | None) -> str:
    return QLocale().toString(round(limit.limit)) if limit is not None else ""
