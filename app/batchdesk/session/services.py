"""The services that may answer: presets for choosing, their keys, and a test of one.

Works without a project. Functions that ask the keyring may wait for a person: call them in a
thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from batchdesk import credentials
from batchdesk.domain.chat import NO_LIMITS, ChatRequest, Message, RateLimits
from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.network import SYSTEM_NETWORK, Network
from batchdesk.errors import UserError
from batchdesk.providers.base import Capabilities, ProviderError
from batchdesk.providers.connect import KEYLESS, ProviderChoice, choose, connect, reach
from batchdesk.providers.http import HttpTimeouts
from batchdesk.providers.model_list import ListedModel
from batchdesk.providers.presets import PRESETS
from batchdesk.providers.proxy import checked_proxy
from batchdesk.providers.tls import check_file
from batchdesk.session.keys import look_up_key

BUILT_IN = frozenset({"local", "practice"})
_NO_MODEL_YET = "?"  # stands for a model while only the list of models is asked for
_LIST_WAIT = HttpTimeouts(connect_s=10.0, read_s=20.0, total_s=20.0)


@dataclass(frozen=True, slots=True)
class Service:
    """A provider preset for choosing.

    Attributes:
        key_page: Where a person gets a key; empty for services without keys.
        is_built_in: Batchdesk starts it itself.
        takes_version: Whether its address may need an API version beside it.
    """

    preset: str
    title: str
    base_url: str | None
    api_key_env: str | None
    key_page: str
    is_built_in: bool
    is_model: bool
    takes_version: bool
    abilities: Capabilities


@dataclass(frozen=True, slots=True)
class ProviderTest:
    """What a provider said when it was tried.

    Attributes:
        seconds: How long the answer took; None if no model was named, so nothing was asked.
        text: The answer.
        models: As the service lists them.
        no_list: Why it lists none, in its own words; empty if it does.
        limits: What its headers say of the account's limits.
    """

    seconds: float | None
    text: str
    models: tuple[ListedModel, ...] = ()
    no_list: str = ""
    limits: RateLimits = NO_LIMITS


def services() -> list[Service]:
    """All provider presets, the built-in ones first."""
    return [
        Service(
            preset=name,
            title=preset.title,
            base_url=preset.base_url,
            api_key_env=preset.api_key_env,
            key_page=preset.key_page,
            is_built_in=name in BUILT_IN,
            is_model=preset.capabilities.is_model,
            takes_version=name == "azure-openai",
            abilities=preset.capabilities,
        )
        for name, preset in PRESETS.items()
    ]


async def try_provider(spec: ProviderSpec, network: Network = SYSTEM_NETWORK) -> ProviderTest:
    """Ask a provider for its models, and its model for one word; that costs a few tokens.

    Without a model only the list is asked for.

    Raises:
        UserError: it did not answer; the sentence carries its own words.
    """
    names_model = bool(spec.model) or spec.preset in BUILT_IN
    if not names_model:
        spec = spec.model_copy(update={"model": _NO_MODEL_YET})
    choice = choose(spec)
    models, no_list, limits = await _models(choice, network)
    if not names_model:
        if no_list:
            raise _did_not_answer(no_list)
        return ProviderTest(None, "", models, limits=limits)
    began = time.perf_counter()
    text, told = await _one_word(choice, network)
    return ProviderTest(
        time.perf_counter() - began, text, models, no_list, told if told != NO_LIMITS else limits
    )


async def _models(
    choice: ProviderChoice, network: Network
) -> tuple[tuple[ListedModel, ...], str, RateLimits]:
    """The service's models, or why it lists none; and its limits."""
    if choice.base_url is None:
        return (), "", NO_LIMITS
    provider, _, _ = await reach(choice, look_up_key, network)
    try:
        found = await provider.models(_LIST_WAIT)
    except ProviderError as error:
        return (), error.message.rstrip("."), error.limits
    finally:
        await provider.close()
    return found.models, "", found.limits


async def _one_word(choice: ProviderChoice, network: Network) -> tuple[str, RateLimits]:
    connection = await connect(choice, look_up_key, network)
    request = ChatRequest(
        model=connection.model,
        messages=(Message("user", "Answer with the word OK."),),
        idempotency_key=f"batchdesk-test-{time.time_ns()}",
        trace_id="test",
        max_tokens=16,
        timeout_total_s=60.0,
        timeout_read_s=60.0,
    )
    try:
        response = await connection.provider.chat(request)
    except ProviderError as error:
        raise _did_not_answer(error.message) from error
    finally:
        await connection.provider.close()
    return response.choices[0].text.strip(), response.limits


def _did_not_answer(message: str) -> UserError:
    # Many services close their own words with a full stop.
    return UserError("The service did not answer: {reason}.", reason=message.rstrip("."))


def check_provider(spec: ProviderSpec) -> None:
    """Check a provider without asking it anything.

    Raises:
        UserError: an address or a model that is missing or wrong.
    """
    choose(spec)


def check_network(network: Network) -> Network:
    """Check what the person set of proxy and certificates; the proxy comes back with its scheme.

    Raises:
        UserError: the proxy's address or the file of certificates cannot be used.
    """
    if network.ca_file is not None:
        check_file(network.ca_file)
    if network.proxy in ("", "none"):
        return network
    return network.model_copy(update={"proxy": checked_proxy(network.proxy)})


# -- keys ---------------------------------------------------------------------------------------


def takes_stored_key(spec: ProviderSpec) -> bool:
    """Whether the keyring is asked for this provider; a server without keys is not asked."""
    preset = PRESETS.get(spec.preset)
    return preset is not None and spec.preset not in BUILT_IN and spec.preset not in KEYLESS


def key_account(spec: ProviderSpec) -> str:
    """The host that a key is kept under; empty without an address. Providers there share it."""
    preset = PRESETS.get(spec.preset)
    url = spec.base_url or (preset.base_url if preset is not None else None)
    try:
        return urlsplit((url or "").strip()).netloc.lower()
    except ValueError:  # not an address; `check_provider` says so
        return ""


def has_stored_key(spec: ProviderSpec) -> bool:
    """Whether the keyring has a key for this provider; may wait for it, so ask in a thread."""
    account = key_account(spec)
    return (
        bool(account)
        and takes_stored_key(spec)
        and credentials.find_key(account, variable=None, named_by_job=False) is not None
    )


def store_key(spec: ProviderSpec, key: str) -> None:
    """Keep the key of a provider in the system's keyring; an empty one forgets it.

    Raises:
        NoKeyringError: this computer has no keyring.
        UserError: the keyring refuses, the provider section is not complete, or the keyring would
            never be asked for this provider's key.
    """
    credentials.store_key(_account_to_keep(spec, key), key)


def keep_key_for_now(spec: ProviderSpec, key: str) -> None:
    """Keep the key of a provider until Batchdesk is closed, where there is no keyring.

    Raises:
        UserError: as for ``store_key``.
    """
    credentials.keep_for_now(_account_to_keep(spec, key), key)


def _account_to_keep(spec: ProviderSpec, key: str) -> str:
    """The account to keep a key under.

    Raises:
        UserError: a run would never look there.
    """
    choice = choose(spec if spec.model else spec.model_copy(update={"model": _NO_MODEL_YET}))
    if key and spec.api_key_env is not None:
        raise UserError(
            "The key of {service} is taken from the environment variable {variable}, not from the "
            "keyring. Put it there, or remove the variable's name.",
            service=choice.preset.title,
            variable=spec.api_key_env,
        )
    if (key and not takes_stored_key(spec)) or choice.base_url is None:
        raise UserError(
            "{service} is asked without a key. If yours wants one, put the key into an environment "
            'variable and name it with api_key_env = "…" in [provider].',
            service=choice.preset.title,
        )
    return urlsplit(choice.base_url).netloc
