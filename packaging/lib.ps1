# Shared by run.ps1 and test.ps1: finds a Python that is new enough and runs a script of this folder
# with it. Dot-sourced, not run. Works with Windows PowerShell 5.1 and needs no administrator.

function Invoke-PackagingScript {
    param([string] $Script, [object[]] $Arguments)

    $newEnough = 'import sys; sys.exit(sys.version_info < (3, 11))'
    $candidates = @('py', '-3'), @('python3'), @('python')
    foreach ($candidate in $candidates) {
        $command = $candidate[0]
        $options = @($candidate | Select-Object -Skip 1)
        if (-not (Get-Command $command -CommandType Application -ErrorAction SilentlyContinue)) {
            continue
        }
        & $command @options -E -c $newEnough 2>$null | Out-Null
        if ($LASTEXITCODE -eq 0) {
            & $command @options -E (Join-Path $PSScriptRoot $Script) @Arguments
            return
        }
    }
    Write-Host 'Batchdesk needs Python 3.11 or newer: install it from python.org, then run this again.'
    $global:LASTEXITCODE = 1
}
