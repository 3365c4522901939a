"""Chinese as Taiwan writes it: one character for one word, whatever the text came in.

A character model knows the characters it was trained on and no others, so the corpus and what a
visitor types go through the same function. Conversion keeps the number of code points: spans of
the visitor's text still point at the same places.
"""

from __future__ import annotations

from functools import cache

from opencc import OpenCC

_VARIANTS = """
疎疏 踈疏 鬰鬱 欝鬱 徧遍 慙慚 鈎鉤 鶑鶯 鸎鶯 粧妝 劒劍 劔劍 鷄雞 鬭鬥 鬬鬥 鳬鳧 蘂蕊 蕋蕊 臯皋 皐皋
猨猿 髙高 巵卮 馿驢 産產 覩睹 妬妒 灧灩 灔灩 隣鄰 餠餅 罇樽 飈飆 飇飆 飚飆 閙鬧 壠壟 垅壟 鎸鐫 椀碗
盌碗 筯箸 斾旆 幷并 倂併 鳯鳳 峩峨 袴褲 怱匆 悤匆 檝楫 堦階 藁稿 稾稿 畧略 髴彿 坂阪 墻牆 穉稚 駡罵
潄漱 犂犁 鏁鎖 鎻鎖 鼈鱉 飜翻 廻迴 欵款 邉邊 頽頹 磵澗 栢柏 槩概 覊羈 覉羈 秔粳 悞誤 逈迥 竝並 烱炯
棊棋 碁棋 竚佇 穽阱 遡溯 綉繡 暎映 顇悴 顦憔 綫線 緜綿 枿櫱 壻婿 纒纏 輙輒 讐讎 擡抬 朶朵 蠧蠹 敎教
憇憩 呌叫 翺翱 鵶鴉 瓌瑰 倐倏 皷鼓 麯麴 閴闃 廐廄 邨村 躭耽 濶闊 粃秕 蕚萼 厠廁 囘回 氊氈 逺遠 厓崖
崕崖 棃梨 塲場 闗關 奬獎 朞期 廼迺 呪咒 箒帚 飱飧 槖橐 寜寧 觧解 蟇蟆 飡餐 脇脅 澁澀 窻窗 窓窗 牕窗
寃冤 衞衛 椶棕 鸜鴝 嚢囊 斚斝 籝籯 輭軟 帬裙 虵蛇 汚汙 鞵鞋 鐡鐵 礲礱 陁陀 逰遊 蒓蓴 贋贗 趂趁 舘館
麞獐 釡釜 籖籤 蒭芻 凖準 甆瓷 駞駝 賖賒 賫齎 襃褒 綳繃 髩鬢 鬂鬢 覔覓 徃往 匳奩 刼劫 刦劫 鋭銳 氷冰
菓果 袵衽 鞾靴 鰕蝦 儁俊 簴虡 竪豎 衘銜 貎貌 曵曳 蠭蜂 膓腸 昻昂 濵濱 竛伶 恡吝 恠怪 嵓岩 聨聯 聮聯
聫聯 顋腮 韈襪 蝱虻 煅鍛 鄽廛 攅攢 臈臘 畆畝 畮畝 蠒繭 頬頰 飬養 韲齏 蹏蹄 冩寫 戸戶 煑煮 澘潸 胷胸
甎磚 舩船 麄粗 巓巔 窼窠 凴憑 鑛礦 齩咬 壍塹 卭邛 亷廉 鵞鵝 圗圖 慤愨 嗁啼 敍敘 爼俎 鼃蛙 韮韭 囏艱
禩祀 擥攬 郷鄉 駈驅 鍳鑒 糓穀 騐驗 聼聽 擕攜 冨富 歗嘯 隟隙 繋繫 蠏蟹 謌歌 帀匝 徤健 疉疊 蹷蹶 齅嗅
畊耕 覰覷 冺泯 抝拗 頋顧 羗羌 尙尚 甞嘗 冡冢 娯娛 廹迫 謩謨 欎鬱 愽博 譌訛 昬昏 圎圓 虗虛 閧鬨 婣姻
崐崑 瑇玳 諌諫 呑吞 莾莽 熖焰 醎鹹 滛淫 貛獾 歩步 倮裸 躶裸 餙飾 勌倦 嫰嫩 絶絕 恊協 鬪鬥 齚咋 糭粽
昩昧 冐冒 韤襪 寕寧 劵券 陿狹 攂擂 朂勗 墖塔 鱓鱔 叅參 餻糕 噏吸 飰飯 儛舞 莭節 蘓蘇 鑚鑽 扵於 戹厄
舎舍 姸妍 畵畫 亁乾 宼寇 讁謫 冲沖 凄淒 栖棲 洒灑 羡羨 怜憐 体體 与與 异異 党黨 惊驚 据據 穨頹 濓濂
却卻 羮羹 鴂鴃 瓈璃 瑠琉 纎纖 煕熙 熈熙 彜彝 彛彝 眀明 犇奔 皥皞 皡皞 袐秘 醻酬 緐繁 縧絛 厪廑 亊事
莵菟 颷飆 槀槁 蠺蠶 闘鬥 抺抹 湼涅 歘欻 霶滂 斵斲 裩褌 隲騭 謭譾 稉粳 翶翱 蘐萱 蟁蚊 鴈雁 嬾懶 凈淨
缾瓶 牋箋 盃杯 谿溪 懽歡 艷豔 箇個 秪祇 秖祇 嶤嶢 狥徇 扄扃 髠髡 鸊鷿 尅剋 誵淆 冦寇 廽迴 脋脅 龎龐
焭煢 顚顛 穅糠 喦岩 舋釁
"""
"""Pairs chosen by hand: what OpenCC leaves alone, or would turn into another word (冲 into 衝)."""
_OWN = {pair[0]: pair[1] for pair in _VARIANTS.split()}


@cache
def _converter(name: str) -> OpenCC:
    return OpenCC(name)


def _in_big5(character: str) -> bool:
    """Whether Taiwan's own old character set has it, which simplified characters are not in."""
    try:
        character.encode("big5")
    except UnicodeEncodeError:
        return False
    return True


@cache
def _evidence(character: str) -> int:
    """-1: written so in simplified text only; 1: in traditional text only; 0: in both."""
    simpler = _converter("t2s").convert(character) != character
    fuller = _converter("s2t").convert(character) != character
    if fuller and not simpler and not _in_big5(character):
        return -1
    return int(simpler and not fuller)


def is_simplified(text: str) -> bool:
    """Whether a text has characters of simplified Chinese and none of traditional Chinese alone.

    A traditional text with a stray 来 is not simplified, and 白日依山 is written alike in both.
    """
    found = {_evidence(character) for character in text}
    return -1 in found and 1 not in found


@cache
def _standard(character: str) -> str:
    """Taiwan's form of a stray variant, simplified (来) or Japanese (髪) character.

    Characters of Big5 stand for themselves: 后, 于, 余, 里 are words of their own in old texts, not
    short for 後, 於, 餘, 裡.
    """
    if character in _OWN or _in_big5(character):
        return _OWN.get(character, character)
    japanese = _converter("jp2t").convert(character)
    forms = (_converter("s2tw").convert(character), _converter("t2tw").convert(japanese))
    return next((form for form in forms if len(form) == 1 and _in_big5(form)), character)


def to_taiwan(text: str) -> tuple[str, bool]:
    """Text in the characters of Taiwan's standard, and whether anything in it changed.

    Simplified text is converted by phrases, since 发 may be 發 or 髮; traditional text keeps what
    only looks simplified and has its variants replaced (爲 為, 裏 裡, 牀 床). `is_simplified` tells
    the two apart. The result has as many code points as the text.
    """
    whole = _converter("s2tw" if is_simplified(text) else "t2tw").convert(text)
    if len(whole) != len(text):
        whole = text
    converted = "".join(map(_standard, whole))
    return converted, converted != text
