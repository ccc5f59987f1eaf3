"""`python -m beachhead` is the command `beachhead`."""

from .cli import main

if __name__ == "__main__":
    main()
