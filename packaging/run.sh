#!/usr/bin/env bash
# Installs Batchdesk beside its code and runs the sample job; the second time takes seconds.
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
exec "$PYTHON" -E "$here/run.py" "$@"
