"""How tasks get done: one gate, one retry table, bounded buffers, one loop.

The engine does not know which event loop runs it and never blocks it. It speaks in codes and
numbers; words live at the edge.
"""
