# Installs Batchdesk beside its code and runs the sample job; the second time takes seconds.
#
#   powershell -ExecutionPolicy Bypass -File packaging\run.ps1 [--headless] [--project-dir FOLDER] [--limit N]
#   powershell -ExecutionPolicy Bypass -File packaging\run.ps1 status FILE      hands a command to Batchdesk
#
# The virtual environment is .venv in the checkout, or the folder in BATCHDESK_VENV.

. (Join-Path $PSScriptRoot 'lib.ps1')

Invoke-PackagingScript -Script 'run.py' -Arguments $args
exit $LASTEXITCODE
