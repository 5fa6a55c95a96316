"""The command `flexor`. Nothing heavy is imported before a command needs it, so --help answers at once."""

from flexor.cli.app import app, main

__all__ = ["app", "main"]
