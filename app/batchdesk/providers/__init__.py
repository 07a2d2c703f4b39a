"""Who answers: one module per wire format behind one Provider protocol (in ``base``)."""
