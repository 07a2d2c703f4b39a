"""``python -m batchdesk``: the command line."""

import sys

from batchdesk.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
