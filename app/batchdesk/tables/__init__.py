"""Files in, files out: one module per format behind one Reader and one Writer protocol (``base``)."""
