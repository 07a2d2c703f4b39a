from __future__ import annotations

import pytest
from tests.unit.session.tables import a_job

from batchdesk.prepare.prompt import PromptBuilder
from batchdesk.session.minutes import MinuteOfTokens


@pytest.mark.parametrize(("tpm", "larger"), [(None, 0), (1000, 1), (999, 2), (10, 3)])
def test_that_a_request_is_its_row_its_instructions_and_its_answer(tpm, larger):
    # 40 bytes of instructions are 10 tokens; two answers of 100 tokens; rows of 790 and 800 tokens.
    stage = {"system": "s" * 40, "user": "{{ text }}", "max_tokens": 100, "n": 2}
    job = a_job(stage=stage, limits={"tpm": tpm})
    builder = PromptBuilder(job, ["text"], model="m", echo_key=False)
    assert MinuteOfTokens(job, builder).larger([4, 3160, 3200]) == larger
