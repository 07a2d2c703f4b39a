"""Services by name: where they are, how their key is named and got, and what they can do.

As the services' own pages say (looked up in November 2026; each entry names its page). A job may
override the address and the way of asking for JSON. Where models of one service differ, the entry
says what most can do: asking too little still gives an answer, asking too much an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from batchdesk.providers.base import Capabilities, StrictLimits

# developers.openai.com/api/docs/guides/structured-outputs: 10 levels, 5,000 fields, 1,000 values.
_OPENAI = Capabilities(strict_limits=StrictLimits(10, 5000, 1000))


@dataclass(frozen=True, slots=True)
class Preset:
    """One service.

    Attributes:
        base_url: None where the job must give it, or where Batchdesk starts the server itself.
        api_key_env: Where its key is usually kept; None for services without keys.
        key_page: Where a person gets a key.
        hosts: Ends of other hosts that are the service's own, beside the one of ``base_url``.
    """

    title: str
    base_url: str | None
    api_key_env: str | None
    capabilities: Capabilities
    key_page: str = ""
    hosts: tuple[str, ...] = ()


def _json_object(
    *, logprobs: bool = False, seed: bool = False, several: bool = False, stream_usage: bool = True
) -> Capabilities:
    return Capabilities(
        structured_output="json_object",
        logprobs=logprobs,
        seed=seed,
        several=several,
        stream_usage=stream_usage,
    )


# docs.siliconflow.cn/guides/json_mode and docs/api/chat-completions-post: JSON mode; n, no seed.
_SILICONFLOW = _json_object(several=True)
# platform.kimi.ai/docs/guide/use-json-mode-feature-of-kimi-api: JSON mode. n holds for moonshot-v1
# alone; kimi models refuse it with a clear word.
_MOONSHOT = _json_object(several=True)
# alibabacloud.com/help/en/model-studio/json-mode: json_object for nearly all models, json_schema
# for a few (a job may ask for it); the keys of the two regions differ.
_DASHSCOPE = _json_object(logprobs=True, seed=True, several=True)
# docs.bigmodel.cn/api-reference: response_format is text or json_object; no stream_options.
_GLM = _json_object(stream_usage=False)
_AZURE_HOSTS = (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com")

_BUILT_IN = {
    "local": Preset("Local model", None, None, Capabilities(echo_key=False, is_local=True)),
    "practice": Preset(
        "Practice server (not a model)", None, None, Capabilities(is_local=True, is_model=False)
    ),
}
_GENERAL = {
    "openai-compatible": Preset("OpenAI-compatible service", None, None, Capabilities()),
    "openai": Preset(
        "OpenAI",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        _OPENAI,
        "https://platform.openai.com/api-keys",
    ),
    # learn.microsoft.com/azure/ai-services/openai/reference: header api-key; the model is the
    # deployment's name; /openai/v1, or /openai/deployments/… with a dated api-version.
    "azure-openai": Preset(
        "Azure OpenAI",
        None,
        "AZURE_OPENAI_API_KEY",
        _OPENAI,
        "https://portal.azure.com",
        _AZURE_HOSTS,
    ),
    # platform.claude.com/docs/en/api/openai-sdk: response_format, logprobs and seed are ignored,
    # n must be 1.
    "anthropic": Preset(
        "Anthropic",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        Capabilities("instruction", logprobs=False, seed=False, several=False),
        "https://platform.claude.com/settings/keys",
    ),
    # ai.google.dev/gemini-api/docs/openai: response_format; nothing of logprobs, seed and n.
    "gemini": Preset(
        "Google Gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "GEMINI_API_KEY",
        Capabilities(logprobs=False, seed=False, several=False),
        "https://aistudio.google.com/apikey",
    ),
    # openrouter.ai/docs/api-reference/parameters: no n; models without json_schema ignore it.
    "openrouter": Preset(
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        Capabilities(several=False),
        "https://openrouter.ai/settings/keys",
    ),
}
_CHINESE = {
    # api-docs.deepseek.com/api/create-chat-completion: json_object, logprobs; no n and no seed.
    "deepseek": Preset(
        "DeepSeek",
        "https://api.deepseek.com/v1",
        "DEEPSEEK_API_KEY",
        _json_object(logprobs=True),
        "https://platform.deepseek.com/api_keys",
    ),
    "dashscope": Preset(
        "Alibaba DashScope",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        _DASHSCOPE,
        "https://help.aliyun.com/zh/model-studio/get-api-key",
        (".cn-beijing.maas.aliyuncs.com",),
    ),
    "dashscope-intl": Preset(
        "Alibaba DashScope (international)",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        _DASHSCOPE,
        "https://www.alibabacloud.com/help/en/model-studio/get-api-key",
        (".ap-southeast-1.maas.aliyuncs.com",),
    ),
    "zhipu": Preset(
        "Zhipu",
        "https://open.bigmodel.cn/api/paas/v4",
        "ZHIPUAI_API_KEY",
        _GLM,
        "https://bigmodel.cn/usercenter/proj-mgmt/apikeys",
    ),
    "zai": Preset(
        "Z.ai (Zhipu international)",
        "https://api.z.ai/api/paas/v4",
        "ZAI_API_KEY",
        _GLM,
        "https://z.ai/manage-apikey/apikey-list",
    ),
    "moonshot": Preset(
        "Moonshot",
        "https://api.moonshot.cn/v1",
        "MOONSHOT_API_KEY",
        _MOONSHOT,
        "https://platform.moonshot.cn/console/api-keys",
    ),
    "moonshot-intl": Preset(
        "Moonshot (international)",
        "https://api.moonshot.ai/v1",
        "MOONSHOT_API_KEY",
        _MOONSHOT,
        "https://platform.moonshot.ai/console/api-keys",
    ),
    "siliconflow": Preset(
        "SiliconFlow",
        "https://api.siliconflow.cn/v1",
        "SILICONFLOW_API_KEY",
        _SILICONFLOW,
        "https://cloud.siliconflow.cn/account/ak",
    ),
    "siliconflow-intl": Preset(
        "SiliconFlow (international)",
        "https://api.siliconflow.com/v1",
        "SILICONFLOW_API_KEY",
        _SILICONFLOW,
        "https://cloud.siliconflow.com/account/ak",
    ),
}
_NEAR = {
    # docs.ollama.com/api/openai-compatibility: response_format, seed, logprobs; no n.
    "ollama": Preset(
        "Ollama", "http://127.0.0.1:11434/v1", None, Capabilities(is_local=True, several=False)
    ),
    # lmstudio.ai/docs/advanced/structured-output: json_schema; of logprobs and n it says nothing.
    "lm-studio": Preset(
        "LM Studio",
        "http://127.0.0.1:1234/v1",
        None,
        Capabilities(is_local=True, several=False, logprobs=False),
    ),
    "vllm": Preset("vLLM", "http://127.0.0.1:8000/v1", None, Capabilities(is_local=True)),
    "llama.cpp": Preset("llama.cpp", "http://127.0.0.1:8080/v1", None, Capabilities(is_local=True)),
}

PRESETS = MappingProxyType({**_BUILT_IN, **_GENERAL, **_CHINESE, **_NEAR})
