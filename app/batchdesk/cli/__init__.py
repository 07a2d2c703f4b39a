"""The command line: everything headless, through the Session. Only here and above are words.

Exit codes: 0 finished (items in review included), 1 a bug, 2 a mistake that the person can mend,
3 paused (by a cause or by Ctrl+C), 4 finished with dead letters.
"""

from batchdesk.cli.main import main

__all__ = ["main"]
