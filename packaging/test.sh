#!/usr/bin/env bash
# Runs every check of the project, then the tests; installs what they need the first time.
#
#   bash packaging/test.sh [arguments for pytest]
#
# The virtual environment is .venv-dev in the checkout, or the folder in BATCHDESK_DEV_VENV.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

require_python
want_packages "${WINDOW_PACKAGES[@]}" xvfb
exec "$PYTHON" -E "$here/test.py" "$@"
