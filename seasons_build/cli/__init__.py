"""The command line: options to a value, a value to a run, a run to an exit code. One file a group of commands."""
