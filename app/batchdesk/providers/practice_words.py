"""Judges the tone of a text by word lists, in English and Chinese.

In comes a text, out comes a Judgement: which way it leans and how clearly. The practice server
answers from it; it is no model and does not try to be one. The lists hold no label words
(positive, negative, 好评 …), since an instruction that names the labels must not count.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_POSITIVE = """
accurate adorable affordable amazing appreciate appreciated astonishing attractive awesome
beautiful beautifully best better brilliant bright charming clean clear clever comfortable comfy
convenient cool cozy crisp cute dazzling decent delicious delight delighted delightful dependable
durable easily easy effective efficient effortless elegant enjoy enjoyable enjoyed enjoying
excellent exceptional exceeded excited exciting fabulous fair fantastic fast favorite favourite
fine flawless flawlessly fresh friendly fun funny generous gem genius gentle glad good gorgeous
grateful great handy happy happier helped helpful helps high-quality honest ideal impressed
impressive improved incredible inspiring intuitive joy kind knowledgeable like liked likes
lightweight love loved lovely loves loving lucky magnificent marvelous masterpiece memorable neat
nice nicely outstanding patient perfect perfectly phenomenal playful pleasant pleased pleasure
polite powerful pretty professional prompt promptly quick quickly quiet recommend recommended
refreshing reliable remarkable responsive rich robust satisfied satisfying seamless sharp simple
sleek smooth smoothly soft solid spacious speedy splendid spotless stable sturdy stunning stylish
superb superior supportive sweet tasty terrific thank thankful thanks thoughtful thrilled tidy
top-notch touching trustworthy useful valuable versatile warm welcoming well well-made winner
wonderful wonderfully works worth yummy
"""
_NEGATIVE = """
absurd afraid angry annoyed annoying appalling arrogant avoid awful awkward bad badly bland bogus
boring broke broken bug buggy bugs careless cheap cheaply cheated clumsy clunky complain
complained complaint confused confusing cracked crap crappy crash crashed crashes crashing cold
cramped damaged dead deceptive defect defective delay delayed delays deteriorated difficult dirty
disappoint disappointed disappointing disappointment disaster disgusting dishonest dislike
disliked dismal dreadful dull dumb embarrassing error errors expensive fail failed failing fails
failure fake faulty filthy flaw flawed flimsy fraud freezes frustrated frustrating frustration
garbage glitch glitchy gross hate hated hates horrendous horrible horribly hopeless ignored
impossible inaccurate incompetent inconsistent inconvenient incorrect inferior insult irritating
issue issues junk lacking lacks lag lags laggy lame late leak leaked leaking leaks lies loose lost
lousy mediocre mess messy misleading missing mistake moldy nasty nightmare noisy nonsense
obnoxious obsolete odd outdated outrageous overheats overpriced painful pathetic peeling pointless
poor poorly predictable problem problems refund refused regret return returned returning
ridiculous rip-off ripped rotten rough rude ruined rusty sad scam scratched shame shoddy sick slow
sluggish smells smelly sloppy sorry stale sticky stinks stopped stuck stupid subpar sucked sucks
tasteless tedious terrible terribly tired torn toxic trash ugly unacceptable unbearable
uncomfortable unfortunately unfriendly unhappy unhelpful unpleasant unprofessional unreliable
unusable unresponsive upset useless vague violated waste wasted waited weak weird worse worst
worthless wrong yuck
"""
_STRONG_WORDS = """
absolutely completely deeply exceptionally extremely highly incredibly insanely really so super
totally truly utterly very
"""
_NEGATION_WORDS = """
not no never none nothing without hardly barely cannot nor neither lack isn't wasn't don't doesn't
didn't can't couldn't won't wouldn't shouldn't aren't weren't ain't hasn't haven't hadn't dont
doesnt didnt cant wont isnt wasnt
"""
_STRONG = frozenset(_STRONG_WORDS.split())
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_REACH = 3  # how many words a negation or a strengthening word reaches ahead

_POSITIVE_ZH = """
喜欢 满意 很好 不错 挺好 真好 太好 最好 超好 好用 好吃 好看 好喝 好玩 好听 美味 可口 香甜 新鲜
精致 精美 漂亮 美观 优秀 优质 优良 优惠 实惠 划算 便宜 超值 物美价廉 性价比高 方便 便捷 快捷 很快
迅速 神速 及时 准时 热情 周到 贴心 耐心 细心 专业 负责 靠谱 可靠 耐用 结实 牢固 稳定 流畅 顺畅
清晰 清楚 舒服 舒适 柔软 温馨 干净 整洁 卫生 安静 推荐 值得 赞 棒 完美 惊喜 开心 高兴 愉快 感谢
谢谢 感动 支持 信赖 放心 省心 给力 厉害 强大 精彩 经典 有趣 好评如潮 回购 再来 下次还 还会买
会再买 物超所值 没毛病 爱了 五星 良心 实用 齐全 丰富 合适 正好 友好 友善 亲切 宽敞 大气 高档
"""
_NEGATIVE_ZH = """
差劲 很差 太差 极差 较差 最差 差评如潮 糟糕 糟 烂 垃圾 坑 骗 骗人 欺骗 忽悠 假货 假的 冒牌 劣质
失望 后悔 讨厌 恶心 难吃 难用 难看 难喝 难闻 难受 难听 刺鼻 异味 臭 脏 发霉 变质 过期 破损 破了
坏了 坏的 损坏 裂 掉色 褪色 起球 开线 漏水 漏 卡顿 卡死 死机 闪退 黑屏 发热 发烫 噪音 吵 慢 太慢
拖延 拖拉 延迟 迟迟 推诿 敷衍 不耐烦 冷漠 态度恶劣 恶劣 粗糙 廉价 太贵 贵 不值 浪费 上当 投诉 退货
退款 退了 差远 错误 发错 少发 漏发 缺货 问题 毛病 缺陷 故障 麻烦 复杂 累赘 无语 生气 气愤 愤怒
无聊 枯燥 失败 不好 不行 不满 没用 无用 鸡肋 千万别 再也不 拉黑 避雷 踩雷 黑心 一般般 缩水 模糊
松动 偏小 偏大
"""
_NEGATIONS_ZH = (
    "没有",
    "不太",
    "不是很",
    "不怎么",
    "不够",
    "毫不",
    "并不",
    "不",
    "没",
    "无",
    "别",
    "非",
)

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|[.!?;,\n]")  # noqa: RUF001 - the typographic apostrophe
_CLAUSE_END = frozenset(".!?;,\n")
_TURN = frozenset({"but", "however", "although", "though", "yet"})


def _weights() -> dict[str, int]:
    words = dict.fromkeys(_POSITIVE.split(), 1)
    words.update(dict.fromkeys(_NEGATIVE.split(), -1))
    return words


def _weights_zh() -> dict[str, int]:
    words = dict.fromkeys(_POSITIVE_ZH.split(), 1)
    words.update(dict.fromkeys(_NEGATIVE_ZH.split(), -1))
    return words


_WEIGHT = _weights()
_WEIGHT_ZH = _weights_zh()
_PHRASE_ZH = re.compile("|".join(sorted(_WEIGHT_ZH, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The tone of a text.

    Attributes:
        positive: Weight of the friendly words.
        negative: Weight of the unfriendly words.
    """

    positive: float
    negative: float

    @property
    def net(self) -> float:
        """Above 0: friendly on balance; below 0: unfriendly."""
        return self.positive - self.negative

    @property
    def clarity(self) -> float:
        """0: no words or a tie; near 1: many words and all of one kind."""
        total = self.positive + self.negative
        if total == 0:
            return 0.0
        return abs(self.net) / total * (1 - math.pow(0.3, total))

    @property
    def is_mixed(self) -> bool:
        """Both kinds of words, in about equal weight."""
        total = self.positive + self.negative
        return min(self.positive, self.negative) > 0 and abs(self.net) < total / 3

    def flipped(self) -> Judgement:
        """The opposite tone; a text without tone turns friendly."""
        if self.net == 0:
            return Judgement(self.positive + 1, self.negative)
        return Judgement(self.negative, self.positive)


def judge(text: str) -> Judgement:
    """Count the tone of ``text``, minding negations before a word."""
    positive, negative = _english(text.lower())
    if not text.isascii():
        more_positive, more_negative = _chinese(text)
        positive += more_positive
        negative += more_negative
    return Judgement(positive, negative)


def _english(text: str) -> tuple[float, float]:
    positive = negative = 0.0
    negated = strong = 0  # words ahead that the last such word still reaches
    weight_now = 1.0
    for word in _WORD.findall(text):
        if word in _CLAUSE_END:
            negated = strong = 0
            continue
        if word in _TURN:  # what follows a turn weighs more than what went before
            negated = strong = 0
            weight_now = 1.5
            continue
        plain = word.replace("’", "'")  # noqa: RUF001 - the typographic apostrophe
        if plain in _NEGATIONS:
            negated = _REACH
            continue
        if plain in _STRONG:
            strong = _REACH
            continue
        sign = _WEIGHT.get(plain, 0)
        if sign:
            weight = weight_now * (1.5 if strong else 1.0)
            if negated:
                sign = -sign
            if sign > 0:
                positive += weight
            else:
                negative += weight
            negated = strong = 0
        negated = max(0, negated - 1)
        strong = max(0, strong - 1)
    return positive, negative


def _chinese(text: str) -> tuple[float, float]:
    positive = negative = 0.0
    for match in _PHRASE_ZH.finditer(text):
        sign = _WEIGHT_ZH[match.group()]
        before = text[max(0, match.start() - 3) : match.start()]
        if before.endswith(_NEGATIONS_ZH):
            sign = -sign
        if sign > 0:
            positive += 1
        else:
            negative += 1
    return positive, negative
