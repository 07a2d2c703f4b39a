"""What helps to write a prompt: a row tried, figures, hints, versions, the library, examples."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from PySide6.QtCore import Qt
from tests.gui.embedded import embedded

from batchdesk.domain.job import Example, PracticeSpec, ProviderSpec
from batchdesk.domain.price import Amount
from batchdesk.gui.pages.prompt import PromptPage
from batchdesk.gui.words_money import MoneyWords
from batchdesk.session import prompt_library, read_job_file, samples
from batchdesk.session.hints import LintCode

TABLE = "id,text,label\n" + "".join(
    f"r{n},text number {n} which is long,{'yes' if n % 2 else 'no'}\n" for n in range(1, 31)
)


@pytest.fixture(autouse=True)
def library(tmp_path, monkeypatch):
    """The person's folder of prompts."""
    folder = tmp_path / "prompts"
    monkeypatch.setattr(prompt_library, "library_folder", lambda: folder)
    return folder


@pytest.fixture
def page(desk, qtbot, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(TABLE)
    desk.open(tmp_path / "p.batchdesk")
    desk.import_table(path, "id")
    return embedded(PromptPage(desk), qtbot)


def click(qtbot, button):
    assert button.isEnabled(), button.toolTip()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def edit_stage(desk, **changes):
    stage = desk.job.stages[0].model_copy(update=changes)
    desk.edit_job(desk.job.model_copy(update={"stages": (stage,)}))


def faulty(desk, **faults):
    spec = ProviderSpec(preset="practice", practice=PracticeSpec(latency_s=0, faults=faults))
    desk.edit_job(desk.job.model_copy(update={"provider": spec}))


def settled(page, qtbot):
    for timer in (page.sent._timer, page.costs._timer, page.hints._timer):
        qtbot.waitUntil(lambda timer=timer: not timer.isActive())


# -- a row tried -----------------------------------------------------------------------------


def test_that_a_row_is_tried_and_its_raw_exchange_shown(desk, page, qtbot):
    faulty(desk)
    settled(page, qtbot)
    assert not page.trying.outcome.isVisible()
    click(qtbot, page.trying.button)
    outcome = page.trying.outcome
    assert outcome.isVisible()
    assert outcome.state.text() in {"Passed", "Review"}
    assert outcome.text.toPlainText().startswith("answer: ")
    click(qtbot, outcome.choice._buttons["request"])
    assert "text number 1 which is long" in outcome.text.toPlainText()
    click(qtbot, outcome.choice._buttons["response"])
    assert '"choices"' in outcome.text.toPlainText()
    assert desk.runs == []


def test_that_a_refusal_is_shown_with_the_service_s_own_words(desk, page, qtbot):
    faulty(desk, **{"500": 1.0})
    settled(page, qtbot)
    click(qtbot, page.trying.button)
    assert page.trying.outcome.state.text() == "service error"
    assert page.trying.outcome.text.toPlainText()


def test_that_an_outcome_goes_away_with_its_row_and_with_its_prompt(desk, page, qtbot):
    faulty(desk)
    settled(page, qtbot)
    click(qtbot, page.trying.button)
    click(qtbot, page.sent.after)
    assert not page.trying.outcome.isVisible()
    click(qtbot, page.trying.button)
    assert page.trying.outcome.isVisible()
    edit_stage(desk, system="Other words.")
    assert not page.trying.outcome.isVisible()


def test_that_a_prompt_that_cannot_be_filled_in_cannot_be_tried(desk, page, qtbot):
    edit_stage(desk, user="{{ texte }}")
    settled(page, qtbot)
    assert not page.trying.button.isEnabled()
    assert "texte" in page.trying.button.toolTip()


def test_that_any_row_is_gone_to_by_its_number(page, qtbot):
    qtbot.waitUntil(lambda: not page.sent._timer.isActive())
    for typed, key in (("17", "r17"), ("99", "r30"), ("0", "r30")):
        page.sent.number.setText(typed)
        qtbot.keyClick(page.sent.number, Qt.Key.Key_Return)
        assert page.sent.which.text() == f"of 30 · {key}"
    assert "from 1 on" in page.sent.number.toolTip()
    page.sent.number.setText("3")
    qtbot.keyClick(page.sent.number, Qt.Key.Key_Return)
    assert "text number 3 which" in page.sent.text.toPlainText()


# -- tokens and money ------------------------------------------------------------------------


def test_that_tokens_and_cost_of_the_row_and_of_all_are_shown(desk, page, qtbot):
    faulty(desk)
    settled(page, qtbot)
    assert page.costs.input.text().startswith("≈")
    assert page.costs.each.text() == "free"
    assert page.costs.whole.text() == "free"
    assert "same for every row" in page.costs.toolTip()


def test_that_a_model_without_a_price_tells_tokens_instead(desk, page, qtbot):
    spec = ProviderSpec(
        preset="openai-compatible", base_url="https://models.example/v1", model="m1"
    )
    desk.edit_job(desk.job.model_copy(update={"provider": spec}))
    settled(page, qtbot)
    assert page.costs.each.text() == "–"
    assert page.costs.whole.text().endswith("tokens")
    assert "price of this model is not known" in page.costs.toolTip()


@pytest.mark.parametrize(
    ("micros", "currency", "words"),
    [
        (6_600_000, "USD", "$6.60"),
        (1300, "CNY", "¥0.0013"),
        (12_345_678_900, "EUR", "€12,345.68"),
        (2_000_000, "CHF", "CHF\u00a02.00"),
        (0, "USD", "free"),
    ],
)
def test_that_an_amount_has_its_sign_and_as_many_digits_as_tell(qapp, micros, currency, words):
    assert MoneyWords().amount(Amount(Decimal(micros), currency)) == words


# -- hints -----------------------------------------------------------------------------------


def test_that_a_hint_says_why_and_its_fix_takes_it_away(desk, page, qtbot):
    edit_stage(desk, system="Answer briefly.")
    settled(page, qtbot)
    line = next(one for one in page.hints.lines if one.finding.code is LintCode.VAGUE_QUANTITY)
    assert line.text.title == "Vague amount: “briefly”"
    click(qtbot, line.place)
    assert page.texts.system.textCursor().selectedText() == "briefly"
    before = len(page.hints.lines)
    click(qtbot, line.fix)
    settled(page, qtbot)
    assert desk.job.stages[0].system != "Answer briefly."
    assert page.texts.system.toPlainText() == desk.job.stages[0].system
    assert len(page.hints.lines) == before - 1


def test_that_data_without_marks_is_fenced_by_its_fix(desk, page, qtbot):
    edit_stage(desk, user="{{ text }}")
    settled(page, qtbot)
    line = next(one for one in page.hints.lines if one.finding.code is LintCode.NO_FENCE)
    click(qtbot, line.fix)
    settled(page, qtbot)
    assert "fenced" in page.texts.user.toPlainText()
    assert all(one.finding.code is not LintCode.NO_FENCE for one in page.hints.lines)
    assert "<data-" in page.sent.text.toPlainText()


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("orders", []),
        ("reviews-zh", []),
        ("reviews-en", [LintCode.NO_FENCE]),  # its small model answers worse with marks
    ],
)
def test_that_a_sample_passes_the_check_on_the_page(desk, qtbot, tmp_path, name, codes):
    (sample,) = [one for one in samples() if one.name == name]
    desk.open(tmp_path / "sample.batchdesk")
    desk.import_table(sample.table, "id")
    desk.edit_job(read_job_file(sample.job_file))
    page = embedded(PromptPage(desk), qtbot)
    qtbot.waitUntil(lambda: page.costs.mean is not None)
    settled(page, qtbot)
    assert [one.finding.code for one in page.hints.lines] == codes


# -- versions --------------------------------------------------------------------------------


def test_that_versions_are_compared_and_one_can_be_returned_to(desk, page, qtbot):
    edit_stage(desk, system="First words.")
    page.saving.save()
    desk.start_new_run(limit=1)  # a version that a run used is kept
    edit_stage(desk, system="New words.")
    page.saving.save()
    assert [one.version for one in page.versions.versions] == [2, 1]
    click(qtbot, page.versions.all)
    box = page.versions.box
    assert box.isVisible()
    assert "+ New words." in box.text.toPlainText()
    click(qtbot, box.back)
    assert not box.isVisible()
    assert desk.job.stages[0].system == "First words."
    assert page.texts.system.toPlainText() == "First words."


def test_that_a_version_that_says_the_same_cannot_be_returned_to(desk, page, qtbot):
    page.saving.save()
    click(qtbot, page.versions.lines[0])
    assert not page.versions.box.back.isEnabled()
    qtbot.keyClick(page.versions.box.list, Qt.Key.Key_Escape)
    assert not page.versions.box.isVisible()


def test_that_a_version_that_was_replaced_is_compared_as_it_is_now(desk, page, qtbot):
    edit_stage(desk, system="First words.")
    page.saving.save()
    edit_stage(desk, system="New words.")
    page.saving.save()  # within minutes, so in the place of the first
    assert [one.version for one in page.versions.versions] == [1]
    click(qtbot, page.versions.lines[0])
    assert page.versions.box.text.toPlainText() == "The present one says the same."
    assert not page.versions.box.back.isEnabled()


# -- library ---------------------------------------------------------------------------------


def test_that_a_prompt_is_kept_used_and_forgotten(desk, page, qtbot, library):
    edit_stage(desk, system="Kept words.")
    click(qtbot, page.library)
    box = page.taking.box
    assert not box.use.isEnabled()
    box.name.setText("Mine")
    click(qtbot, box.keep)
    assert [one.name for one in library.iterdir()] == ["Mine.prompt.json"]
    assert "Kept words." in box.text.toPlainText()
    edit_stage(desk, system="Other words.")
    click(qtbot, box.use)
    assert page.texts.system.toPlainText() == "Kept words."
    click(qtbot, page.library)
    click(qtbot, box.forget)
    assert list(library.iterdir()) == []
    assert not box.use.isEnabled()


# -- examples --------------------------------------------------------------------------------


def test_that_labelled_rows_become_examples_once(desk, page, qtbot):
    unlabelled = desk.job.data.model_copy(update={"label": None})  # the label was guessed
    desk.edit_job(desk.job.model_copy(update={"data": unlabelled}))
    assert not page.examples.labelled.isVisibleTo(page)
    data = desk.job.data.model_copy(update={"label": "label"})
    desk.edit_job(desk.job.model_copy(update={"data": data}))
    assert page.examples.labelled.isVisibleTo(page)
    page.examples.labelled.click()
    found: tuple[Any, ...] = desk.job.stages[0].examples
    assert [one.assistant for one in found] == ['{"answer": "yes"}', '{"answer": "no"}']
    assert isinstance(found[0], Example)
    page.examples.labelled.click()
    assert len(desk.job.stages[0].examples) == 2
    assert page.examples.message.text() == "They are all there already."
