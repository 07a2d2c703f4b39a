"""The facade for the command line and the window: commands go in, events and pages come out."""

from batchdesk.session.facade import RunSummary, Session
from batchdesk.session.job_file import read_job_file

__all__ = ["RunSummary", "Session", "read_job_file"]
