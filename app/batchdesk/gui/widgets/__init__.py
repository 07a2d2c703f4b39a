"""The widgets that pages are made of; one family per file, no knowledge of the engine."""
