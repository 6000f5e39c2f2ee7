"""The texts that ranges are measured over: chats, program code, many languages, and noise."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

from bench.scale.corpus import conversations

ROOT = Path(__file__).parents[2]
PASSAGE = 1000
"""Characters of a text at most: what 254 tokens hold, about."""

NOISES = 24
MOST_OF_A_SOURCE = 200

LANGUAGES = """
We leave on Friday morning, and the battery has to be charged by then.
Wir fahren am Freitagmorgen los, und bis dahin muss der Akku geladen sein.
Nous partons vendredi matin et la batterie doit être chargée avant.
Salimos el viernes por la mañana y la batería tiene que estar cargada.
Partiamo venerdì mattina e la batteria deve essere carica.
Partimos na sexta-feira de manhã e a bateria tem de estar carregada.
We vertrekken vrijdagochtend en de accu moet dan geladen zijn.
Vi åker på fredag morgon och batteriet måste vara laddat då.
Vi rejser fredag morgen, og batteriet skal være ladet inden da.
Lähdemme perjantaiaamuna, ja akun on oltava ladattu siihen mennessä.
Wyjeżdżamy w piątek rano i do tego czasu akumulator musi być naładowany.
Odjíždíme v pátek ráno a baterie musí být do té doby nabitá.
Péntek reggel indulunk, addigra az akkumulátornak fel kell lennie töltve.
Plecăm vineri dimineață, iar bateria trebuie să fie încărcată.
Cuma sabahı yola çıkıyoruz ve o zamana kadar akünün dolu olması gerekiyor.
Мы уезжаем в пятницу утром, и к этому времени аккумулятор должен быть заряжен.
Ми їдемо в п'ятницю вранці, і до того часу акумулятор має бути заряджений.
Тръгваме в петък сутринта и дотогава батерията трябва да е заредена.
Φεύγουμε την Παρασκευή το πρωί και η μπαταρία πρέπει να είναι φορτισμένη.
אנחנו יוצאים ביום שישי בבוקר והסוללה צריכה להיות טעונה עד אז.
سنغادر صباح يوم الجمعة ويجب أن تكون البطارية مشحونة بحلول ذلك الوقت.
ما جمعه صبح حرکت می‌کنیم و باتری باید تا آن زمان شارژ شده باشد.
हम शुक्रवार की सुबह निकलेंगे और तब तक बैटरी चार्ज हो जानी चाहिए।
আমরা শুক্রবার সকালে রওনা হব এবং তার আগে ব্যাটারি চার্জ করতে হবে।
நாங்கள் வெள்ளிக்கிழமை காலை கிளம்புகிறோம், அதற்குள் மின்கலம் சார்ஜ் ஆக வேண்டும்.
เราจะออกเดินทางเช้าวันศุกร์ และแบตเตอรี่ต้องชาร์จให้เต็มก่อนหน้านั้น
Chúng tôi khởi hành vào sáng thứ Sáu và pin phải được sạc đầy trước đó.
Kami berangkat Jumat pagi dan baterainya harus sudah terisi saat itu.
私たちは金曜日の朝に出発するので、それまでにバッテリーを充電しておく必要があります。
我们星期五早上出发，在那之前电池必须充好电。
우리는 금요일 아침에 출발하며 그때까지 배터리를 충전해야 합니다.
პარასკევს დილით მივდივართ და ბატარეა მანამდე უნდა დაიტენოს።
Մենք մեկնում ենք ուրբաթ առավոտյան, և մարտկոցը պետք է լիցքավորված լինի։
Tunaondoka Ijumaa asubuhi na betri lazima iwe imechajiwa kufikia wakati huo.
ok
why?
😀 👩‍👩‍👧 🚤 🔋
"""

CODE = (
    "SELECT user_id, count(*) FROM drawer WHERE said_at > now() - interval '7 days' GROUP BY 1 ORDER BY 2 DESC;",
    "for (let i = 0; i < items.length; i++) { if (items[i]?.id === wanted) return items[i]; }",
    '#include <stdio.h>\nint main(void) { for (int i = 0; i < 10; ++i) printf("%d\\n", i * i); return 0; }',
    "fn mean(values: &[f64]) -> Option<f64> { (!values.is_empty()).then(|| values.iter().sum::<f64>() / 2.0) }",
    '{"battery": {"cells": 14, "voltage": 50.4, "wires": ["12 AWG", "10 AWG"]}, "ok": true, "note": null}',
    "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\nKeyError: 'battery'",
    "0x7f3a 0x0000 0xdead 0xbeef 3.14159 -2.71828 1e-12 2026-04-30T18:20:00+02:00 192.168.0.1 ../../etc/passwd",
)


def texts(source: Path | None = None) -> Iterator[str]:
    """Give the texts, the same ones each time; of an export of conversations some more."""
    sample = json.loads((ROOT / "examples" / "efoil.json").read_text(encoding="utf-8"))
    for message in sample["messages"]:
        yield message["content"][:PASSAGE]
    yield (ROOT / "examples" / "remember.py").read_text(encoding="utf-8")[:PASSAGE]
    yield from CODE
    yield from LANGUAGES.strip().splitlines()
    yield from _noise(random.Random(1))
    if source is not None:
        said = (message["content"] for messages in conversations(source) for message in messages)
        for _, content in zip(range(MOST_OF_A_SOURCE), said, strict=False):
            yield content[:PASSAGE]


def _noise(chance: random.Random) -> Iterator[str]:
    """Make up texts of random characters: of ASCII, of any script, and of one word again and again."""
    for number in range(NOISES):
        match number % 3:
            case 0:
                yield "".join(chr(chance.randrange(32, 127)) for _ in range(chance.randrange(5, 300)))
            case 1:
                yield "".join(chr(chance.randrange(0xA1, 0x2FFF)) for _ in range(chance.randrange(5, 150)))
            case _:
                yield " ".join([chance.choice(["a", "the", "battery", "!", "42", "é"])] * chance.randrange(5, 200))
