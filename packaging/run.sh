#!/usr/bin/env bash
# Installs Batchdesk beside its code and opens its window on the sample project; where there is no
# screen, or with --headless, it runs the sample job in the terminal. The second time takes seconds.
#
#   bash packaging/run.sh [--headless] [--project-dir FOLDER] [--limit N]
#   bash packaging/run.sh -- status FILE      hands a command to Batchdesk
#
# The virtual environment is .venv in the checkout, or the folder in BATCHDESK_VENV.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

require_python
case " $* " in
  *' --headless '* | *' -- '*) ;;
  *) [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || want_packages "${WINDOW_PACKAGES[@]}" ;;
esac
exec "$PYTHON" -E "$here/run.py" "$@"
