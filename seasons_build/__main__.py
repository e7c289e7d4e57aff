"""`python -m seasons_build`: the same as `seasons`."""

from seasons_build.cli import main

if __name__ == "__main__":
    main()
