from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.network import Network
from batchdesk.domain.price import PriceOverride
from batchdesk.settings import SavedProvider, Settings, load_settings, save_settings

ALL = Settings(
    language="zh_CN",
    theme="dark",
    reviewer="李伟",
    recent=(Path("/a/b.batchdesk"),),
    providers=(
        SavedProvider(
            name="A",
            spec=ProviderSpec(
                preset="azure-openai",
                base_url="https://r.openai.azure.com",
                model="d",
                api_version="2024-10-21",
            ),
        ),
    ),
    projects=Path("/projects"),
    network=Network(proxy="http://proxy.example:8080", ca_file=Path("/ca.pem")),
    prices=(
        PriceOverride(
            host="api.example.com",
            model="m",
            currency="CNY",
            input=Decimal("0.15"),
            output=Decimal(2),
            cached_input=Decimal("0.01"),
            batch_share=Decimal("0.5"),
        ),
    ),
)


def test_that_everything_set_comes_back_from_the_file(tmp_path):
    file = tmp_path / "settings.toml"
    save_settings(ALL, file)
    assert load_settings(file) == (ALL, None)


def test_that_defaults_are_not_written_and_an_older_file_is_read(tmp_path):
    file = tmp_path / "settings.toml"
    save_settings(Settings(), file)
    assert file.read_text() == ""
    file.write_text('theme = "light"\n', encoding="utf-8")
    assert load_settings(file) == (Settings(theme="light"), None)


def test_that_a_file_that_cannot_be_read_is_kept_aside(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('[network]\nproxies = "x"\n', encoding="utf-8")
    assert load_settings(file) == (Settings(), "unknown keys or values")
    assert (tmp_path / "settings.unreadable.toml").read_text() == '[network]\nproxies = "x"\n'
    assert not file.exists()


def test_that_settings_of_very_many_brackets_are_set_aside(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("a = " + "[" * 100_000, "utf-8")
    assert load_settings(file) == (Settings(), "nested too deeply")
    assert (tmp_path / "settings.unreadable.toml").exists()
