"""Where things are: the user's folders and the bundled resources.

Works in a checkout (``resources/`` beside ``app/``), in an installed wheel
(``batchdesk/resources/``) and in a frozen build (the same place inside the bundle).
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def resources() -> Path:
    """The folder of bundled resources: samples, later icons and translations."""
    inside = _PACKAGE / "resources"
    return inside if inside.is_dir() else _PACKAGE.parent.parent / "resources"


def user_data() -> Path:
    """The user's own data folder for Batchdesk; made if it is missing."""
    return Path(platformdirs.user_data_dir("Batchdesk", appauthor=False, ensure_exists=True))


def logs() -> Path:
    """The folder of log files, ``$BATCHDESK_LOGS`` where that is set; it may not exist yet."""
    named = os.environ.get("BATCHDESK_LOGS")
    return Path(named) if named else platformdirs.user_log_path("Batchdesk", appauthor=False)
