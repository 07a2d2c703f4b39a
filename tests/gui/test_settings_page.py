"""The Settings page with real widgets: services, keys, the test, language, look and reviewer."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.network import Network
from batchdesk.gui.desk_files import files_of
from batchdesk.gui.pages.settings import SettingsPage
from batchdesk.gui.theme import ThemeChoice
from batchdesk.providers.child import ChildServer, child_command
from batchdesk.session import has_stored_key, key_account, services, takes_stored_key
from batchdesk.settings import load_settings, save_settings

KEY = "sk-do-not-show-me-1234567890"
ENDS = Qt.MouseButton.LeftButton


class Memory(KeyringBackend):
    """A keyring that forgets at the end of the test."""

    priority = 1

    def __init__(self):
        super().__init__()
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password


@pytest.fixture(autouse=True)
def memory():
    before = keyring.get_keyring()
    memory = Memory()
    keyring.set_keyring(memory)
    yield memory
    keyring.set_keyring(before)


@pytest.fixture
def page(desk, qtbot):
    page = SettingsPage(desk)
    qtbot.addWidget(page)
    page.resize(1100, 740)
    page.show()
    qtbot.waitExposed(page)
    return page


def click(qtbot, button):
    assert button.isEnabled(), button.toolTip()
    qtbot.mouseClick(button, ENDS)


def choose(control, value):
    place = control.findData(value)
    assert place >= 0
    control.setCurrentIndex(place)
    control.activated.emit(place)


def fill(page, qtbot, preset="openai-compatible", **values):
    click(qtbot, page.add)
    choose(page.form.preset, preset)
    for name, text in values.items():
        line = getattr(page.form, name)
        line.setFocus()
        line.selectAll()
        qtbot.keyClicks(line, text)
    page.form.save.setFocus()


@pytest.fixture
def server(desk):
    """The practice server as a service of its own, with a key."""
    child = ChildServer(child_command("practice", "--api-key", KEY, "--latency", "0"))
    address = desk.engine.loop.run_until_complete(child.start(30))
    yield f"{address.base_url}/v1"
    desk.engine.loop.run_until_complete(child.stop())


def test_that_a_service_is_saved_and_its_key_goes_to_the_keyring_alone(
    desk, page, qtbot, memory, tmp_path
):
    fill(page, qtbot, "deepseek", name="Mine", model="deepseek-chat", key=KEY)
    assert page.form.key.echoMode() is QLineEdit.EchoMode.Password
    click(qtbot, page.form.save)
    [one] = desk.settings.providers
    assert (one.name, one.spec.preset, one.spec.model) == ("Mine", "deepseek", "deepseek-chat")
    assert one.spec.base_url is None  # the preset's own
    assert memory.kept == {("Batchdesk", "api.deepseek.com"): KEY}
    assert page.form.key.text() == ""
    assert page.form.key.placeholderText() == "stored; type to replace it"
    assert page.form.key_state.text() == "A key is stored for api.deepseek.com."
    save_settings(desk.settings, tmp_path / "settings.toml")
    assert KEY not in (tmp_path / "settings.toml").read_text()
    assert load_settings(tmp_path / "settings.toml") == (desk.settings, None)
    assert [line.text() for line in page.lines] == ["Mine   deepseek-chat, api.deepseek.com"]


def test_that_a_stored_key_is_never_shown_and_can_be_forgotten(desk, page, qtbot, memory):
    fill(page, qtbot, "openai", name="A", model="m", key=KEY)
    click(qtbot, page.form.save)
    click(qtbot, page.add)
    click(qtbot, page.lines[0])
    shown = [line.text() + line.placeholderText() for line in page.findChildren(QLineEdit)]
    assert not any(KEY in text for text in shown)
    click(qtbot, page.form.forget)
    assert not has_stored_key(desk.settings.providers[0].spec)
    assert page.form.key.placeholderText() == "not stored"
    assert page.form.key_state.text() == (
        "No key is stored for api.openai.com; the variable OPENAI_API_KEY is tried, too."
    )


def test_that_without_a_keyring_the_ways_out_are_offered_and_nothing_is_saved(
    desk, page, qtbot, monkeypatch
):
    keyring.set_keyring(NoKeyring())
    fill(page, qtbot, "openai", name="A", model="m", key=KEY)
    click(qtbot, page.form.save)
    assert page.form.message.text().startswith(
        "This computer has no keyring, so the key was not stored. Set an environment variable to "
        "it before Batchdesk starts ("
    )
    assert desk.settings.providers == ()
    click(qtbot, page.form.for_now)
    assert page.form.message.text() == "The key is used until Batchdesk is closed, then it is gone."
    assert page.form.key_state.text() == "A key is stored for api.openai.com."
    assert not page.form.for_now.isVisibleTo(page)
    keyring.set_keyring(NoKeyring())  # as at the next start
    qtbot.keyClicks(page.form.variable, "MY_KEY")
    click(qtbot, page.form.save)
    assert desk.settings.providers[0].spec.api_key_env == "MY_KEY"
    assert page.form.key_state.text() == "The key is taken from this variable, and nowhere else."


def test_that_a_key_typed_as_a_variable_is_refused_without_repeating_it(desk, page, qtbot):
    fill(page, qtbot, "openai", name="A", model="m", variable=KEY)
    click(qtbot, page.form.save)
    assert "takes the name of an environment variable" in page.form.message.text()
    assert KEY not in page.form.message.text()
    assert desk.settings.providers == ()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": " "}, "Give the service a name."),
        ({"name": "A"}, "Write the address of the service, such as https://host/v1."),
        (
            {"name": "A", "address": "https://h/v1"},
            "Write the name under which the service knows the model.",
        ),
    ],
)
def test_that_what_is_missing_is_said(desk, page, qtbot, values, sentence):
    fill(page, qtbot, **values)
    click(qtbot, page.form.save)
    assert page.form.message.text() == sentence
    assert desk.settings.providers == ()


def test_that_a_server_without_keys_gets_no_key_field(page, qtbot):
    fill(page, qtbot, "ollama", name="Here", model="qwen3")
    assert not page.form.key.isVisibleTo(page)
    assert page.form.address.text() == "http://127.0.0.1:11434/v1"
    assert page.form.key_state.text().startswith("Such a server takes no key")
    taking = {one.preset for one in services() if not one.is_built_in} - {
        "ollama", "lm-studio", "vllm", "llama.cpp",
    }  # fmt: skip
    asked = {one.preset for one in services() if takes_stored_key(ProviderSpec(preset=one.preset))}
    assert asked == taking
    assert key_account(ProviderSpec(base_url="http://[::1")) == ""


def test_that_the_test_asks_the_service_with_its_stored_key(page, qtbot, server, memory):
    fill(page, qtbot, name="Near", address=server, model="practice", key=KEY)
    click(qtbot, page.form.test)
    words = page.form.message.text()
    assert re.match(r"It answered after [0-9.]+\sm?s: “", words)
    assert list(memory.kept.values()) == [KEY]
    assert page.form.test.isEnabled()
    assert page.form.told.found.text().split("\n")[0] == "1 model: practice"


def test_that_a_test_without_a_model_offers_the_services_own(page, qtbot, server):
    fill(page, qtbot, name="Near", address=server, key=KEY)
    click(qtbot, page.form.test)
    assert page.form.message.text() == "It answered. Choose one of its models."
    assert page.form.told.models.model().stringList() == ["practice"]
    assert page.form.model.hasFocus()
    qtbot.keyClicks(page.form.model, "other")
    click(qtbot, page.form.test)
    assert "other is not among them." in page.form.told.found.text()


def test_that_the_test_shows_the_services_own_words(page, qtbot, server):
    fill(page, qtbot, name="Near", address=server, model="practice", key="sk-other")
    click(qtbot, page.form.test)
    words = page.form.message.text()
    assert words.startswith("The service did not answer: ")
    assert len(words) > len("The service did not answer: .")
    assert page.form.test.isEnabled()


def test_that_a_service_is_renamed_in_place_and_removed(desk, page, qtbot):
    for name in ("A", "B"):
        fill(page, qtbot, "ollama", name=name, model="m")
        click(qtbot, page.form.save)
    click(qtbot, page.lines[0])
    page.form.name.setText("B")
    click(qtbot, page.form.save)
    assert page.form.message.text() == "Another service has this name; give this one another."
    page.form.name.setText("C")
    click(qtbot, page.form.save)
    assert [one.name for one in desk.settings.providers] == ["C", "B"]
    click(qtbot, page.form.remove)
    assert [one.name for one in desk.settings.providers] == ["B"]
    assert not page.form_panel.isVisibleTo(page)


def test_that_the_look_changes_at_once_and_is_kept(desk, page, theme):
    choose(page.general.theme, "dark")
    assert theme.choice is ThemeChoice.DARK
    assert theme.tokens.dark
    assert desk.settings.theme == "dark"
    choose(page.general.theme, "light")
    assert not theme.tokens.dark


def test_that_the_language_is_kept_and_says_when_it_changes(desk, page):
    assert not page.general.restart.isVisibleTo(page)
    choose(page.general.language, "zh_CN")
    assert desk.settings.language == "zh_CN"
    assert page.general.restart.text() == "The language changes when Batchdesk is started again."
    choose(page.general.language, "system")
    assert not page.general.restart.isVisibleTo(page)


def test_that_the_reviewers_name_is_kept_also_when_the_page_is_left(desk, page, qtbot):
    qtbot.keyClicks(page.general.reviewer, "Li Wei")
    qtbot.keyClick(page.general.reviewer, Qt.Key.Key_Return)
    assert desk.settings.reviewer == "Li Wei"
    page.general.reviewer.setText("Ada")
    page.hide()
    assert desk.settings.reviewer == "Ada"


def test_that_places_and_versions_are_told(page):
    told = [line.text() for line in page.places.lines]
    assert told[0].endswith("settings.toml")
    assert told[3].startswith("Batchdesk ")
    assert all(line.isReadOnly() for line in page.places.lines)


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_that_the_page_fits_a_small_window(desk, qtbot, language, code):
    language(code)
    page = SettingsPage(desk)
    qtbot.addWidget(page)
    page.choose("")
    hint = page.minimumSizeHint()
    assert hint.width() <= 1024 - 56
    assert hint.height() <= 700 - 44


def test_that_a_new_service_can_be_given_up(desk, page, qtbot):
    click(qtbot, page.add)
    assert page.form.cancel.isVisibleTo(page)
    click(qtbot, page.form.cancel)
    assert not page.form_panel.isVisibleTo(page)
    assert desk.settings.providers == ()


def test_that_azure_is_set_up_with_deployment_and_version(desk, page, qtbot):
    fill(page, qtbot, "openai", name="B", model="m")
    assert not page.form.version.isVisibleTo(page)
    choose(page.form.preset, "azure-openai")
    assert page.form.version.isVisibleTo(page)
    assert page.form.address.placeholderText() == "https://NAME.openai.azure.com"
    page.form.address.setText("https://mine.openai.azure.com")
    page.form.version.setText("2024 10")
    click(qtbot, page.form.save)
    assert page.form.message.text() == ("Write the API version like 2024-10-21, or leave it empty.")
    page.form.version.setText("2024-10-21")
    click(qtbot, page.form.save)
    [one] = desk.settings.providers
    assert (one.spec.preset, one.spec.api_version) == ("azure-openai", "2024-10-21")


def test_that_what_a_service_can_do_and_where_keys_are_got_is_told(page, qtbot):
    fill(page, qtbot, "anthropic", name="C", model="m")
    assert page.form.told.abilities.text() == (
        "JSON: only asked for in words; without probabilities of tokens, several answers at once, "
        "a seed."
    )
    assert page.form.get_key.toolTip() == "https://platform.claude.com/settings/keys"
    choose(page.form.preset, "vllm")
    assert page.form.told.abilities.text() == "JSON: held to the fields by the service."
    assert not page.form.get_key.isVisibleTo(page)


# -- network ------------------------------------------------------------------------------------


def test_that_a_proxy_is_kept_with_its_scheme_once_it_is_one(desk, page, qtbot):
    network = page.network
    assert not network.proxy.isVisibleTo(page)
    choose(network.way, "own")
    qtbot.keyClicks(network.proxy, "socks5://h:1")
    qtbot.keyClick(network.proxy, Qt.Key.Key_Return)
    assert network.message.text().startswith("That is no proxy's address that can be used.")
    assert desk.settings.network.proxy == ""
    network.proxy.clear()
    qtbot.keyClicks(network.proxy, "proxy.example:8080")
    qtbot.keyClick(network.proxy, Qt.Key.Key_Return)
    assert desk.settings.network.proxy == "http://proxy.example:8080"
    assert not network.message.isVisibleTo(page)
    choose(network.way, "none")
    assert desk.settings.network.proxy == "none"
    choose(network.way, "")
    assert desk.settings.network.proxy == ""


def test_that_a_file_of_certificates_is_checked_kept_and_removed(desk, page, qtbot, tmp_path):
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("nothing")
    page.network.keep_file(wrong)
    assert "holds none that can be read" in page.network.message.text()
    assert desk.settings.network == Network()
    import certifi

    page.network.keep_file(Path(certifi.where()))
    assert desk.settings.network.ca_file == Path(certifi.where())
    assert page.network.file.text() == certifi.where()
    click(qtbot, page.network.remove)
    assert desk.settings.network == Network()


def test_that_network_and_prices_survive_the_settings_file(desk, page, qtbot, tmp_path):
    fill(page, qtbot, "openai", name="A", model="gpt-4o-mini")
    click(qtbot, page.form.save)
    choose(page.network.way, "none")
    page.prices.input.setText("0.1")
    page.prices.output.setText("0.2")
    click(qtbot, page.prices.save)
    file = tmp_path / "settings.toml"
    save_settings(desk.settings, file)
    assert load_settings(file) == (desk.settings, None)


# -- prices -------------------------------------------------------------------------------------


def test_that_the_list_price_of_a_saved_service_is_shown(page, qtbot):
    assert page.prices.none.isVisibleTo(page)
    fill(page, qtbot, "openai", name="A", model="gpt-4o-mini")
    click(qtbot, page.form.save)
    assert page.prices.listed.text().startswith(
        "List price: USD 0.15 for input and 0.60 for output (genai-prices "
    )
    assert page.prices.cached.placeholderText() == "0.075"
    assert not page.prices.forget.isVisibleTo(page)


def test_that_ones_own_price_is_kept_shown_and_removed(desk, page, qtbot):
    fill(page, qtbot, "ollama", name="Here", model="qwen3")
    click(qtbot, page.form.save)
    assert page.prices.listed.text() == ("No list price is known for this model at this address.")
    page.prices.currency.setCurrentText("CNY")
    for line, text in (
        (page.prices.input, "1,5"),
        (page.prices.output, "¥6"),
        (page.prices.batch, "50"),
    ):
        line.setText(text)
    click(qtbot, page.prices.save)
    [price] = desk.settings.prices
    assert (price.host, price.model, price.currency) == ("127.0.0.1:11434", "qwen3", "CNY")
    assert (price.input, price.output, price.cached_input) == (Decimal("1.5"), Decimal(6), None)
    assert price.batch_share == Decimal("0.5")
    assert (page.prices.input.text(), page.prices.batch.text()) == ("1.5", "50")
    click(qtbot, page.prices.forget)
    assert desk.settings.prices == ()
    assert page.prices.input.text() == ""


@pytest.mark.parametrize("text", ["", "-1", "free", "NaN"])
def test_that_what_is_no_price_is_said_and_not_kept(desk, page, qtbot, text):
    fill(page, qtbot, "ollama", name="Here", model="qwen3")
    click(qtbot, page.form.save)
    page.prices.input.setText(text)
    page.prices.output.setText("2")
    click(qtbot, page.prices.save)
    assert page.prices.message.text().startswith("Write prices as numbers of 0 or more")
    assert desk.settings.prices == ()


def test_that_new_projects_go_where_the_person_says(desk, page, tmp_path):
    page.places.keep_folder(tmp_path / "mine")
    assert desk.settings.projects == tmp_path / "mine"
    assert files_of(desk).folder == tmp_path / "mine"
    assert page.places.lines[1].text() == str(tmp_path / "mine")
