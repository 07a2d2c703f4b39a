"""The window. Qt is imported here and nowhere else; everything below is asked through Session."""
