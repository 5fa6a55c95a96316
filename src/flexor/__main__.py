"""`python -m flexor` is the command `flexor`."""

from flexor.cli import main

if __name__ == "__main__":
    main()
