"""What things are: frozen types and enums, without input or output. Read these files first."""
