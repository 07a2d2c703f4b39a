"""From a job's provider section to a provider that answers; starts a helper server if need be."""

from __future__ import annotations

import asyncio
import difflib
import ipaddress
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from urllib.parse import urlsplit

from batchdesk.domain.chat import ChatRequest, ChatResponse
from batchdesk.domain.job import ProviderSpec
from batchdesk.domain.network import SYSTEM_NETWORK, Network
from batchdesk.errors import JobFileError, Phrase, UserError
from batchdesk.providers import local, practice_settings
from batchdesk.providers.base import Capabilities, Provider
from batchdesk.providers.child import ChildServer, child_command
from batchdesk.providers.endpoint import Endpoint, endpoint_of
from batchdesk.providers.http import checked_url
from batchdesk.providers.openai_chat import OpenAIChat
from batchdesk.providers.presets import PRESETS, Preset

# Looks up a key: (account, environment variable, whether the job names it) → key or None.
KeyLookup = Callable[[str, str | None, bool], str | None]

# Servers that take no key by themselves: only a variable that the job names is looked at.
KEYLESS = frozenset({"ollama", "lm-studio", "vllm", "llama.cpp"})
_CONCURRENCY = 20
_CONCURRENCY_LOCAL = 8
_SALT = secrets.token_bytes(32)  # of this process, so that no fingerprint can be looked up later
_LOCAL_MODEL_START_S = 120.0  # the first start reads 100 MB from a cold disk


@dataclass(frozen=True, slots=True)
class Connection:
    """A provider that is ready, and what the engine needs to know of it.

    Attributes:
        account: Who is asked: a host, or the name of a built-in server.
        concurrency: Requests in flight to start with, if the job does not say.
        account_key: Equal for connections that share one account, and so its limits: who is asked,
            with a fingerprint of the key. It means nothing outside this process.
    """

    provider: Provider
    model: str
    account: str
    concurrency: int
    account_key: str


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """What a job's provider section means, before anything is started or sent."""

    spec: ProviderSpec
    preset: Preset
    model: str
    capabilities: Capabilities
    base_url: str | None

    @property
    def endpoint(self) -> Endpoint | None:
        """How the service is asked; None for what Batchdesk starts itself."""
        if self.base_url is None:
            return None
        return endpoint_of(
            self.spec.preset,
            self.base_url,
            model=self.model,
            api_version=self.spec.api_version,
        )


class _WithChild:
    """A provider whose server is a child process of ours."""

    def __init__(self, provider: OpenAIChat, child: ChildServer) -> None:
        self.capabilities = provider.capabilities
        self._provider = provider
        self._child = child

    async def chat(self, request: ChatRequest) -> ChatResponse:
        return await self._provider.chat(request)

    async def close(self) -> None:
        try:
            await self._provider.close()
        finally:
            await self._child.stop()


def choose(spec: ProviderSpec) -> ProviderChoice:
    """Check a provider section without starting or sending anything.

    Raises:
        JobFileError: an unknown preset, or an address or a model that is missing or wrong.
    """
    preset = PRESETS.get(spec.preset)
    if preset is None:
        near = difflib.get_close_matches(spec.preset, PRESETS, 1, 0.4)
        raise JobFileError(
            "There is no provider preset {preset!r}. {hint}",
            preset=spec.preset,
            hint=(
                Phrase("Did you mean {near}?", near=repr(near[0]))
                if near
                else Phrase("There are: {known}.", known=", ".join(PRESETS))
            ),
        )
    capabilities = preset.capabilities
    if spec.structured_output is not None:
        capabilities = replace(capabilities, structured_output=spec.structured_output)
    if spec.preset == "local":
        return ProviderChoice(spec, preset, spec.model or local.MODEL_NAME, capabilities, None)
    if spec.preset == "practice":
        practice_settings.PracticeSettings(faults=spec.practice.faults)  # says what is wrong
        return ProviderChoice(spec, preset, spec.model or "practice", capabilities, None)
    url = spec.base_url or preset.base_url
    if url is None:
        raise JobFileError(
            'The job does not say where the service is. Add base_url = "https://…" to [provider].'
        )
    if not spec.model:
        raise JobFileError('The job does not name a model. Add model = "…" to [provider].')
    url = checked_url(url)
    if _is_near(url):
        capabilities = replace(capabilities, is_local=True)
    return ProviderChoice(spec, preset, spec.model, capabilities, url)


async def check_ready(choice: ProviderChoice, find_key: KeyLookup) -> None:
    """Check what ``connect`` would refuse for, without starting or sending anything.

    Raises:
        UserError: a key is missing, or the local model cannot run here.
    """
    if choice.spec.preset == "local" and (refusal := local.probe()) is not None:
        raise refusal
    if choice.base_url is not None:
        await _key(choice, urlsplit(choice.base_url).netloc, find_key)


async def connect(
    choice: ProviderChoice, find_key: KeyLookup, network: Network = SYSTEM_NETWORK
) -> Connection:
    """A provider that is ready to answer; built-in servers are started.

    Args:
        network: How this computer reaches services; servers that are started are on it.

    Raises:
        UserError: a key is missing, a built-in server cannot start, or the proxy or the file of
            certificates cannot be used.
    """
    if choice.spec.preset == "local":
        return await _local(choice)
    if choice.spec.preset == "practice":
        return await _practice(choice)
    provider, account, key = await reach(choice, find_key, network)
    concurrency = _CONCURRENCY_LOCAL if choice.capabilities.is_local else _CONCURRENCY
    return Connection(provider, choice.model, account, concurrency, account_key(account, key))


async def reach(
    choice: ProviderChoice, find_key: KeyLookup, network: Network = SYSTEM_NETWORK
) -> tuple[OpenAIChat, str, str | None]:
    """The client of a service with an address, its account (the host) and its key.

    Raises:
        UserError: as for ``connect``.
    """
    endpoint = choice.endpoint
    if endpoint is None:
        raise JobFileError("The job does not say where the service is.")
    key = await _key(choice, endpoint.host, find_key)
    provider = OpenAIChat(endpoint, api_key=key, capabilities=choice.capabilities, network=network)
    return provider, endpoint.host, key


async def _key(choice: ProviderChoice, account: str, find_key: KeyLookup) -> str | None:
    """The key for a service, or None for one that takes none.

    Raises:
        UserError: there is none, or the job would have a service's key sent to another's address.
    """
    named, usual = choice.spec.api_key_env, choice.preset.api_key_env
    if named is None and usual is None and choice.spec.preset in KEYLESS:
        return None  # nobody is asked: a keyring may answer with a dialog
    is_own = choice.capabilities.is_local or _is_own(choice, account)
    variable = named or (usual if is_own else None)
    # In a thread: a keyring waits for a person who must unlock it.
    key = await asyncio.to_thread(find_key, account, variable, named is not None)
    if key is None and usual is not None and not is_own:
        raise UserError(
            "{account} is not the usual address of {service}, so its key is not sent there by "
            'itself. If it should be, add api_key_env = "{variable}" to [provider].',
            account=account,
            service=choice.preset.title,
            variable=usual,
        )
    if key is None and usual is not None:
        raise UserError(
            "There is no key for {service}. Put it into the keyring on the Settings page, or into "
            "the environment variable {variable}, and start again.",
            service=choice.preset.title,
            variable=usual,
        )
    return key


def _is_own(choice: ProviderChoice, account: str) -> bool:
    """Whether a host is the service's own, so that its key may go there by itself."""
    preset = choice.preset
    if not (choice.base_url or "").startswith("https:"):
        return False
    if preset.base_url is not None and account == urlsplit(preset.base_url).netloc:
        return True
    return account.endswith(preset.hosts)


async def _local(choice: ProviderChoice) -> Connection:
    if (refusal := local.probe()) is not None:
        raise refusal
    key = secrets.token_urlsafe(24)
    child = ChildServer(child_command("local"), local.child_environment(key))
    address = await child.start(_LOCAL_MODEL_START_S)
    chat = OpenAIChat(f"{address.base_url}/v1", api_key=key, capabilities=choice.capabilities)
    # Two such servers share this computer, whatever their keys.
    return Connection(
        _WithChild(chat, child), choice.model, "local", local.DEFAULT_CONCURRENCY, "local"
    )


async def _practice(choice: ProviderChoice) -> Connection:
    spec = choice.spec.practice
    settings = practice_settings.PracticeSettings(
        latency_s=spec.latency_s, rpm=spec.rpm, tpm=spec.tpm, faults=spec.faults, seed=spec.seed
    )
    child = ChildServer(child_command("practice", *practice_settings.arguments(settings)))
    address = await child.start(30.0)
    chat = OpenAIChat(f"{address.base_url}/v1", api_key=None, capabilities=choice.capabilities)
    own = account_key("practice", secrets.token_hex(8))  # each has limits of its own
    return Connection(_WithChild(chat, child), choice.model, "practice", _CONCURRENCY, own)


def account_key(account: str, key: str | None) -> str:
    """Who is asked and with which key, in a form that does not tell the key."""
    if key is None:
        return account
    return f"{account}#{blake2b(key.encode(), key=_SALT, digest_size=16).hexdigest()}"


def _is_near(url: str) -> bool:
    """Whether the host is this computer or in a private network."""
    host = urlsplit(url).hostname or ""
    if "." not in host.rstrip(".") and ":" not in host:
        return True  # localhost, or a computer of this network by its name
    if host.endswith(".local"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
