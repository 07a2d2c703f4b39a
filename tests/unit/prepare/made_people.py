"""Made sentences, English and Chinese, with personal data at known places, and numbers that are none.

Everything is made up by a seed: no sentence speaks of a person. Check digits are worked out here
by rules of their own, not by the code under test.
"""

import random
from dataclasses import dataclass

NAMES = ["anna.lee", "j_smith", "wei.zhang", "li-na", "tom+news", "m.o'brien", "zhao2024", "k.k"]
HOSTS = ["example.com", "mail.example.org", "qq.com", "163.com", "uni-bonn.example.de", "x.co.uk"]


@dataclass(frozen=True)
class Made:
    """A sentence, and (kind, value) of what must be masked in it."""

    text: str
    personal: tuple[tuple[str, str], ...]


def luhn_number(rng: random.Random, first: str, length: int, *, right: bool = True) -> str:
    body = first + "".join(str(rng.randrange(10)) for _ in range(length - len(first) - 1))
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * 2 if place % 2 == 0 else int(digit)
        total += value if value < 10 else value - 9
    check = (10 - total % 10) % 10
    return body + str(check if right else (check + 3) % 10)


def grouped(number: str, rng: random.Random) -> str:
    mark = rng.choice(["", "", " ", "-"])
    return mark.join(number[at : at + 4] for at in range(0, len(number), 4))


def card(rng: random.Random) -> str:
    first, length = rng.choice(
        [
            ("4", 16),
            ("52", 16),
            ("2300", 16),
            ("37", 15),
            ("6011", 16),
            ("622202", 19),
            ("3530", 16),
        ]
    )
    return grouped(luhn_number(rng, first, length), rng)


def resident_id(rng: random.Random, *, right: bool = True) -> str:
    place = rng.choice(["110105", "310104", "440305", "510107", "330106"])
    day = f"{rng.randint(1940, 2015)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
    body = f"{place}{day}{rng.randrange(1000):03}"
    total = sum(int(digit) * (2 ** (17 - at) % 11) for at, digit in enumerate(body))
    check = (12 - total % 11) % 11 + (0 if right else 1)
    return body + "0123456789X0"[check]


def iban(rng: random.Random, *, right: bool = True) -> str:
    country, body = rng.choice(
        [
            ("DE", "".join(str(rng.randrange(10)) for _ in range(18))),
            ("GB", "WEST" + "".join(str(rng.randrange(10)) for _ in range(14))),
            ("FR", "".join(str(rng.randrange(10)) for _ in range(23))),
            ("NL", "ABNA" + "".join(str(rng.randrange(10)) for _ in range(10))),
        ]
    )
    number = "".join(str(int(char, 36)) for char in body + country + "00")
    check = 98 - int(number) % 97
    whole = f"{country}{check if right else 98 - check:02}{body}"
    return (
        whole if rng.random() < 0.5 else " ".join(whole[a : a + 4] for a in range(0, len(whole), 4))
    )


def phone(rng: random.Random) -> str:
    def digits(count: int) -> str:
        return "".join(str(rng.randrange(10)) for _ in range(count))

    mobile = rng.choice(["138", "139", "150", "186", "177", "199"])
    return rng.choice(
        [
            lambda: f"{mobile}{digits(8)}",
            lambda: f"{mobile} {digits(4)} {digits(4)}",
            lambda: f"{mobile}-{digits(4)}-{digits(4)}",
            lambda: f"+86 {mobile}{digits(8)}",
            lambda: f"010-6{digits(7)}",
            lambda: f"021-5{digits(7)}",
            lambda: f"(212) {rng.randint(2, 9)}{digits(2)}-{digits(4)}",
            lambda: f"415-{rng.randint(2, 9)}{rng.randint(2, 9)}{digits(1)}-{digits(4)}",
            lambda: f"+1 650 {rng.randint(2, 9)}{rng.randint(2, 9)}{digits(1)} {digits(4)}",
            lambda: f"+44 20 7{digits(3)} {digits(4)}",
            lambda: f"07{rng.choice(['700', '802', '457'])} {digits(6)}",
            lambda: f"+49 30 {rng.randint(2, 9)}{digits(6)}",
            lambda: f"+33 6 {rng.randint(10, 79)} {digits(2)} {digits(2)} {digits(2)}",
        ]
    )()


def email(rng: random.Random) -> str:
    return f"{rng.choice(NAMES)}{rng.randrange(100)}@{rng.choice(HOSTS)}"


def ip(rng: random.Random) -> str:
    if rng.random() < 0.3:
        parts = [f"{rng.randrange(0x1000, 0xFFFF):x}" for _ in range(4)]
        return f"2001:db8::{':'.join(parts)}"
    return ".".join(str(rng.randint(1, 254)) for _ in range(4))


def url(rng: random.Random) -> str:
    return rng.choice(
        [
            f"https://www.{rng.choice(HOSTS)}/u/{rng.randrange(10**6)}",
            f"http://{rng.choice(HOSTS)}/a_b?id={rng.randrange(10**6)}&x=1#top",
            f"www.{rng.choice(HOSTS)}/index.html",
            f"https://{rng.choice(HOSTS)}",
        ]
    )


MAKERS = {
    "EMAIL": email,
    "PHONE": phone,
    "CARD": card,
    "IBAN": iban,
    "RESIDENT_ID": resident_id,
    "IP": ip,
    "URL": url,
}

ENGLISH = [
    "Please contact me: {0}.",
    "My details are {0}, and I wait for your answer.",
    "I wrote to you ({0}) last week and nobody called back!",
    "The parcel came late; reach me via {0} or leave it at the door.",
    "{0} is what I gave at the desk.",
]
CHINESE = [
    "请联系我：{0}。",
    "我的信息是{0}，请尽快回复！",
    "上周我留了{0}，一直没有人回电。",
    "客服说登记的是（{0}），其实不对。",
    "{0}这个已经不用了",
]


def decoy(rng: random.Random) -> str:
    """A number that is no personal data."""
    return rng.choice(
        [
            lambda: f"order {rng.randrange(10**5, 10**6)}",
            lambda: (
                f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02} 10:{rng.randrange(60):02}:22"
            ),
            lambda: f"{rng.randrange(1, 99)},{rng.randrange(1000):03}.50 USD",
            lambda: (
                f"version {rng.randrange(9)}.{rng.randrange(20)}.{rng.randrange(9)}.{rng.randrange(9)}"
            ),
            lambda: luhn_number(rng, "4", 16, right=False),
            lambda: resident_id(rng, right=False),
            lambda: iban(rng, right=False),
            lambda: f"ISBN 978-7-{rng.randrange(10**5, 10**6)}-12-3",
            lambda: f"订单号{rng.randrange(2 * 10**15, 3 * 10**15)}",
            lambda: f"{rng.randint(1, 9)}:{rng.randint(10, 59)}",
            lambda: f"评分{rng.randrange(5)}.{rng.randrange(10)}分",
            lambda: "a::b at 12 @ 3",
            lambda: f"{rng.randrange(300, 999)}.{rng.randrange(999)}.{rng.randrange(256)}.1",
        ]
    )()


def sentences(count: int, seed: int) -> list[Made]:
    """So many sentences; every third holds nothing personal, some hold two things."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        frame = rng.choice(CHINESE if number % 2 else ENGLISH)
        if number % 3 == 2:
            made.append(Made(frame.format(decoy(rng)), ()))
            continue
        kinds = rng.sample(list(MAKERS), 2 if number % 7 == 0 else 1)
        personal = tuple((kind, MAKERS[kind](rng)) for kind in kinds)
        joiner = "，也可以 " if number % 2 else " or, if that fails, "
        made.append(Made(frame.format(joiner.join(value for _, value in personal)), personal))
    return made
