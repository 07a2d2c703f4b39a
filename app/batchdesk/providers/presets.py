"""Services by name: where they are, how their key is named, and what they can do.

Addresses and capabilities as the services document them (November 2026); a job may override the
address and the way of asking for JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from batchdesk.providers.base import Capabilities

_JSON_OBJECT = Capabilities(structured_output="json_object")
_ON_THIS_COMPUTER = Capabilities(is_local=True)


@dataclass(frozen=True, slots=True)
class Preset:
    """One service.

    Attributes:
        base_url: None where the job must give it, or where Batchdesk starts the server itself.
        api_key_env: Where its key is usually kept; None for services without keys.
    """

    title: str
    base_url: str | None
    api_key_env: str | None
    capabilities: Capabilities


PRESETS = MappingProxyType(
    {
        "local": Preset("Local model", None, None, Capabilities(echo_key=False, is_local=True)),
        "practice": Preset(
            "Practice server (not a model)", None, None, Capabilities(is_local=True, is_model=False)
        ),
        "openai-compatible": Preset("OpenAI-compatible service", None, None, Capabilities()),
        "openai": Preset("OpenAI", "https://api.openai.com/v1", "OPENAI_API_KEY", Capabilities()),
        "anthropic": Preset(
            "Anthropic",
            "https://api.anthropic.com/v1",
            "ANTHROPIC_API_KEY",
            Capabilities(structured_output="instruction"),
        ),
        "gemini": Preset(
            "Google Gemini",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "GEMINI_API_KEY",
            Capabilities(),
        ),
        "deepseek": Preset(
            "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", _JSON_OBJECT
        ),
        "dashscope": Preset(
            "Alibaba DashScope",
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
            "DASHSCOPE_API_KEY",
            _JSON_OBJECT,
        ),
        "zhipu": Preset(
            "Zhipu", "https://open.bigmodel.cn/api/paas/v4", "ZHIPUAI_API_KEY", _JSON_OBJECT
        ),
        "moonshot": Preset(
            "Moonshot", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY", _JSON_OBJECT
        ),
        "siliconflow": Preset(
            "SiliconFlow", "https://api.siliconflow.cn/v1", "SILICONFLOW_API_KEY", _JSON_OBJECT
        ),
        "openrouter": Preset(
            "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", Capabilities()
        ),
        "ollama": Preset("Ollama", "http://127.0.0.1:11434/v1", None, _ON_THIS_COMPUTER),
        "lm-studio": Preset("LM Studio", "http://127.0.0.1:1234/v1", None, _ON_THIS_COMPUTER),
        "vllm": Preset("vLLM", "http://127.0.0.1:8000/v1", None, _ON_THIS_COMPUTER),
        "llama.cpp": Preset("llama.cpp", "http://127.0.0.1:8080/v1", None, _ON_THIS_COMPUTER),
    }
)
