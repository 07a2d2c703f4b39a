"""``batchdesk export``: a run's rows to a table, or its answers into a copy of the workbook."""

from __future__ import annotations

import argparse

from batchdesk.cli.commands import latest_run, own_settings
from batchdesk.cli.terminal import show
from batchdesk.session import Session


async def export(arguments: argparse.Namespace) -> int:
    """``batchdesk export``: works while the run goes on."""
    session = await Session.open(arguments.project, read_only=True, settings=own_settings())
    try:
        run_id = arguments.run or await latest_run(session)
        is_copy = arguments.into_copy is not None
        target = arguments.into_copy if is_copy else arguments.to
        write = session.export_into_copy if is_copy else session.export
        count = await write(
            run_id, target, overwrite=arguments.force, unmask=not arguments.keep_masks
        )
        show(f"{count:,} rows of run {run_id} are in {target}")
        return 0
    finally:
        await session.close()
