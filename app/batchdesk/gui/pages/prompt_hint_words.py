"""Words for what the linter finds: a title, why it matters, and what the fix does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from batchdesk.gui.words import Words
from batchdesk.session.hints import Finding, LintCode


@dataclass(frozen=True, slots=True)
class HintText:
    """A hint for reading."""

    title: str
    why: str


class HintWords(QObject):
    """Findings in, words of the window's language out.

    Args:
        words: Numbers for people.
    """

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words

    def text(self, finding: Finding) -> HintText:
        """Title and explanation of a finding."""
        params = finding.params
        make = {
            LintCode.NO_FENCE: self._no_fence,
            LintCode.NO_OUTPUT_FORMAT: self._no_format,
            LintCode.VAGUE_QUANTITY: self._vague,
            LintCode.FIELDS_DIFFER: self._fields,
            LintCode.SYSTEM_LONGER: self._system,
            LintCode.HISTORY: self._history,
            LintCode.NO_UNKNOWN: self._unknown,
            LintCode.TEMPERATURE: self._temperature,
            LintCode.MAX_TOKENS: self._max_tokens,
            LintCode.CONCLUSION_FIRST: self._conclusion,
        }[finding.code]
        return make(dict(params))

    def _no_fence(self, params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("No marks around {0}").format(_listed(params.get("columns"))),
            self.tr(
                "A text in the data could pass for an instruction. The fix puts the data between "
                "marks that do not occur in it, and says what they mean."
            ),
        )

    def _no_format(self, _params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("No form of the answer"),
            self.tr("Say what the answer must look like, or give it fields; the fix makes one."),
        )

    def _vague(self, params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("Vague amount: “{0}”").format(params.get("word", "")),
            self.tr("Say it in numbers; the fix adds: {0}.").format(params.get("meaning", "")),
        )

    def _fields(self, params: dict[str, object]) -> HintText:
        if "asked" in params:
            return HintText(
                self.tr("“{0}” is asked for, but no field").format(params["asked"]),
                self.tr("The answer can hold only its fields. The fix adds this one."),
            )
        return HintText(
            self.tr("An example lacks the field “{0}”").format(params.get("missing", "")),
            self.tr("The model follows the example rather than the fields. Complete it."),
        )

    def _system(self, params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("The system text outweighs the data"),
            self.tr(
                "{0} tokens in every request, for {1} of data: {2} tokens over all rows. Shorten "
                "it, or leave out examples."
            ).format(*(self._count(params.get(name)) for name in _SYSTEM)),
        )

    def _history(self, params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("It speaks of other rows: “{0}”").format(params.get("words", "")),
            self.tr("Each row is asked by itself; the model sees no other row."),
        )

    def _unknown(self, _params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("Nothing for “the text does not say”"),
            self.tr("A model that may not say so invents something. The fix allows it."),
        )

    def _temperature(self, params: dict[str, object]) -> HintText:
        value = params.get("value")
        told = self._words.number(float(value), 1) if isinstance(value, int | float) else ""
        return HintText(
            self.tr("Temperature {0} for labels").format(told)
            if told
            else self.tr("No temperature set for labels"),
            self.tr("The same row gets other labels by chance. The fix sets it to 0."),
        )

    def _max_tokens(self, params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("Far more tokens allowed than needed"),
            self.tr("{0} at most, about {1} needed; one answer that runs on costs much.").format(
                self._count(params.get("value")), self._count(params.get("needed"))
            ),
        )

    def _conclusion(self, params: dict[str, object]) -> HintText:
        return HintText(
            self.tr("“{0}” is asked before “{1}”").format(
                params.get("conclusion", ""), params.get("reason", "")
            ),
            self.tr("Reasons given first make the conclusion better. The fix changes the order."),
        )

    def _count(self, value: object) -> str:
        return self._words.number(round(value) if isinstance(value, int | float) else None)


_SYSTEM = ("system_tokens", "data_tokens", "all_tokens")


def _listed(names: object) -> str:
    if isinstance(names, str) or not isinstance(names, Iterable):
        return str(names or "")
    return ", ".join(str(name) for name in names)
