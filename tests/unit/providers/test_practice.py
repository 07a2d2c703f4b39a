import asyncio
import contextlib
import json
import socket
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from batchdesk.errors import UserError
from batchdesk.providers.child import ChildFailed, ChildServer
from batchdesk.providers.practice import PracticeServer, child_main, serve
from batchdesk.providers.practice_plan import After, Span
from batchdesk.providers.practice_settings import PracticeSettings, arguments
from batchdesk.providers.practice_wire import read_request

SCHEMA = {
    "type": "object",
    "properties": {
        "row_key": {"type": "string"},
        "sentiment": {"type": "string", "enum": ["positive", "negative", "neutral"]},
    },
    "required": ["row_key", "sentiment"],
    "additionalProperties": False,
}
FORM = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
LOVE = '{"row_key": "7", "sentiment": "positive"}'


class Client:
    """Asks one server over real HTTP."""

    def __init__(self, session: aiohttp.ClientSession, base_url: str) -> None:
        self.session = session
        self.base_url = base_url

    def ask(
        self, text: str = "I love it.", row_key: str = "7", key: str | None = None, **more: Any
    ) -> Any:
        body = {
            "model": "practice",
            "messages": [{"role": "user", "content": f"{text}\nrow_key: {row_key}"}],
            "response_format": FORM,
        }
        headers = {"Idempotency-Key": key} if key else {}
        return self.session.post(
            f"{self.base_url}/v1/chat/completions", json=body | more, headers=headers
        )

    async def content(self, *args: Any, **more: Any) -> str:
        async with self.ask(*args, **more) as response:
            assert response.status == 200
            content: str = (await response.json())["choices"][0]["message"]["content"]
            return content

    async def get(self, path: str) -> tuple[int, Any]:
        async with self.session.get(self.base_url + path) as response:
            return response.status, await response.json()

    async def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        async with self.session.post(self.base_url + path, json=body) as response:
            return response.status, await response.json()

    async def stats(self) -> Any:
        return (await self.get("/practice/stats"))[1]


@contextlib.asynccontextmanager
async def practice(**settings: Any) -> AsyncIterator[Client]:
    server = PracticeServer(PracticeSettings(**{"latency_s": 0.0, **settings}))
    port = await server.start()
    try:
        async with aiohttp.ClientSession() as session:
            yield Client(session, f"http://127.0.0.1:{port}")
    finally:
        await server.stop()


async def test_that_an_answer_looks_like_a_chat_completion_and_says_it_is_no_model():
    async with practice() as client, client.ask(logprobs=True, n=2) as response:
        assert response.status == 200
        assert response.headers["x-batchdesk-practice"] == "not a model"
        assert "x-ratelimit-limit-requests" not in response.headers
        body = await response.json()
    assert body["object"] == "chat.completion"
    assert body["model"] == "practice"
    assert body["system_fingerprint"] == "practice-server-not-a-model"
    assert [choice["index"] for choice in body["choices"]] == [0, 1]
    first = body["choices"][0]
    assert first["message"]["content"] == LOVE
    assert first["finish_reason"] == "stop"
    assert "".join(token["token"] for token in first["logprobs"]["content"]) == LOVE
    assert body["usage"]["prompt_tokens"] == 6  # 21 bytes
    assert body["usage"]["completion_tokens"] == 22  # 41 bytes, twice
    assert body["usage"]["prompt_tokens_details"] == {"cached_tokens": 0}


async def test_that_a_stream_joins_to_the_same_answer_with_usage_last():
    async with practice() as client:
        more: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
        async with client.ask(**more) as response:
            assert response.status == 200
            assert response.content_type == "text/event-stream"
            assert response.headers["x-batchdesk-practice"] == "not a model"
            events = (await response.text()).split("\n\n")
    assert events[-2:] == ["data: [DONE]", ""]
    chunks = [json.loads(event.removeprefix("data: ")) for event in events[:-2]]
    pieces = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks[:-1]]
    assert "".join(pieces) == LOVE
    assert len(pieces) > 3
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] == 17


async def test_that_health_models_and_unknown_paths_answer():
    async with practice() as client:
        assert await client.get("/health") == (200, {"status": "ok"})
        status, models = await client.get("/v1/models")
        assert (status, [model["id"] for model in models["data"]]) == (200, ["practice"])
        status, body = await client.get("/v1/nothing")
        assert status == 404
        assert body["error"]["message"] == "Unknown request URL: GET /v1/nothing."


async def test_that_a_wrong_key_and_a_wrong_request_are_refused():
    async with practice(api_key="secret") as client:
        async with client.ask() as response:
            assert response.status == 401
            assert (await response.json())["error"]["code"] == "invalid_api_key"
        assert (await client.get("/v1/models"))[0] == 401
        client.session.headers["Authorization"] = "Bearer secret"
        async with client.ask() as response:
            assert response.status == 200
        async with client.ask(n="many") as response:
            assert response.status == 400
            assert (await response.json())["error"]["type"] == "invalid_request_error"
        assert (await client.stats())["by_status"] == {"200": 1, "400": 1, "401": 1}


async def test_that_a_request_above_the_limit_gets_429_with_hints():
    async with practice(rpm=60, burst=2) as client:
        async with client.ask() as response:
            assert response.status == 200
            assert response.headers["x-ratelimit-limit-requests"] == "60"
            assert response.headers["x-ratelimit-remaining-requests"] == "1"
        async with client.ask() as response:
            assert response.status == 200
        async with client.ask() as response:
            assert response.status == 429
            assert response.headers["retry-after"] == "1"
            assert 800 <= int(response.headers["retry-after-ms"]) <= 1000
            assert response.headers["x-ratelimit-remaining-requests"] == "0"
            assert (
                response.headers["x-ratelimit-reset-requests"].startswith("1.9")
                or response.headers["x-ratelimit-reset-requests"] == "2s"
            )
            error = (await response.json())["error"]
        assert (error["type"], error["code"]) == ("requests", "rate_limit_exceeded")
        assert error["message"].startswith(
            "Rate limit reached for practice on requests per min (RPM): Limit 60, "
        )


async def test_that_tokens_per_minute_are_limited_too():
    async with practice(tpm=600) as client:  # 60 at once; a request takes 6 and its answer 11
        statuses = []
        error: Any = None
        for _ in range(5):
            async with client.ask() as response:
                statuses.append(response.status)
                error = (await response.json()).get("error")
                assert response.headers["x-ratelimit-limit-tokens"] == "600"
    assert statuses == [200, 200, 200, 200, 429]
    assert error["type"] == "tokens"


async def test_that_limits_can_change_while_it_runs():
    async with practice(rpm=60, burst=1) as client:
        async with client.ask() as response:
            assert response.status == 200
        assert await client.post("/practice/limits", {"rpm": None}) == (200, {"status": "ok"})
        for _ in range(5):
            async with client.ask() as response:
                assert response.status == 200
        assert (await client.post("/practice/limits", {"rpm": -1}))[0] == 400
        assert (await client.post("/practice/limits", []))[0] == 400


@pytest.mark.parametrize(("fault", "status", "code"), [("429", 429, "rate_limit_exceeded"), ("500", 500, "server_error"), ("503", 503, "overloaded")])  # fmt: skip
async def test_that_refusals_are_seen_on_the_wire(fault, status, code):
    async with practice(faults={fault: 1.0}) as client:
        async with client.ask() as response:
            assert response.status == status
            assert (await response.json())["error"]["code"] == code
            assert response.headers.get("retry-after") == (None if fault == "500" else "1")
        stats = await client.stats()
    assert stats["by_fault"] == {fault: 1}
    assert (stats["answered"], stats["billed"]) == (0, 0)


@pytest.mark.parametrize("stream", [False, True])
async def test_that_reset_cuts_the_connection_before_any_byte(stream):
    async with practice(faults={"reset": 1.0}, latency_s=0.05) as client:
        began = time.monotonic()
        with pytest.raises(aiohttp.ClientConnectionError):
            async with client.ask(stream=stream):
                pass
        assert time.monotonic() - began >= 0.05
        stats = await client.stats()
    assert stats["by_fault"] == {"reset": 1}
    assert stats["by_status"] == {}
    assert (stats["answered"], stats["billed"], stats["in_flight"]) == (0, 1, 0)


async def test_that_reset_is_a_real_reset_on_the_wire():
    async with practice(faults={"reset": 1.0}) as client:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", int(client.base_url.rpartition(":")[2])
        )
        body = json.dumps({"messages": [{"role": "user", "content": "x"}]})
        writer.write(
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        with pytest.raises(ConnectionResetError):
            await reader.read()
        writer.close()


async def test_that_hang_never_answers_and_ends_when_the_client_goes():
    async with practice(faults={"hang": 1.0}) as client:
        with pytest.raises(asyncio.TimeoutError):
            async with asyncio.timeout(0.4), client.ask():
                pass
        stats = await client.stats()
        for _ in range(40):
            stats = await client.stats()
            if stats["in_flight"] == 0:
                break
            await asyncio.sleep(0.05)
    assert stats["in_flight"] == 0
    assert stats["by_fault"] == {"hang": 1}
    assert (stats["answered"], stats["billed"], stats["by_status"]) == (0, 1, {})


async def test_that_slow_takes_ten_times_as_long():
    async with practice(faults={"slow": 1.0}, latency_s=0.03) as client:
        began = time.monotonic()
        assert await client.content() == LOVE
        assert time.monotonic() - began >= 0.3


async def test_that_html_is_a_page_with_status_200():
    async with practice(faults={"html": 1.0}) as client, client.ask(stream=True) as response:
        assert response.status == 200
        assert response.content_type == "text/html"
        assert (await response.text()).startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("fault", "content", "reason"),
    [
        ("truncated", '{"row_key": "7", "se', "length"),
        ("cut", '{"row_key": "7", "se', "stop"),
        ("empty", "", "stop"),
        ("malformed", "Sure! Here is the answer: {sentiment perhaps (it depends on how one reads it", "stop"),
        ("missing_field", '{"row_key": "7"}', "stop"),
        ("doubled", f'{LOVE}\n{{"row_key": "7", "sentiment": "negative"}}', "stop"),
        ("wrong_row", '{"row_key": "7-other", "sentiment": "negative"}', "stop"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("stream", [False, True])
async def test_that_spoiled_answers_are_seen_on_the_wire(fault, content, reason, stream):
    async with practice(faults={fault: 1.0}) as client:
        async with client.ask(stream=stream, logprobs=True) as response:
            assert response.status == 200
            text = await response.text()
        stats = await client.stats()
    if stream:
        events = [
            json.loads(event[6:]) for event in text.split("\n\n") if event.startswith("data: {")
        ]
        choices = [event["choices"][0] for event in events]
        assert "".join(choice["delta"].get("content", "") for choice in choices) == content
        assert choices[-1]["finish_reason"] == reason
    else:
        choice = json.loads(text)["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == (content, reason)
        assert "".join(token["token"] for token in choice["logprobs"]["content"]) == content
    assert stats["by_fault"] == {fault: 1}
    assert stats["answered"] == stats["billed"] == 1


async def test_that_a_wrong_row_is_one_that_was_asked_for_before():
    async with practice(faults={"wrong_row": 1.0}) as client:
        await client.content("It broke.", "1")
        assert await client.content() == '{"row_key": "1", "sentiment": "negative"}'


async def test_that_the_same_seed_gives_the_same_faults_and_a_retry_may_fare_differently():
    async def statuses(**settings: Any) -> list[int]:
        async with practice(faults={"500": 0.5}, **settings) as client:
            seen = []
            for n in range(30):
                for _ in range(2):
                    async with client.ask(row_key=str(n), key=f"task-{n}") as response:
                        seen.append(response.status)
            return seen

    first = await statuses(seed=1)
    assert first == await statuses(seed=1)
    assert first != await statuses(seed=2)
    pairs = set(zip(first[::2], first[1::2], strict=True))
    assert pairs == {(200, 200), (200, 500), (500, 200), (500, 500)}


async def test_that_stats_tell_what_was_answered_and_billed_twice():
    async with practice() as client:
        for key, row in (("a", "1"), ("a", "1"), ("a", "1"), ("b", "2"), ("c", "2")):
            await client.content("I love it.", row, key)
        stats = await client.stats()
        assert stats["received"] == stats["answered"] == stats["billed"] == 5
        assert stats["keys"] == 3
        assert stats["answered_per_key"] == {"1": 2, "3": 1}
        assert stats["keys_answered_again"] == 1
        assert stats["answered_again"] == stats["billed_twice"] == 2
        assert (stats["rows"], stats["rows_billed_twice"]) == (2, 3)
        assert stats["by_status"] == {"200": 5}
        assert (stats["prompt_tokens"], stats["completion_tokens"]) == (30, 55)
        assert await client.post("/practice/reset") == (200, {"status": "ok"})
        stats = await client.stats()
    assert (stats["received"], stats["keys"], stats["by_status"]) == (0, 0, {})


async def test_that_the_most_requests_in_flight_are_counted_and_slots_make_others_queue():
    async with practice(latency_s=0.1, slots=2) as client:
        began = time.monotonic()
        await asyncio.gather(*(client.content(row_key=str(n)) for n in range(6)))
        assert time.monotonic() - began >= 0.3
        stats = await client.stats()
    assert (stats["in_flight_max"], stats["in_flight"]) == (6, 0)


async def test_that_an_answer_is_billed_though_its_client_has_gone():
    async with practice(latency_s=0.3) as client:
        with pytest.raises(asyncio.TimeoutError):
            async with asyncio.timeout(0.1), client.ask(key="a"):
                pass
        await asyncio.sleep(0.4)
        await client.content(key="a")
        stats = await client.stats()
    assert stats["billed_twice"] == 1


async def test_that_a_spread_of_latency_is_lognormal_around_the_median():
    server = PracticeServer(PracticeSettings(latency_s=0.2, latency_sigma=0.5))
    latencies = sorted(server._latency(key, 1) for key in range(2001))
    assert latencies[1000] == pytest.approx(0.2, rel=0.08)
    assert latencies[1683] == pytest.approx(0.2 * 2.718**0.5, rel=0.1)  # one sigma above


async def test_that_a_port_in_use_is_told_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError) as caught:
            await PracticeServer(PracticeSettings(port=port)).start()
    assert str(caught.value) == (
        f"Port {port} is already in use on this computer. Stop the program that uses it, or "
        "choose another port (0: any free one)."
    )


async def test_that_serve_tells_its_address_and_frees_the_port_when_cancelled():
    ready = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(PracticeSettings(), ready.set_result))
    address = await ready
    async with aiohttp.ClientSession() as session, session.get(f"{address}/models") as response:
        assert response.status == 200
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(f"{address}/models")


def command(settings: PracticeSettings) -> list[str]:
    return [sys.executable, "-m", "batchdesk.providers.practice", *arguments(settings)]


async def test_that_it_runs_as_a_child_process():
    settings = PracticeSettings(latency_s=0.01, faults={"empty": 0.5})
    async with ChildServer(command(settings)) as child, aiohttp.ClientSession() as session:
        client = Client(session, child.address.base_url)
        contents = await asyncio.gather(*(client.content(key=f"k{n}") for n in range(40)))
        assert set(contents) == {"", LOVE}
        stats = await client.stats()
        assert stats["answered"] == 40
        assert stats["by_fault"] == {"empty": contents.count("")}
    assert child.exit_code == 0
    assert child.last_words == ""


async def test_that_a_child_on_a_taken_port_says_why_it_cannot_start():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ChildFailed, match=f"could not start: Port {port} is already in use"):
            await ChildServer(command(PracticeSettings(port=port))).start(20)


def test_that_wrong_settings_end_the_child_with_a_sentence(capsys):
    assert child_main(["--faults", "oops=0.1"]) == 1
    assert capsys.readouterr().err.startswith("The practice server knows no fault “oops”.")


async def test_that_a_stream_starts_early_and_ends_at_the_latency():
    async with practice(latency_s=0.3) as client:
        began = time.monotonic()
        async with client.ask(stream=True) as response:
            await response.content.readany()
            first_s = time.monotonic() - began
            await response.read()
            last_s = time.monotonic() - began
    assert 0.12 <= first_s < 0.29
    assert 0.3 <= last_s < 0.6


# -- plans and limits over HTTP ---------------------------------------------------------------


async def statuses(client: Client, times: int, **more: Any) -> list[int]:
    seen = []
    for n in range(times):
        async with client.ask(key=f"k{n}", **more) as response:
            seen.append(response.status)
            await response.read()
    return seen


async def test_that_an_outage_with_503_ends_and_is_counted():
    async with practice(outages=(Span(0.4, 1.2),)) as client:
        assert await statuses(client, 1) == [200]
        await asyncio.sleep(0.5)
        async with client.ask() as response:
            assert response.status == 503
            assert "retry-after" not in response.headers
            assert (await response.json())["error"]["message"] == "The service is unavailable."
        await asyncio.sleep(1.2)
        assert await statuses(client, 1) == [200]
        stats = await client.stats()
    assert (stats["accepted"], stats["refused"]) == (2, {"outage": 1})
    assert stats["by_status"] == {"200": 2, "503": 1}


async def test_that_an_outage_can_hang():
    async with practice(outages=(Span(0, 60),), outage_mode="hang") as client:
        with pytest.raises(asyncio.TimeoutError):
            async with asyncio.timeout(0.3), client.ask():
                pass
        stats = await client.stats()
    assert (stats["received"], stats["accepted"], stats["billed"]) == (1, 0, 0)


async def test_that_an_outage_can_refuse_connections_and_cut_those_there_are():
    async with practice(latency_s=0.1, outages=(Span(0.5, 1.2),), outage_mode="refuse") as client:
        assert await statuses(client, 1) == [200]
        cut = asyncio.create_task(statuses(client, 20))
        with pytest.raises(aiohttp.ClientConnectionError):
            await cut
        with pytest.raises(aiohttp.ClientConnectorError):
            await client.stats()
        for _ in range(200):
            with contextlib.suppress(aiohttp.ClientConnectionError):
                if (await client.get("/health"))[0] == 200:
                    break
            await asyncio.sleep(0.02)
        assert await statuses(client, 1) == [200]


async def test_that_quota_is_lost_and_restored():
    async with practice(quota_after=After(requests=2)) as client:
        assert await statuses(client, 3) == [200, 200, 429]
        async with client.ask() as response:
            assert (await response.json())["error"]["code"] == "insufficient_quota"
        assert (await client.post("/practice/limits", {"quota_after": None}))[0] == 200
        assert await statuses(client, 2) == [200, 200]
        assert (await client.stats())["refused"] == {"quota": 2}


async def test_that_a_key_is_revoked_and_valid_again():
    async with practice(revoke_after=After(requests=1)) as client:
        assert await statuses(client, 2) == [200, 401]
        await client.post("/practice/limits", {"revoked": False})
        assert await statuses(client, 1) == [200]


async def test_that_requests_above_a_cap_are_refused_and_those_in_work_finish():
    async with practice(cap=2, latency_s=0.2) as client:
        found = await asyncio.gather(*(statuses(client, 1, row_key=str(n)) for n in range(5)))
        assert sorted(status for one in found for status in one) == [200, 200, 429, 429, 429]
        stats = await client.stats()
    assert (stats["working_max"], stats["working"]) == (2, 0)
    assert stats["refused"] == {"concurrency": 3}


async def test_that_long_rows_take_longer_and_the_same_share_of_rows_always():
    server = PracticeServer(PracticeSettings(slow_share=0.05, slow_factor=10, slow_over=100))

    def times(text: str, row: int) -> float:
        body = json.dumps({"messages": [{"role": "user", "content": text}]}).encode()
        return server._times(read_request(body), row, None)

    slow = [row for row in range(4000) if times("short", row) == 10]
    assert 150 <= len(slow) <= 250
    assert [row for row in range(4000) if times("short", row) == 10] == slow
    assert {times("short", row) for row in range(100)} == {1.0, 10.0}
    assert {times("x" * 101, row) for row in range(100)} == {10.0}


async def test_that_a_scaled_time_shortens_the_work():
    async with practice(latency_s=2.0, time_scale=20) as client:
        began = time.monotonic()
        assert await statuses(client, 1) == [200]
        assert 0.1 <= time.monotonic() - began < 1


async def test_that_a_change_keeps_what_it_does_not_name():
    async with practice(rpm=60, burst=1) as client:
        assert (await client.post("/practice/limits", {"latency": 0.01}))[0] == 200
        assert await statuses(client, 2) == [200, 429]
        assert (await client.post("/practice/limits", {"outage": "refuse"}))[0] == 400
        assert (await client.post("/practice/limits", {"outage": "503", "rpm": None}))[0] == 200
        assert await statuses(client, 1) == [503]
        assert (await client.post("/practice/limits", {"outage": None}))[0] == 200
        assert await statuses(client, 2) == [200, 200]


async def test_that_a_reset_begins_the_plan_anew():
    async with practice(quota_after=After(requests=1)) as client:
        assert await statuses(client, 2) == [200, 429]
        await client.post("/practice/reset")
        assert await statuses(client, 2) == [200, 429]


async def test_that_a_streamed_answer_keeps_its_slot_to_the_end():
    async with practice(latency_s=0.2, slots=1) as client:
        began = time.monotonic()
        await asyncio.gather(*(statuses(client, 1, row_key=str(n), stream=True) for n in range(3)))
        assert time.monotonic() - began >= 0.6
