# Runs every check of the project, then the tests; installs what they need the first time.
#
#   powershell -ExecutionPolicy Bypass -File packaging\test.ps1 [arguments for pytest]
#
# The virtual environment is .venv-dev in the checkout, or the folder in BATCHDESK_DEV_VENV.

. (Join-Path $PSScriptRoot 'lib.ps1')

Invoke-PackagingScript -Script 'test.py' -Arguments $args
exit $LASTEXITCODE
