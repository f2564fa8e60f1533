"""Taking secrets out of what a client is told, in every spelling that a page or a protocol gives them."""

import base64
import html
import json
from typing import Any
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agentbrowser.policy.masking import SecretMasker
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import ActionFailed, ScopeDenied
from tests.work import calls_in

VALUE = 'Zq"/kanari77\\ö & 1<2'
GONE = "[REDACTED]"

SPELLINGS = [
    str,
    str.upper,
    json.dumps,
    lambda value: json.dumps(value, ensure_ascii=False),
    lambda value: json.dumps(json.dumps(value)),
    lambda value: json.dumps({"a": value}).replace("/", "\\/"),
    html.escape,
    lambda value: html.escape(html.escape(value)),
    lambda value: html.escape(json.dumps(value)),
    lambda value: value.encode("ascii", "xmlcharrefreplace").decode(),
    lambda value: "".join(c if c.isalnum() else f"&#x{ord(c):X};" for c in value),
    quote,
    lambda value: quote(value, safe=""),
    lambda value: quote(value, safe="!'()*~/?:@&=+$,;#"),
    lambda value: quote(value.upper(), safe=""),
    lambda value: json.dumps(value.upper()),
    lambda value: value.upper().encode("ascii", "xmlcharrefreplace").decode(),
    quote_plus,
    lambda value: quote(json.dumps(value)),
    lambda value: quote(json.dumps(json.dumps(value, ensure_ascii=False))),
    lambda value: quote(quote(value, safe=""), safe=""),
    lambda value: html.escape(urlencode({"q": value})),
    lambda value: value.replace(" ", "\n   "),
    lambda value: value.replace(" ", "\u00a0"),
]


def masks(*values: str) -> SecretMasker:
    made = SecretMasker()
    made.add(values)
    return made


@pytest.mark.parametrize("spell", SPELLINGS)
def test_every_encoding_is_masked(spell: Any) -> None:
    text = masks(VALUE).text(f"before {spell(VALUE)} after {spell(VALUE)}")
    assert "kanari" not in text.lower()
    assert text.startswith("before ")
    assert " after " in text
    assert text.count(GONE) == 2


@given(
    value=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), min_size=4, max_size=30),
    spell=st.sampled_from(SPELLINGS[2:16]),
)
def test_any_value_is_masked(value: str, spell: Any) -> None:
    assert masks(value).text(f"({spell(value)})").count(GONE) == 1
    assert masks(value).text(f"({spell(value.upper())})").count(GONE) == 1


@pytest.mark.parametrize("text", ["", "nothing here", "kanari", VALUE[:-1] + "x", "kanari77"])
def test_other_text_stays(text: str) -> None:
    assert masks(VALUE).text(text) == text


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ('ab/cd\\ef:gh*ij?kl"mn<op>qr|st~uv', "ab_cd_ef_gh_ij_kl_mn_op_qr_st_uv"),  # the name of a download
        ("correct  horse\tbattery", "correct__horse_battery"),
        ("correct\thorse\r\nbattery", "correcthorsebattery"),  # in a URL, or in a field of one line
        ("4111111111111234", "4111-1111-1111-1234"),  # in groups
        ("4111 1111-1111 1234", "4111111111111234"),
        ("DE89370400440532013000", "DE89&nbsp;3704 0044 0532 0130 00"),
        ("Große Gasse", "GROSSE GASSE"),
        ("am ﬁx ŉ", "AM FI\u200bX%20\u02bcN"),
        ("user:hunter22", "user: unter22"),  # a thrown text, of which Playwright takes the first word for a class
    ],
)
def test_spellings_that_browsers_make_by_themselves_are_masked(value: str, spelled: str) -> None:
    masker = masks(value)
    assert masker.text(f"before {spelled} behind") == f"before {GONE} behind"
    assert masker.text(f"before {value} behind") == f"before {GONE} behind"


@pytest.mark.parametrize(
    "interruption",
    ["\u200b", "\u00ad\ufe0f", "\u202e\u034f", "\U000e0041", "</b><b class=x>", "<wbr>", "<!-- x -->", "&shy;", "**"],
)
@pytest.mark.parametrize("spell", [str, quote, lambda text: quote(quote(text)), json.dumps])
def test_what_nobody_sees_between_its_letters_hides_no_value(interruption: str, spell: Any) -> None:
    """A page that put blanks without a width between the letters of a used secret had it read in all texts."""
    if spell is not str and interruption.isascii():
        return
    text = "<p>" + "x" * 16_300 + spell(f" {interruption.join('correct')} hor{interruption}se42 ") + "</p>"
    masked = masks("correct horse42").text(text)
    assert GONE in masked
    assert (masked[:3], masked[-4:]) == ("<p>", "</p>")
    assert len(masked) < 16_340
    if interruption[0] != "<":
        assert masks("correct").text(f"<a title='{interruption.join('correct')}'>") == f"<a title='{GONE}'>"


def test_a_text_with_markup_that_holds_no_value_stays() -> None:
    text = "<b>correct</b> <i>house42</i> 1 < 2 % & \\ \u200b"
    assert masks("correct horse42").text(text) == text


def test_blanks_between_words_are_not_dropped() -> None:
    assert masks("correct horse battery").text("correcthorsebattery") == "correcthorsebattery"


def test_nothing_is_masked_before_a_secret_is_used() -> None:
    plain = {"a": [VALUE]}
    idle = SecretMasker()
    assert idle.plain(plain) is plain
    assert not idle.active
    error = ActionFailed(VALUE)
    assert idle.error(error) is error


def test_a_name_of_letters_that_holds_a_long_secret_is_masked_and_names_of_the_protocol_stay() -> None:
    masker = masks("correcthorse", "page")
    plain = {"xCorrectHorsebattery": 1, "data-correcthorse": 2, "pageId": 3}
    assert masker.plain(plain) == {f"x{GONE}battery": 1, f"data-{GONE}": 2, "pageId": 3}


def test_nested_data_is_masked() -> None:
    plain = {"text": [{"deep": (VALUE, 1, None, True, 2.5)}], VALUE: "key", "count": 3}
    assert masks(VALUE).plain(plain) == {"text": [{"deep": [GONE, 1, None, True, 2.5]}], GONE: "key", "count": 3}


def test_protocol_names_stay() -> None:
    assert masks("value").plain({"backgroundValue": 1, "value ": 2}) == {"backgroundValue": 1, f"{GONE} ": 2}


def test_digits_are_masked_as_numbers_too() -> None:
    found = masks("123456", "1234").plain([123456, 123456.0, 1234, 1234567, "pin 1234", float("nan"), True])
    assert found[:5] == [GONE, GONE, 1234, 1234567, f"pin {GONE}"]


@pytest.mark.parametrize(("length", "is_told"), [(len(VALUE) - 1, False), (12, False), (5, True)])
@pytest.mark.parametrize("end", ["", "…", "... and more", "… [ref=@a]"])
def test_the_beginning_of_a_truncated_secret_is_masked(length: int, is_told: bool, end: str) -> None:
    text = masks(VALUE).text(f"You are {VALUE[:length]}{end}")
    assert text == (f"You are {VALUE[:length]}{end}" if is_told else f"You are {GONE}{end}")


def test_the_longer_of_two_secrets_is_masked_first() -> None:
    assert masks("kana", "kanari77").text("kanari77 kanari") == f"{GONE} {GONE}ri"


def test_numbers_in_groups_are_masked_without_them() -> None:
    assert masks("4929 1877 3304 6512").plain([4929187733046512, 4929187733046513]) == [GONE, 4929187733046513]
    assert masks("0049291877").plain(49291877) == GONE


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("filling", [0, 3000])
def test_bytes_in_base64_have_asterisks_for_a_secret(encoding: str, filling: int) -> None:
    secret = "a\\b kanari77".encode(encoding)
    for before in (b"\xff\x80", b""):
        data = before + secret + b"\xff" * filling
        clean = masks("a\\b kanari77").plain(base64.b64encode(data).decode())
        if before or filling:
            assert base64.b64decode(clean) == data.replace(secret, b"*".decode().encode(encoding) * 12)
        else:
            assert b"kanari" not in base64.b64decode(clean).replace(b"\0", b"")


def test_backslashes_of_nested_json_in_a_url_are_masked() -> None:
    value = 'a\\b "kanari77'
    text = quote(json.dumps(json.dumps(value)))
    assert masks(value).text(f"x={text}&y=1") == f"x=%22%5C%22{GONE}%5C%22%22&y=1"


def test_text_files_in_base64_are_masked() -> None:
    for before in ("", "x" * 5000):
        data = base64.b64encode(f"{before}user,{VALUE}\n".encode()).decode()
        clean = base64.b64decode(masks(VALUE).plain({"data": data})["data"]).decode()
        assert clean == f"{before}user,{GONE}\n"


def test_pictures_stay_as_they_are() -> None:
    picture = bytes(range(256)) * 40
    data = base64.b64encode(picture).decode()
    assert data[500:504].isalnum()
    assert masks(data[500:504]).plain(data) == data
    assert GONE in masks(data[500:510]).plain(data)


def test_replies_keep_their_ids_and_errors_their_classes() -> None:
    made = masks(VALUE)
    reply = made.reply(wire.Reply(VALUE, {"value": VALUE}))
    assert reply == wire.Reply(VALUE, {"value": GONE})
    fault = made.reply(wire.ErrorReply(1, ScopeDenied(f"No {VALUE}.", method="a", secret=VALUE, hint=VALUE)))
    assert isinstance(fault, wire.ErrorReply)
    assert isinstance(fault.error, ScopeDenied)
    assert fault.error.to_wire() == ScopeDenied(f"No {GONE}.", method="a", secret=GONE, hint=GONE).to_wire()


def test_a_repr_shows_no_secret() -> None:
    assert "kanari" not in repr(masks(VALUE))


@pytest.mark.parametrize("value", ["a\\\\b", "\\server", "tail\\ with blank", "!sign"])
@pytest.mark.parametrize("spell", [str, json.dumps, lambda text: json.dumps(json.dumps(text))])
def test_backslashes_of_a_value_are_found_in_every_spelling(value: str, spell: Any) -> None:
    text = masks(value).text(f"<{spell(value)}>")
    assert text.strip('<>\\"') == GONE


def test_a_value_is_found_beyond_the_first_step_of_a_search() -> None:
    text = masks("!sesame").text("x" * 32_765 + "!sesame" + "y" * 70_000 + "%21sesame")
    assert text == "x" * 32_765 + GONE + "y" * 70_000 + GONE


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_every_slice_of_a_file_is_without_the_secret(encoding: str) -> None:
    data = b"\xff" + f"<{VALUE}>".encode(encoding) + b"\x00\xfe"
    inner = VALUE.encode(encoding)
    star = "*".encode(encoding)
    expected = data.replace(inner, star * (len(inner) // len(star)))
    made = masks(VALUE)
    parts = [made.part_of_file(data[max(0, at - 64) :], min(at, 64), min(at, 64) + 3) for at in range(0, len(data), 3)]
    assert b"".join(parts) == expected


def test_numbers_in_data_of_a_page_stay_and_its_texts_are_masked() -> None:
    data = {"spot": 123456, "texts": ["123456", ["a 123456"]], "rows": range(3)}
    assert masks("123456").texts(data) == {"spot": 123456, "texts": [GONE, [f"a {GONE}"]], "rows": range(3)}


# No letters with several spellings in HTML or URLs: a whole value is only in a text that holds it as it is.
ALPHABET = "abAB.…İςΣ"
PARTS = st.lists(st.sampled_from(["...", "…", ".", "a", "b", "Ab"]) | st.text(ALPHABET, max_size=3), max_size=3)


def lower(text: str) -> str:
    return "".join({"İ": "i", "ς": "σ"}.get(one, one.lower()) for one in text)


def without_beginnings(values: list[str], text: str) -> str:
    """The rule, read aloud: before each truncation, the first half of a value and whatever follows is masked."""
    shown, kept = "", 0
    for end in range(len(text) + 1):
        if end == len(text) or text.startswith(("…", "..."), end):
            starts = [
                start
                for value in values
                for half in [max(6, len(value) // 2)]
                for start in range(kept, end)
                if half <= end - start < len(value) and lower(text[start : start + half]) == lower(value[:half])
            ]
            if starts:
                shown, kept = shown + text[kept : min(starts)] + GONE, end
    return shown + text[kept:]


@given(st.data())
def test_beginnings_are_masked_as_the_plain_rule_says(data: st.DataObject) -> None:
    values = data.draw(st.lists(st.text(ALPHABET, min_size=7, max_size=20), min_size=1, max_size=3))
    starts = [value[:length] for value in values for length in range(5, len(value))]
    pieces = data.draw(st.lists(st.sampled_from(starts) | PARTS.map("".join), max_size=8))
    text = "".join(pieces)
    assume(not any(lower(value) in lower(text) for value in values))
    assert masks(*values).text(text) == without_beginnings(values, text)


@pytest.mark.parametrize("end", ["", "…", "..."])
def test_behind_the_first_half_of_a_secret_right_and_wrong_letters_look_alike(end: str) -> None:
    key = "sk-live-shop-0001-q7x9k2m4p"
    for length in range(len(key) // 2 + 1, len(key)):
        right, wrong = key[:length], key[: length - 1] + "_"
        assert (
            masks(key).text(f"No page {right}{end}")
            == masks(key).text(f"No page {wrong}{end}")
            == f"No page {GONE}{end}"
        )


@pytest.mark.parametrize("pieces", [["..."], ["…"], ["corre…", "..."], ["correct ho", "x" * 50]])
def test_dots_without_a_beginning_of_a_secret_cost_nothing_each(pieces: list[str]) -> None:
    masker = masks("correct horse battery", "Tr0ub4dor&3", "hunter2hunter2")
    few, many = ("".join(pieces * count) for count in (10, 1000))
    assert calls_in(lambda: masker.text(many)) < 3 * calls_in(lambda: masker.text(few))


def test_secrets_that_do_not_occur_cost_one_search_each() -> None:
    text = "…".join(f"correct horse{number}..." for number in range(300))
    few, many = (
        masks("correct horse battery"),
        masks("correct horse battery", *map("absent value {}".format, range(50))),
    )
    assert calls_in(lambda: many.text(text)) < 2 * calls_in(lambda: few.text(text))


def test_a_loop_masks_less_text_the_more_secrets_there_are_and_counts_names() -> None:
    many = masks(*map("secret {}".format, range(50)))
    assert masks("secret").is_quick(["x" * 10_000])
    assert not many.is_quick(["x" * 10_000])
    assert not masks("secret").is_quick({"x" * 30_000: 1})
    assert not masks("secret").is_quick({"value": wire.as_encoded(f'["{"x" * 30_000}"]')})


def test_values_that_are_json_already_are_masked() -> None:
    value = wire.as_encoded('{"a": ["my secret", 1]}')
    assert masks("secret").plain({"value": value}) == {"value": {"a": [f"my {GONE}", 1]}}


@pytest.mark.parametrize(
    ("texts", "holders"),
    [
        (["a correct horse b", "correct", "horse"], [0, 1, 2]),
        (["cor", "rect h", "", "orse", "x"], [0, 1, 2, 3]),
        (["cor\u00adrect", "horse!"], [0, 1]),
        (["correct", "x", "horse"], []),
        (["Correct%20HORSE"], [0]),
        (["\U0001f40e", "correct horse"], [1]),
        ([], []),
    ],
)
def test_the_texts_that_hold_a_secret_are_found(texts: list[str], holders: list[int]) -> None:
    masks = SecretMasker()
    assert masks.holders(texts) == []
    masks.add(["correct horse"])
    assert masks.holders(texts) == holders
