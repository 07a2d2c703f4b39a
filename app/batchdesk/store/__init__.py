"""The project file: the only place with SQL.

``project`` opens and locks the file, ``writer`` commits, and one module per table family holds
the statements: ``rows``, ``runs``, ``tasks``, ``results``, ``meters``.
"""
