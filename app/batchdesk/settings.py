"""The user's settings: one TOML file in the user's folder, typed, and safe to lose."""

from __future__ import annotations

import contextlib
import tomllib
from pathlib import Path
from typing import Literal

import platformdirs
import pydantic
import tomli_w

from batchdesk.domain.job import ProviderSpec, Spec
from batchdesk.domain.network import Network
from batchdesk.domain.price import PriceOverride

_RECENT = 8


class SavedProvider(Spec):
    """A provider that the person set up; its key is in the keyring or a variable."""

    name: str
    spec: ProviderSpec


class Settings(Spec):
    """Everything that is kept for the person rather than in a project.

    Attributes:
        language: ``system``, ``en`` or ``zh_CN``.
        theme: ``system``, ``light`` or ``dark``.
        reviewer: The name that decisions are signed with.
        recent: Project files, the latest first.
        geometry: The window's place, as Qt writes it, in base 64.
        projects: Where new projects are made; None: the usual folder.
        network: How this computer reaches services.
        prices: The person's own prices.
    """

    language: Literal["system", "en", "zh_CN"] = "system"
    theme: Literal["system", "light", "dark"] = "system"
    reviewer: str = ""
    recent: tuple[Path, ...] = ()
    providers: tuple[SavedProvider, ...] = ()
    geometry: str = ""
    projects: Path | None = None
    network: Network = Network()
    prices: tuple[PriceOverride, ...] = ()

    def with_recent(self, path: Path) -> Settings:
        """The settings with this project as the latest."""
        others = tuple(known for known in self.recent if known != path)
        return self.model_copy(update={"recent": (path, *others)[:_RECENT]})


def settings_file() -> Path:
    """Where the settings are kept."""
    folder = platformdirs.user_config_path("Batchdesk", appauthor=False, ensure_exists=True)
    return folder / "settings.toml"


def load_settings(path: Path) -> tuple[Settings, str | None]:
    """The settings, and why they could not be read (then they are the defaults)."""
    try:
        return Settings.model_validate(tomllib.loads(path.read_text("utf-8"))), None
    except FileNotFoundError:
        return Settings(), None
    except (OSError, RecursionError, ValueError) as error:  # TOML, UTF-8 and pydantic: ValueErrors
        with contextlib.suppress(OSError):  # kept aside, so that nothing of it is lost
            path.replace(path.with_suffix(".unreadable.toml"))
        return Settings(), _reason(error)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return "unknown keys or values" if isinstance(error, pydantic.ValidationError) else str(error)


def save_settings(settings: Settings, path: Path) -> None:
    """Write the settings; a kill leaves the old file or the new one."""
    draft = path.with_suffix(".new")
    values = settings.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    draft.write_text(tomli_w.dumps(values), "utf-8")
    draft.replace(path)
