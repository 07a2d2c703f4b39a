"""``python -m batchdesk``: the command line."""

import sys

if __name__ == "__main__":
    try:
        from batchdesk.cli import main

        code = main(sys.argv[1:])
    except KeyboardInterrupt:  # before the command line could see to it
        sys.stderr.write("batchdesk: Stopped before anything was read.\n")
        code = 3
    sys.exit(code)
