"""Batchdesk: thousands of spreadsheet rows through a language model, none lost, none mixed up."""

__version__ = "0.1.0"
