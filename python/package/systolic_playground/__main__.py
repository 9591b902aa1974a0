"""Runs `python -m systolic_playground matmuls …`."""

import sys

from .systolic_matmuls import main

if __name__ == "__main__":
    if sys.argv[1:2] != ["matmuls"]:
        print("error: use `python -m systolic_playground matmuls MODEL`, or the command `systolic`.", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[2:]))
