"""Where and how a service that was chosen is asked: paths, the key's header, names of fields.

Nearly all services are asked alike. Azure is not: its model is a deployment, its key has a header
of its own, and its older API has a version in the address.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

_OPENAI_HOST = "api.openai.com"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How one service is asked.

    Attributes:
        base_url: To which the paths are appended.
        chat_path: Where requests go.
        models_path: Where its models are listed.
        key_header: ``authorization`` (a bearer token), or a header that takes the key alone.
        max_tokens: What the longest answer is called.
    """

    base_url: str
    chat_path: str = "/chat/completions"
    models_path: str = "/models"
    key_header: str = "authorization"
    max_tokens: str = "max_tokens"

    @property
    def host(self) -> str:
        """The service's host, with its port if it has one."""
        return urlsplit(self.base_url).netloc

    def key_headers(self, key: str | None) -> dict[str, str]:
        """The header that carries the key."""
        if not key:
            return {}
        return {self.key_header: f"Bearer {key}" if self.key_header == "authorization" else key}


def endpoint_of(
    preset: str, base_url: str, *, model: str = "", api_version: str | None = None
) -> Endpoint:
    """How a service is asked.

    Args:
        preset: The preset's name.
        base_url: As ``checked_url`` returns it.
        model: For Azure the deployment.
        api_version: For Azure's older API its version, such as 2024-10-21; None: the v1 API.
    """
    if preset == "azure-openai":
        return _azure(base_url, model, api_version)
    # OpenAI's newer models refuse the old name; few other services know the new one.
    is_openai = urlsplit(base_url).hostname == _OPENAI_HOST
    return Endpoint(base_url, max_tokens="max_completion_tokens" if is_openai else "max_tokens")


def _azure(base_url: str, deployment: str, api_version: str | None) -> Endpoint:
    root = base_url.partition("/openai")[0]  # people copy more or less of the address
    if api_version is None:
        return Endpoint(
            f"{root}/openai/v1", key_header="api-key", max_tokens="max_completion_tokens"
        )
    version = f"?api-version={quote(api_version, safe='')}"
    return Endpoint(
        f"{root}/openai",
        chat_path=f"/deployments/{quote(deployment, safe='')}/chat/completions{version}",
        models_path=f"/models{version}",
        key_header="api-key",
    )
