import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchdesk.domain.chat import NO_LIMITS
from batchdesk.domain.task import ErrorKind as Kind
from batchdesk.providers.http import HttpResponse
from batchdesk.providers.openai_errors import error_of


def openai(message: str, code: str | int | None = None, kind: str | None = None) -> str:
    return json.dumps(
        {"error": {"message": message, "type": kind, "param": None, "code": code}},
        ensure_ascii=False,
    )


def gemini(message: str, status: str, code: int, quota_id: str = "") -> str:
    details = [
        {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaId": quota_id}],
        }
    ]
    return json.dumps(
        [{"error": {"code": code, "message": message, "status": status, "details": details}}]
    )


RPM = (
    "Rate limit reached for gpt-4o in organization org-1 on requests per min (RPM): Limit 3, Used 3, "
    "Requested 1. Please try again in 20s. Visit https://platform.openai.com/account/rate-limits to "
    "learn more. You can increase your rate limit by adding a payment method to your account at "
    "https://platform.openai.com/account/billing."
)
CURRENT_QUOTA = (
    "You exceeded your current quota, please check your plan and billing details. For more "
    "information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits."
)
SERVICES = [
    # OpenAI
    (401, openai("Incorrect API key provided: sk-1***.", "invalid_api_key"), Kind.AUTH),
    (
        403,
        openai("Country, region, or territory not supported", "unsupported_country"),
        Kind.FORBIDDEN,
    ),
    (
        403,
        openai("Project does not have access to model gpt-9", "model_not_found"),
        Kind.MODEL_NOT_FOUND,
    ),
    (404, openai("The model `gpt-9` does not exist", "model_not_found"), Kind.MODEL_NOT_FOUND),
    (
        400,
        openai("This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
        Kind.CONTEXT_TOO_LONG,
    ),
    (400, openai("Unsupported parameter: 'max_tokens'", "unsupported_parameter"), Kind.BAD_REQUEST),
    (
        400,
        openai("max_tokens is too large: 50000. This model supports at most 16384"),
        Kind.BAD_REQUEST,
    ),
    (
        400,
        openai("Invalid prompt: flagged as violating our usage policy.", "invalid_prompt"),
        Kind.CONTENT_FILTERED,
    ),
    (429, openai(RPM, "rate_limit_exceeded", "requests"), Kind.RATE_LIMITED),
    (429, openai(CURRENT_QUOTA, "insufficient_quota", "insufficient_quota"), Kind.QUOTA_EXHAUSTED),
    (
        429,
        openai(
            "Rate limit reached for gpt-4o on requests per day (RPD): Limit 200, Used 200",
            "rate_limit_exceeded",
        ),
        Kind.QUOTA_EXHAUSTED,
    ),
    (
        429,
        openai("Rate limit reached for default. Limit: 10000 / day. Current: 10001 / day."),
        Kind.QUOTA_EXHAUSTED,
    ),
    (
        429,
        openai("Rate limit reached for default. Limit: 60 / min. Current: 61 / min."),
        Kind.RATE_LIMITED,
    ),
    (
        429,
        openai("Request too large on tokens per min (TPM): Limit 30000, Requested 50000"),
        Kind.RATE_LIMITED,
    ),
    (
        500,
        openai("The server had an error while processing your request.", None, "server_error"),
        Kind.SERVER_ERROR,
    ),
    (503, openai("That model is currently overloaded with other requests."), Kind.OVERLOADED),
    # Azure
    (
        429,
        openai(
            "Requests to the ChatCompletions_Create Operation have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 2 seconds.",
            "429",
        ),
        Kind.RATE_LIMITED,
    ),
    (
        400,
        openai(
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            "content_filter",
        ),
        Kind.CONTENT_FILTERED,
    ),
    (
        404,
        openai("The API deployment for this resource does not exist.", "DeploymentNotFound"),
        Kind.MODEL_NOT_FOUND,
    ),
    # Anthropic
    (
        529,
        '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        Kind.OVERLOADED,
    ),
    (
        400,
        openai(
            "Your credit balance is too low to access the Anthropic API.",
            None,
            "invalid_request_error",
        ),
        Kind.QUOTA_EXHAUSTED,
    ),
    (400, openai("prompt is too long: 210000 tokens > 200000 maximum"), Kind.CONTEXT_TOO_LONG),
    (
        413,
        openai("Request exceeds the maximum size", None, "request_too_large"),
        Kind.PAYLOAD_TOO_LARGE,
    ),
    # DeepSeek
    (402, openai("Insufficient Balance", "invalid_request_error"), Kind.QUOTA_EXHAUSTED),
    # Gemini wraps its errors in a list and says the same words for a minute and for a day
    (
        429,
        gemini(
            CURRENT_QUOTA,
            "RESOURCE_EXHAUSTED",
            429,
            "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
        ),
        Kind.RATE_LIMITED,
    ),
    (
        429,
        gemini(
            CURRENT_QUOTA,
            "RESOURCE_EXHAUSTED",
            429,
            "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
        ),
        Kind.QUOTA_EXHAUSTED,
    ),
    (429, gemini(CURRENT_QUOTA, "RESOURCE_EXHAUSTED", 429), Kind.QUOTA_EXHAUSTED),
    (
        503,
        gemini("The model is overloaded. Please try again later.", "UNAVAILABLE", 503),
        Kind.OVERLOADED,
    ),
    (
        400,
        gemini(
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "INVALID_ARGUMENT",
            400,
        ),
        Kind.CONTEXT_TOO_LONG,
    ),
    # Zhipu
    (429, openai("您的账户已欠费，请充值后重试", "1113"), Kind.QUOTA_EXHAUSTED),
    (429, openai("该API已达到今日调用次数限额", "1304"), Kind.QUOTA_EXHAUSTED),
    (
        429,
        openai("您当前使用该API的并发数过高，请降低并发，或联系客服增加限额", "1302"),
        Kind.RATE_LIMITED,
    ),
    (
        400,
        openai("系统检测到输入或生成内容可能包含不安全或敏感内容", "1301"),
        Kind.CONTENT_FILTERED,
    ),
    (400, openai("模型不存在，请检查模型代码。", "1211"), Kind.MODEL_NOT_FOUND),
    (400, openai("Prompt 超长", "1261"), Kind.CONTEXT_TOO_LONG),
    # DashScope
    (
        400,
        openai("Access denied, please make sure your account is in good standing.", "Arrearage"),
        Kind.QUOTA_EXHAUSTED,
    ),
    (
        400,
        openai("Input data may contain inappropriate content.", "data_inspection_failed"),
        Kind.CONTENT_FILTERED,
    ),
    (
        400,
        openai("Range of input length should be [1, 30720]", "invalid_parameter_error"),
        Kind.CONTEXT_TOO_LONG,
    ),
    (
        429,
        openai("Requests rate limit exceeded, please try again later.", "limit_requests"),
        Kind.RATE_LIMITED,
    ),
    (
        429,
        openai("Allocated quota exceeded, please increase your quota limit.", "insufficient_quota"),
        Kind.RATE_LIMITED,
    ),
    (
        403,
        openai("The free tier of the model has been exhausted.", "AllocationQuota.FreeTierOnly"),
        Kind.QUOTA_EXHAUSTED,
    ),
    # Moonshot
    (
        429,
        openai(
            "Your account org-1 request reached max organization concurrency: 1, please try again after 1 seconds",
            None,
            "rate_limit_reached_error",
        ),
        Kind.RATE_LIMITED,
    ),
    (
        429,
        openai(
            "Your account org-1<ak-2> is suspended, please check your plan and billing details",
            None,
            "exceeded_current_quota_error",
        ),
        Kind.QUOTA_EXHAUSTED,
    ),
    (
        400,
        openai(
            "The request was rejected because it was considered high risk", None, "content_filter"
        ),
        Kind.CONTENT_FILTERED,
    ),
    # SiliconFlow
    (
        403,
        '{"code":30001,"message":"Sorry, your account balance is insufficient","data":null}',
        Kind.QUOTA_EXHAUSTED,
    ),
    (
        400,
        '{"code":20012,"message":"Model does not exist. Please check it carefully.","data":null}',
        Kind.MODEL_NOT_FOUND,
    ),
    (
        429,
        '{"message":"Request was rejected due to rate limiting. Details: TPM limit reached.","data":null}',
        Kind.RATE_LIMITED,
    ),
    (401, '"Invalid token"', Kind.AUTH),
    # OpenRouter
    (
        402,
        openai("Insufficient credits. Add more using https://openrouter.ai/settings/credits", 402),
        Kind.QUOTA_EXHAUSTED,
    ),
    (
        429,
        openai(
            "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day",
            429,
        ),
        Kind.QUOTA_EXHAUSTED,
    ),
    (429, openai("Rate limit exceeded: free-models-per-min.", 429), Kind.RATE_LIMITED),
    (200, openai("Provider returned error", 429), Kind.RATE_LIMITED),
    (200, openai("Provider returned error", 502), Kind.SERVER_ERROR),
    (200, openai("Insufficient credits", 402), Kind.QUOTA_EXHAUSTED),
    # errors told with status 200, in words alone
    (
        200,
        openai("Rate limit reached for gpt-4o on tokens per min", "rate_limit_exceeded", "tokens"),
        Kind.RATE_LIMITED,
    ),
    (200, openai("Overloaded", None, "overloaded_error"), Kind.OVERLOADED),
    (200, openai("Invalid API key"), Kind.AUTH),
    (200, openai("Something broke"), Kind.SERVER_ERROR),
    # local servers
    (
        400,
        '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}',
        Kind.CONTEXT_TOO_LONG,
    ),
    (
        400,
        '{"object":"error","message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","type":"BadRequestError","code":400}',
        Kind.CONTEXT_TOO_LONG,
    ),
    (
        404,
        '{"error":{"message":"model \\"llama9\\" not found, try pulling it first","type":"api_error"}}',
        Kind.MODEL_NOT_FOUND,
    ),
    (404, '{"detail":"Not Found"}', Kind.MODEL_NOT_FOUND),
    (
        422,
        '{"detail":[{"loc":["body"],"msg":"field required","input":"content filter, context window"}]}',
        Kind.BAD_REQUEST,
    ),
    # plain texts and pages
    (401, "", Kind.AUTH),
    (405, "Method Not Allowed", Kind.MODEL_NOT_FOUND),
    (408, "", Kind.READ_TIMEOUT),
    (409, "", Kind.SERVER_ERROR),
    (410, "", Kind.MODEL_NOT_FOUND),
    (418, "", Kind.BAD_REQUEST),
    (429, "Too Many Requests", Kind.RATE_LIMITED),
    (500, "", Kind.SERVER_ERROR),
    (502, "<html><h1>502 Bad Gateway</h1></html>", Kind.SERVER_ERROR),
    (504, "upstream request timeout", Kind.SERVER_ERROR),
    (520, "", Kind.SERVER_ERROR),
    (404, "<!DOCTYPE html><title>Not here</title>", Kind.NOT_AN_API),
    (403, "<html>our daily news, insufficient balance</html>", Kind.FORBIDDEN),
    (301, "", Kind.NOT_AN_API),
]


@pytest.mark.parametrize(("status", "body", "kind"), SERVICES)
def test_that_each_services_error_is_understood(status, body, kind):
    error = error_of(HttpResponse(status, {}, body))
    assert error.kind is kind
    assert (error.http_status, error.response_body) == (status, body)


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (401, openai("Wrong key."), "Wrong key."),
        (401, '{"error": "Wrong key."}', "Wrong key."),
        (401, '{"error": {"code": "wrong_key"}}', "wrong_key"),
        (401, '{"message": "Wrong key."}', "Wrong key."),
        (
            400,
            '{"detail": [{"msg": "field required"}, {"msg": "too short"}]}',
            "field required; too short",
        ),
        (502, "<html>…</html>", "HTTP 502 with a web page"),
        (504, " upstream request timeout\n", "HTTP 504: upstream request timeout"),
        (500, "", "HTTP 500"),
        (500, "{", "HTTP 500: {"),
        (400, openai("x" * 1000), "x" * 500),
    ],
)
def test_that_the_message_is_the_services_own_words(status, body, message):
    assert error_of(HttpResponse(status, {}, body)).message == message


def test_that_a_redirect_says_where_to():
    error = error_of(HttpResponse(308, {"location": "https://new.example.com/"}, "<html>"))
    assert error.kind is Kind.NOT_AN_API
    assert error.message == "HTTP 308: the service is elsewhere, at https://new.example.com/"


@pytest.mark.parametrize(
    ("hint", "kind", "seconds"),
    [
        ("20", Kind.RATE_LIMITED, 20.0),
        ("900", Kind.RATE_LIMITED, 900.0),
        ("901", Kind.RATE_LIMITED, 901.0),
        ("40000", Kind.RATE_LIMITED, 40000.0),  # nobody spoke of a quota
        ("-1", Kind.RATE_LIMITED, None),
    ],
)
def test_that_the_hint_comes_along(hint, kind, seconds):
    error = error_of(HttpResponse(429, {"retry-after": hint}, ""))
    assert (error.kind, error.retry_after_s) == (kind, seconds)


def test_that_half_a_character_in_the_words_can_be_written():
    error = error_of(HttpResponse(400, {}, '{"error": {"message": "no \\ud83d, no"}}'))
    assert error.message == "no \ufffd, no"


def test_that_a_code_of_thousands_of_digits_is_no_status():
    error = error_of(HttpResponse(200, {}, openai("odd", "9" * 5000)))
    assert error.kind is Kind.SERVER_ERROR


def test_that_a_hint_in_words_comes_along():
    error = error_of(HttpResponse(429, {}, openai(RPM)))
    assert error.retry_after_s == 20.0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "code", "message", "detail", "type", "details"]), inner
        )
    ),
    max_leaves=9,
)


@given(st.integers(100, 999), JSON.map(json.dumps) | st.text())
def test_that_any_response_has_a_kind_and_words(status, body):
    error = error_of(HttpResponse(status, {}, body))
    assert isinstance(error.kind, Kind)
    assert re.search(r"\S", error.message)


def test_that_only_refusals_are_searched_for_limits_in_words():
    words = openai("The limit is 3 requests per minute.")
    assert error_of(HttpResponse(429, {}, words)).limits.told_rpm == 3
    assert error_of(HttpResponse(503, {}, words)).limits.told_rpm == 3
    assert error_of(HttpResponse(400, {}, words)).limits == NO_LIMITS


def test_that_a_refusal_for_too_many_at_once_says_so():
    words = openai("request reached max organization concurrency: 1, please try again")
    error = error_of(HttpResponse(429, {}, words))
    assert (error.kind, error.limits.told_concurrency) == (Kind.RATE_LIMITED, 1)


def test_that_a_refusal_in_plain_words_tells_its_limit_too():
    assert error_of(HttpResponse(429, {}, "TPM limit 40000")).limits.told_tpm == 40_000
