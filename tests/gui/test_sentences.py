"""What a person reads of an error in the window's language."""

from __future__ import annotations

import ast
import importlib.util
import string
import sys
from pathlib import Path

import pytest

from batchdesk.domain.job import ProviderSpec
from batchdesk.errors import JobFileError, Phrase, ProjectError, TableError, UserError
from batchdesk.gui.sentences import sentence
from batchdesk.prepare.template import RowFilter, Template
from batchdesk.providers.connect import choose
from batchdesk.session import job_file

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPT = CHECKOUT / "packaging" / "translations.py"
CHINESE = CHECKOUT / "resources" / "i18n" / "zh_CN" / "errors.ts"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("translations_of_errors", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def refusal(call) -> UserError:
    with pytest.raises(UserError) as caught:
        call()
    return caught.value


# -- the translations are whole ----------------------------------------------------------------


def test_that_every_error_is_translated_with_the_same_fields(script):
    templates, hidden = script.error_templates()
    chinese = script.read(CHINESE)
    assert hidden == []
    assert {one.source for one in templates} == {one.source for one in chinese}
    assert len(templates) > 100
    for message, forms in chinese.items():
        assert [bool(form) for form in forms] == [True], message.source
        assert fields(forms[0]) == fields(message.source), message.source


def test_that_the_translations_keep_how_numbers_are_written(script):
    for message, (form,) in script.read(CHINESE).items():
        numbers = [part[1:3] for part in string.Formatter().parse(message.source) if part[2]]
        told = [part[1:3] for part in string.Formatter().parse(form) if part[2]]
        assert sorted(numbers) == sorted(told), message.source


def test_that_templates_are_found_in_subclasses_phrases_and_joined_words(script, tmp_path):
    (tmp_path / "a.py").write_text(
        "class OwnError(errors.TableError): ...\n"
        "class TableError(UserError): ...\n"
        "raise errors.UserError('one')\n"
        "raise TableError('two ' 'words', x=Phrase('three'))\n"
        "raise ValueError('not this')\n"
    )
    (tmp_path / "b.py").write_text("raise OwnError(WORDS)\n")
    (tmp_path / "gui").mkdir()
    (tmp_path / "gui" / "c.py").write_text("raise UserError(self.tr('translated'))\n")
    found, hidden = script.error_templates(tmp_path)
    assert {one.source for one in found} == {"one", "two words", "three"}
    assert hidden == ["b.py, line 1: the template is no literal"]


def test_that_an_update_keeps_what_is_translated_and_marks_what_is_new(script, tmp_path):
    path = tmp_path / "zh_CN" / "errors.ts"
    path.parent.mkdir()
    old, new, gone = (
        script.Message("errors", name, plural=False) for name in (" old", "new", "gone")
    )
    script.write_errors(path, {old, gone})
    text = path.read_text("utf-8")
    path.write_text(
        text.replace('<translation type="unfinished" />', "<translation>旧</translation>")
    )
    script.write_errors(path, {old, new})
    assert script.read(path) == {old: ["旧"], new: []}


def test_that_the_window_shows_no_error_in_its_raw_words():
    window = CHECKOUT / "app" / "batchdesk" / "gui"
    raw = [
        f"{path.name}, line {call.lineno}"
        for path in sorted(window.rglob("*.py"))
        if path.name != "sentences.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in user_errors_of(node)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call) == f"str({name})"
    ]
    assert raw == []


def user_errors_of(node: ast.AST) -> list[str]:
    """The names that stand for a UserError in a handler or a function."""
    if isinstance(node, ast.ExceptHandler) and node.type is not None and node.name is not None:
        return [node.name] if "UserError" in ast.unparse(node.type) else []
    if isinstance(node, ast.FunctionDef):
        typed = [(one.arg, one.annotation) for one in node.args.args]
        return [name for name, of in typed if of is not None and ast.unparse(of) == "UserError"]
    return []


# -- sentences ---------------------------------------------------------------------------------


def test_that_english_is_told_as_it_is():
    error = ProjectError("There is no project file {path}.", path=Path("p.batchdesk"))
    assert sentence(error) == "There is no project file p.batchdesk."


def test_that_an_error_is_told_in_chinese_with_its_values(language):
    language("zh_CN")
    template = "Line {line} of {name} has {cells} cells; at most {limit} are possible. Check the separator."
    error = TableError(template, line=7, name="a.csv", cells=9000, limit=5000)
    assert sentence(error) == "a.csv 的第 7 行有 9000 个单元格，最多只能有 5000 个。请检查分隔符。"


def test_that_phrases_and_errors_inside_are_told_in_chinese_too(language):
    language("zh_CN")
    error = UserError(
        "The job file {path} cannot be read: {reason}.",
        path="j.toml",
        reason=Phrase("it is not UTF-8 text"),
    )
    assert str(error) == "The job file j.toml cannot be read: it is not UTF-8 text."
    assert sentence(error) == "无法读取作业文件 j.toml：它不是 UTF-8 文本。"
    outer = UserError("The helper server could not start: {reason}", reason=error)
    assert sentence(outer) == "辅助服务器无法启动：无法读取作业文件 j.toml：它不是 UTF-8 文本。"


def test_that_the_words_of_other_exceptions_stay_as_they_are(language):
    language("zh_CN")
    error = JobFileError(
        "{name} is not valid TOML: {reason}.", name="j.toml", reason=ValueError("Bad {key}")
    )
    assert sentence(error) == "j.toml 不是有效的 TOML：Bad {key}。"


def test_that_words_translated_already_are_left_alone(language):
    language("zh_CN")
    assert sentence(UserError("请写 {{ 列 }}")) == "请写 {{ 列 }}"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "{{ textt }}",
            "阶段“s”的每行文本提到的列“textt”不在表格中。您是不是想写 'text'？",
        ),
        (
            "{{ zzzzzz }}",
            "阶段“s”的每行文本提到的列“zzzzzz”不在表格中。已有：text, Order No。",
        ),
        (
            "{{ Order No }}",
            (
                "阶段“s”的每行文本不是有效的模板，第 1 行："
                "expected token 'end of print statement', got 'No'。"
                '列“Order No”应写作 row["Order No"]。'
            ),
        ),
        (
            "{% if text %}{{ text | uper }}{% endif %}",
            "阶段“s”的每行文本不是有效的模板，第 1 行：没有名为“uper”的过滤器。",
        ),
    ],
)
def test_that_a_mistake_in_the_prompt_is_told_in_chinese(language, source, told):
    language("zh_CN")
    where = Phrase("The user text of stage {stage!r}", stage="s")
    assert sentence(refusal(lambda: Template(source, ["text", "Order No"], where=where))) == told


def test_that_a_mistake_in_the_filter_is_told_in_chinese(language):
    language("zh_CN")
    error = refusal(lambda: RowFilter("zzzzzz == 1", ["text"]))
    assert sentence(error) == "筛选条件 `where`提到的列“zzzzzz”不在表格中。已有：text。"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('nmae = "j"\n', "j.toml 第 1 行：顶层 中没有键“nmae”。您是不是想写 'name'？"),
        ("name = 1\n", "j.toml 第 1 行：顶层 中的“name”：应为引号中的文本。"),
    ],
)
def test_that_a_mistake_in_a_job_file_is_told_in_chinese(language, text, told):
    language("zh_CN")
    stage = '\n[[stages]]\nname = "s"\nuser = "x"\n[provider]\npreset = "practice"\n'
    error = refusal(lambda: job_file.parse_job(text + stage, "j.toml", Path()))
    assert sentence(error) == told


def test_that_an_unknown_service_is_told_in_chinese(language):
    language("zh_CN")
    error = refusal(lambda: choose(ProviderSpec(preset="practise")))
    assert sentence(error) == "没有名为“practise”的服务预设。您是不是想写 'practice'？"


def test_that_an_unfit_translation_falls_back_to_english(monkeypatch):
    error = ProjectError("There is no project file {path}.", path="p")
    for unfit in ("没有 {file}", "没有 {path", "没有 {0}", "没有 {path:d}", "没有 {path.name}"):
        monkeypatch.setattr(
            "batchdesk.gui.sentences.QCoreApplication.translate",
            lambda _context, _words, t=unfit: t,
        )
        assert sentence(error) == "There is no project file p."
