"""The facade for the command line and the window: commands go in, events and pages come out.

Front ends import from here and from ``domain``, from nothing below.
"""

from batchdesk.engine.events import Event, Listener, RunStateChanged, SnapshotTaken, Stalled
from batchdesk.prepare.cleaning import StepReport
from batchdesk.quality.evaluation import Evaluation, Share
from batchdesk.session.accounts import Accounts
from batchdesk.session.disclosure import Disclosure
from batchdesk.session.exporting import reason_of
from batchdesk.session.facade import Session
from batchdesk.session.forecast import Forecast, Kept, Range, Work
from batchdesk.session.gates import ConfidenceTest, Gate, Gates, GateState
from batchdesk.session.importing import told_options
from batchdesk.session.increments import Comparison, Difference, ImportedAgain
from batchdesk.session.job_file import read_job_file
from batchdesk.session.matching import Change
from batchdesk.session.offers import Sample, TablePeek, fault_names, peek_table, samples
from batchdesk.session.pilot import Compared, Measured
from batchdesk.session.planning import RowCount
from batchdesk.session.preview import Preview
from batchdesk.session.prices import model_rates, model_window
from batchdesk.session.profile import TableProfile
from batchdesk.session.sampling import Choice, How
from batchdesk.session.services import (
    ProviderTest,
    Service,
    check_network,
    check_provider,
    has_stored_key,
    keep_key_for_now,
    key_account,
    services,
    store_key,
    takes_stored_key,
    try_provider,
)
from batchdesk.session.summary import RunSummary
from batchdesk.store.dead import DeadKind, DeadLetter
from batchdesk.store.previews import StoredPreview
from batchdesk.store.project import SUFFIX as PROJECT_SUFFIX
from batchdesk.store.results import AttemptView, TaskFilter, TaskView
from batchdesk.store.reviews import QueueFilter, Review, ReviewProgress
from batchdesk.store.rows import Dataset, StoredRow
from batchdesk.store.runs import StoredJob, StoredRun
from batchdesk.tables.base import ReadOptions

__all__ = [
    "PROJECT_SUFFIX",
    "Accounts",
    "AttemptView",
    "Change",
    "Choice",
    "Compared",
    "Comparison",
    "ConfidenceTest",
    "Dataset",
    "DeadKind",
    "DeadLetter",
    "Difference",
    "Disclosure",
    "Evaluation",
    "Event",
    "Forecast",
    "Gate",
    "GateState",
    "Gates",
    "How",
    "ImportedAgain",
    "Kept",
    "Listener",
    "Measured",
    "Preview",
    "ProviderTest",
    "QueueFilter",
    "Range",
    "ReadOptions",
    "Review",
    "ReviewProgress",
    "RowCount",
    "RunStateChanged",
    "RunSummary",
    "Sample",
    "Service",
    "Session",
    "Share",
    "SnapshotTaken",
    "Stalled",
    "StepReport",
    "StoredJob",
    "StoredPreview",
    "StoredRow",
    "StoredRun",
    "TablePeek",
    "TableProfile",
    "TaskFilter",
    "TaskView",
    "Work",
    "check_network",
    "check_provider",
    "fault_names",
    "has_stored_key",
    "keep_key_for_now",
    "key_account",
    "model_rates",
    "model_window",
    "peek_table",
    "read_job_file",
    "reason_of",
    "samples",
    "services",
    "store_key",
    "takes_stored_key",
    "told_options",
    "try_provider",
]
