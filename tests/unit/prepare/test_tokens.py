"""Token counts: equal to tiktoken's own where the encoding is known, a labelled estimate elsewhere."""

import hashlib
import lzma
import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from batchdesk import paths
from batchdesk.errors import UserError
from batchdesk.prepare.tokens import Encoding, TokenCounter, encoding_for

FOLDER = paths.resources() / "tokenizers"
# tiktoken looks for its files under the SHA-1 of the address that it would fetch them from.
ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """tiktoken's own encodings, read from its cache folder, so without a network."""
    folder = tmp_path_factory.mktemp("ranks")
    for name in ("o200k_base", "cl100k_base"):
        named = hashlib.sha1(ADDRESS.format(name).encode()).hexdigest()
        (folder / named).write_bytes(lzma.decompress((FOLDER / f"{name}.tiktoken.xz").read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        yield {name: tiktoken.get_encoding(name) for name in ("o200k_base", "cl100k_base")}


def nasty_texts(count: int, seed: int = 5) -> list[str]:
    """Made texts: words, digits, emoji, Chinese, control characters, spaces, special tokens."""
    rng = random.Random(seed)
    pieces = [
        lambda: rng.choice(["Hello", "don't", "IT'S", "naïve", "straße", "Ünï", "e\u0301", "ﬁ"]),
        lambda: str(rng.randrange(10**9)),
        lambda: rng.choice(["😀", "👩‍👩‍👧", "🇩🇪", "❤️", "\U0001f9d1\U0001f3fd"]),
        lambda: "".join(chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(rng.randint(1, 9))),
        lambda: chr(rng.choice([0, 1, 7, 9, 10, 11, 13, 27, 127, 0x85, 0xA0, 0x2028, 0xFEFF])),
        lambda: rng.choice([" ", "  ", "\n\n", "\r\n", "\t", "   \n  ", "\u3000"]),
        lambda: rng.choice(["<|endoftext|>", "<|im_start|>", "<|fim_prefix|>"]),
        lambda: rng.choice(["!!!", "...", "//", "{}[]", "，。", "'s", "'LL", "-->"]),
        lambda: chr(rng.randrange(0x20, 0xD7FF)),
        lambda: chr(rng.randrange(0x10000, 0x1FFFF)),
        lambda: rng.choice("aA9 ") * rng.randint(1, 60),
    ]
    return ["".join(rng.choice(pieces)() for _ in range(rng.randint(0, 25))) for _ in range(count)]


@pytest.mark.parametrize(("model", "name"), [("gpt-4o", "o200k_base"), ("gpt-4", "cl100k_base")])
def test_that_counts_of_10_000_nasty_texts_are_those_of_tiktoken(own, model, name):
    texts = nasty_texts(10_000)
    counter = TokenCounter(model)
    assert counter.count_many(texts) == [len(own[name].encode_ordinary(text)) for text in texts]
    for text in texts[:500]:
        assert counter.tokens(text) == own[name].encode_ordinary(text)


@settings(deadline=None)  # the first text loads what is loaded late
@given(st.text())
def test_that_any_text_has_the_tokens_of_tiktoken(own, text):
    assert TokenCounter("gpt-4o").tokens(text) == own["o200k_base"].encode_ordinary(text)


def test_that_hello_world_has_the_tokens_it_is_known_for():
    assert TokenCounter("gpt-4o").tokens("hello world") == [24912, 2375]
    assert TokenCounter("gpt-4").tokens("hello world") == [15339, 1917]


def test_that_the_name_of_a_special_token_counts_as_text():
    assert TokenCounter("gpt-4o").count("<|endoftext|>") == 7


def test_that_an_empty_text_is_no_token_and_a_lone_surrogate_is_counted():
    assert TokenCounter("gpt-4o").count("") == 0
    assert TokenCounter("deepseek-chat").count("") == 0
    assert TokenCounter("gpt-4o").count("a\ud800b") > 0


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o-mini", "o200k_base"),
        ("openai/gpt-4.1-nano", "o200k_base"),
        ("GPT-5-mini", "o200k_base"),
        ("gpt-5.1", "o200k_base"),
        ("o3", "o200k_base"),
        ("o4-mini-2025-04-16", "o200k_base"),
        ("ft:gpt-4o:acme::x", "o200k_base"),
        ("gpt-oss-20b", "o200k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-3.5-turbo-0125", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"),
    ],
)
def test_that_a_known_model_has_its_encoding(model, name):
    assert encoding_for(model) == Encoding(name, is_exact=True, error=0.0)


@pytest.mark.parametrize(
    ("model", "error", "measured"),
    [
        ("deepseek-chat", 0.2, True),
        ("Qwen/Qwen3-32B", 0.2, True),
        ("glm-4-plus", 0.35, False),
        ("o12-of-mine", 0.35, False),
        ("claude-sonnet-4-5", 0.35, False),
        ("", 0.35, False),
    ],
)
def test_that_another_model_gets_an_estimate_that_says_so(model, error, measured):
    assert encoding_for(model) == Encoding(
        "o200k_base", is_exact=False, error=error, is_measured=measured
    )


def test_that_an_estimate_follows_the_share_of_wide_signs():
    exact, estimate = TokenCounter("gpt-4o"), TokenCounter("deepseek-chat")
    english, chinese = "The battery lasts two days. " * 20, "酒店很干净服务也不错" * 20
    assert estimate.count(english) == round(exact.count(english) * 1.05)
    assert estimate.count(chinese) == round(exact.count(chinese) * 0.80)
    assert estimate.count("a") == 1


def test_that_equal_texts_are_encoded_once(monkeypatch):
    counter = TokenCounter("gpt-4o")
    encoded: list[str] = []
    real = TokenCounter._encoded

    def noted(self, texts):
        encoded.extend(texts)
        return real(self, texts)

    monkeypatch.setattr(TokenCounter, "_encoded", noted)
    assert counter.count_many(["one", "two", "one"]) == [1, 1, 1]
    assert list(counter.stream(["two", "three"])) == [1, 1]
    assert encoded == ["one", "two", "three"]


@pytest.mark.parametrize("remembered", [0, 3])
def test_that_the_cache_stays_bounded(remembered):
    counter = TokenCounter("gpt-4o", remembered=remembered)
    assert counter.count_many([str(n) for n in range(10)]) == [1] * 10
    assert counter.count_many(["a", "b"]) == [1, 1]
    assert len(counter._known) <= remembered


def test_that_an_encoding_is_known_by_its_own_name():
    assert encoding_for("cl100k_base") == encoding_for("gpt-4")
    assert encoding_for("o200k_base") == encoding_for("gpt-4o")


def test_that_threads_may_count_at_once():
    counter, texts = TokenCounter("gpt-4o"), nasty_texts(300)
    right = [TokenCounter("gpt-4o").count(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert all(found == right for found in pool.map(counter.count_many, [texts] * 8))


def test_that_a_damaged_or_missing_file_is_said_in_a_sentence(tmp_path):
    with pytest.raises(UserError, match="missing or damaged"):
        TokenCounter("gpt-4o", folder=tmp_path).count("a")
    (tmp_path / "o200k_base.tiktoken.xz").write_bytes(lzma.compress(b"QQ== 0\n"))
    with pytest.raises(UserError, match="missing or damaged"):
        TokenCounter("gpt-4o", folder=tmp_path).count("a")
    (tmp_path / "o200k_base.tiktoken.xz").write_bytes(b"no xz at all")
    with pytest.raises(UserError, match="missing or damaged"):
        TokenCounter("gpt-4o", folder=tmp_path).count("a")


def test_that_a_long_run_of_one_character_does_not_hang():
    begun = time.monotonic()
    assert TokenCounter("gpt-4o").count("a" * 200_000) == 25_000
    assert TokenCounter("gpt-4o").count("^" * 200_000) > 0
    assert time.monotonic() - begun < 30


@pytest.mark.benchmark
@pytest.mark.timeout(300)
def test_that_a_million_short_rows_are_counted_in_under_a_minute():
    rng = random.Random(2)
    words = ["good", "phone", "battery", "不错", "酒店", "shipping", "was", "the", "颜色", "😀"]
    rows = (f"{n} " + " ".join(rng.choices(words, k=12)) for n in range(1_000_000))
    counter = TokenCounter("gpt-4o")
    counter.count("")
    begun = time.perf_counter()
    total = sum(counter.stream(rows))
    took = time.perf_counter() - begun
    print(f"\n1,000,000 rows, {total:,} tokens: {took:.1f} s")
    assert took < 60
