"""Encodings are guessed right for realistic texts, however the samples are cut."""

import io

import pytest

from batchdesk.tables.encoding import (
    HEAD_BYTES,
    Samples,
    guess_encoding,
    take_samples,
    utf16_without_mark,
)

CHINESE = (
    "评论,标签\n酒店的位置很好，服务态度也不错，就是房间有一点小。,好评\n"
    "书的质量太差了，纸张很薄，印刷也不清楚，不推荐购买！,差评\n"
)
CHINESE_ONE = "编号,意见\n一,一般般　没有什么特别的一家店\n二,下次还会再来的一个地方\n"
TRADITIONAL = "編號,評論\n1,這個電腦的鍵盤很舒服，螢幕顯示也清楚，值得購買。\n2,賣家態度不錯，運送時間有點長。\n"
FRENCH = "id,texte\n1,Très bon hôtel, déjeuner copieux à volonté\n2,Où est passé le garçon ? Ça m’a déçu…\n"
GERMAN = "nr;text\n1;Das Frühstück war großartig, die Küche übertraf alles\n2;Schöne Gegend, höfliche Leute\n"
SPANISH = "id,texto\n1,¿Cuándo llegará el envío? El año pasado tardó más\n2,¡Qué cómodo sillón!\n"
PORTUGUESE = "id,texto\n1,Não recomendo, a refeição não é boa\n2,Ótima localização, pão fresquinho de manhã\n"
SWEDISH = (
    "id,text\n1,Mycket bra kött, men för dyrt på kvällen\n2,Jag åkte till Östersund på våren\n"
)
ENGLISH_QUOTES = "id,text\n1,“It’s fine” – she said…\n2,Don’t buy it – it’s €40\n"
MIXED_WESTERN = FRENCH + GERMAN + SPANISH
POLISH = "id,tekst\n1,Bardzo miła obsługa, łóżko było wygodne\n2,Źle się spało, hałas przez całą noc, śniadanie też złe\n"
CZECH = "id,text\n1,Příjemný personál, pěkný pokoj a výborná snídaně\n2,Špatně se tu parkuje, žádné volné místo\n"
HUNGARIAN = "id,szöveg\n1,Nagyon jó szálloda, a reggeli bőséges és ízű volt\n2,Kedves személyzet, gyönyörű környék, jövőre újra jövünk\n"
TURKISH = "id,metin\n1,Çok güzel bir otel, kahvaltı çeşitleri şahaneydi\n2,Oda küçük ve gürültülüydü, bir daha kalmayacağım\n"
RUSSIAN = "номер,отзыв\n1,Очень хорошая гостиница, завтрак вкусный\n2,Не понравилось: шумно и грязно, больше не приедем\n"
UKRAINIAN = "номер,відгук\n1,Дуже гарний готель, смачний сніданок і привітні люди\n2,Кімната була холодна, не рекомендую\n"
GREEK = "αριθμός,σχόλιο\n1,Πολύ καλό ξενοδοχείο, το πρωινό ήταν υπέροχο\n2,Το δωμάτιο ήταν μικρό και είχε θόρυβο\n"
KOREAN = (
    "번호,의견\n1,호텔 위치가 정말 좋고 직원들도 친절했습니다. 다음에도 꼭 다시 오고 싶어요.\n"
    "2,방이 너무 작고 시끄러워서 잠을 제대로 못 잤습니다. 추천하고 싶지 않아요.\n"
    "3,아침 식사가 맛있었고 가격도 적당했습니다. 가족들과 함께 가기 좋은 곳입니다.\n"
)
JAPANESE = (
    "番号,感想\n1,ホテルの場所はとても便利で、スタッフも親切でした。また泊まりたいです。\n"
    "2,部屋が狭くて、夜もうるさかったので、あまりおすすめできません。\n"
)


def guess(data: bytes) -> str:
    return guess_encoding(take_samples(io.BytesIO(data), len(data)))


@pytest.mark.parametrize("text", [CHINESE, FRENCH, RUSSIAN, KOREAN, "a,b\n1,😀\n"])
@pytest.mark.parametrize(
    ("codec", "guessed"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
    ],
)
def test_that_unicode_is_recognised_with_and_without_a_mark(text, codec, guessed):
    assert guess(text.encode(codec)) == guessed


@pytest.mark.parametrize(
    ("mark", "codec", "guessed"),
    [
        (b"\xfe\xff", "utf-16-be", "utf-16"),
        (b"\x00\x00\xfe\xff", "utf-32-be", "utf-32"),
        (b"\x84\x31\x95\x33", "gb18030", "gb18030"),
    ],
)
def test_that_big_endian_and_chinese_marks_are_known(mark, codec, guessed):
    assert guess(mark + CHINESE.encode(codec)) == guessed


def test_that_utf16_is_told_by_its_line_ends_where_nuls_stand_on_both_sides():
    assert CHINESE_ONE.encode("utf-16-le")[0::2].count(0) == 5
    assert guess(CHINESE_ONE.encode("utf-16-le")) == "utf-16-le"
    assert guess(CHINESE_ONE.encode("utf-16-be")) == "utf-16-be"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (CHINESE, "gb18030"),
        (CHINESE_ONE, "gb18030"),
        (TRADITIONAL, "gb18030"),
        ("文本,标签\n好,正\n", "gb18030"),
        (CHINESE + "3,真好吃😀𠮷,好评\n", "gb18030"),
        (FRENCH, "cp1252"),
        (GERMAN, "cp1252"),
        (SPANISH, "cp1252"),
        (PORTUGUESE, "cp1252"),
        (SWEDISH, "cp1252"),
        (ENGLISH_QUOTES, "cp1252"),
        (MIXED_WESTERN, "cp1252"),
        ("name\ncafé\n", "cp1252"),
        ("Straße;Größe\n1;2\n", "cp1252"),
        (POLISH, "cp1250"),
        (CZECH, "cp1250"),
        (HUNGARIAN, "cp1250"),
        (TURKISH, "cp1254"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN.upper(), "cp1251"),
        (UKRAINIAN, "cp1251"),
        ("город\nМосква\n", "cp1251"),
    ],
)
def test_that_national_encodings_are_recognised(text, codec):
    assert guess(text.encode(codec)) == codec


@pytest.mark.parametrize(
    ("text", "codec"),
    [(GREEK, "cp1253"), (KOREAN, "euc_kr"), (JAPANESE, "shift_jis"), (RUSSIAN, "koi8_r")],
)
def test_that_other_encodings_are_left_to_the_general_detector(text, codec):
    data = text.encode(codec)
    assert data.decode(guess(data)) == text


def test_that_plain_ascii_and_nothing_at_all_count_as_utf8():
    assert guess(b"id,text\n1,plain\n") == "utf-8"
    assert guess(b"") == "utf-8"


@pytest.mark.parametrize(("codec", "width"), [("utf-8", 3), ("gb18030", 2)])
def test_that_a_character_cut_at_the_edge_of_a_sample_does_not_count(codec, width):
    body = ("酒店的位置很好服务态度也不错" * 40_000).encode(codec)
    for shift in range(width):
        data = b"x" * shift + b"text\n" + body
        assert len(data) > 4 * HEAD_BYTES
        assert guess(data + b"\n") == codec


@pytest.mark.parametrize(
    ("late", "codec"), [("很好，不错的酒店", "gb18030"), ("déjà", "cp1252"), ("déjà", "utf-8")]
)
def test_that_a_file_that_is_ascii_for_megabytes_is_searched_further(late, codec):
    lines = b"id,plain words\n" * 200_000
    data = lines + f"1,{late}\n".encode(codec) + lines
    assert len(data) > 5_900_000
    assert guess(data) == codec


def test_that_utf8_with_a_few_broken_bytes_is_still_utf8():
    data = CHINESE.encode()
    broken = data[:30] + b"\xff" + data[30:]
    assert guess(broken) == "utf-8"


def test_that_chinese_with_a_broken_byte_is_still_gb18030():
    assert guess((CHINESE * 5).encode("gb18030") + b"\xff\n") == "gb18030"


def test_that_a_nul_in_a_utf8_file_does_not_make_it_utf16():
    assert guess("id,text\n1,caf\0é\n".encode()) == "utf-8"
    assert guess("标签\n好\0好\n".encode()) == "utf-8"
    assert guess(b"ab\n\0cd\nef\nghi\n\x04") == "utf-8"


def test_that_an_eight_bit_text_is_not_taken_for_utf16():
    assert utf16_without_mark(b"id,text\n1,plain\n") is None
    assert utf16_without_mark(b"\x00\x01\x02\n\x00\n\x00\x05") is None


def test_that_a_small_file_is_one_sample_and_a_large_one_five_at_even_offsets():
    assert take_samples(io.BytesIO(b"abc"), 3) == Samples((b"abc",), whole=True)
    data = bytes(range(4)) * 1_000_000
    samples = take_samples(io.BytesIO(data), len(data))
    assert [piece[:2] for piece in samples.pieces] == [b"\x00\x01"] * 5
    assert not samples.whole
    assert samples.pieces[-1] == data[-65_536:]
