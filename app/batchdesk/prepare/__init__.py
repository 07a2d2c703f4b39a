"""From a raw row to a prompt. Pure: cells in, messages out."""
