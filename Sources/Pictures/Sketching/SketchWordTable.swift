/// Words of prompts that are not things.
enum SketchWordTable {
  static let counts: [String: Int] = [
    "one": 1, "single": 1, "lone": 1, "solitary": 1, "two": 2, "pair": 2, "couple": 2, "both": 2, "twin": 2,
    "three": 3,
    "trio": 3, "few": 3, "some": 3, "four": 4, "five": 5, "several": 5, "six": 6, "seven": 7, "bunch": 5,
    "group": 5,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "dozen": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30,
    "forty": 40, "fifty": 50, "hundred": 100, "hundreds": 100, "thousand": 1000, "thousands": 1000, "many": 8,
    "lots": 8, "countless": 16, "numerous": 8, "flock": 8, "herd": 6, "pack": 5, "school": 7, "crowd": 12,
    "swarm": 12,
    "row": 5, "line": 5, "pile": 6, "stack": 4, "heap": 6, "bouquet": 7, "cluster": 5, "family": 4, "fleet": 5,
    "team": 5, "colony": 7, "half-dozen": 6, "quartet": 4, "multiple": 4, "various": 4,
  ]

  /// Words that are a number only before `of`.
  static let countsBeforeOf: Set<String> = [
    "pair", "couple", "bunch", "group", "lots", "flock", "herd", "pack", "school", "crowd", "swarm", "row", "line",
    "pile", "stack", "heap", "bouquet", "cluster", "family", "fleet", "team", "colony", "hundreds", "thousands",
    "trio",
    "quartet",
  ]

  static let sizes: [String: (x: Double, y: Double)] = [
    "tiny": (0.45, 0.45), "small": (0.65, 0.65), "little": (0.7, 0.7), "miniature": (0.45, 0.45),
    "mini": (0.5, 0.5),
    "big": (1.4, 1.4), "large": (1.45, 1.45), "huge": (1.9, 1.9), "giant": (2.1, 2.1), "enormous": (2.1, 2.1),
    "gigantic": (2.3, 2.3), "massive": (2, 2), "great": (1.3, 1.3), "tall": (0.9, 1.35), "high": (0.95, 1.3),
    "long": (1.35, 0.95), "short": (1, 0.72), "wide": (1.35, 1), "broad": (1.3, 1), "fat": (1.3, 0.98),
    "chubby": (1.22, 1), "plump": (1.2, 1), "thin": (0.75, 1.05), "slim": (0.8, 1.05), "slender": (0.8, 1.1),
    "skinny": (0.75, 1.05), "narrow": (0.75, 1), "baby": (0.6, 0.6), "young": (0.8, 0.8), "towering": (1, 1.6),
    "grand": (1.25, 1.25), "oversized": (1.7, 1.7),
  ]

  static let moods: [String: Look.Mood] = [
    "happy": .happy, "smiling": .happy, "cheerful": .happy, "laughing": .happy, "joyful": .happy,
    "friendly": .happy,
    "excited": .happy, "glad": .happy, "grinning": .happy, "sad": .sad, "crying": .sad, "unhappy": .sad,
    "lonely": .sad, "melancholy": .sad, "angry": .angry, "grumpy": .angry, "mad": .angry, "furious": .angry,
    "surprised": .surprised, "shocked": .surprised, "astonished": .surprised, "scared": .surprised,
    "sleepy": .sleepy,
    "tired": .sleepy, "sleeping": .sleepy, "asleep": .sleepy, "napping": .sleepy, "dozing": .sleepy,
    "snoozing": .sleepy,
  ]

  static let patterns: [String: Look.Pattern] = [
    "striped": .stripes, "stripy": .stripes, "spotted": .dots, "dotted": .dots, "polka-dot": .dots,
    "speckled": .dots,
    "checkered": .checks, "chequered": .checks, "checked": .checks, "plaid": .checks, "tartan": .checks,
  ]

  static let poses: [String: SketchItem.Pose] = [
    "flying": .flying, "floating": .flying, "soaring": .flying, "hovering": .flying, "jumping": .jumping,
    "leaping": .jumping, "hopping": .jumping, "bouncing": .jumping, "swimming": .swimming, "sleeping": .sleeping,
    "asleep": .sleeping, "napping": .sleeping, "upside-down": .upsideDown, "dozing": .sleeping,
    "snoozing": .sleeping,
  ]

  static let relations: [(words: String, relation: SketchRelation)] = [
    ("to the left of", .left), ("on the left of", .left), ("on the left side of", .left), ("left of", .left),
    ("left from", .left), ("to the right of", .right), ("on the right of", .right),
    ("on the right side of", .right), ("right of", .right), ("on top of", .on), ("sitting on", .on),
    ("standing on", .on), ("lying on", .on), ("perched on", .on), ("resting on", .on), ("riding on", .on),
    ("on", .on), ("crossing", .on), ("driving over", .on), ("driving on", .on), ("walking on", .on),
    ("landing on", .on), ("leaning on", .beside), ("leaning against", .beside), ("walking", .beside),
    ("hanging from", .under), ("upon", .on), ("atop", .on), ("onto", .on), ("riding", .on), ("rides", .on),
    ("sits on", .on),
    ("stands on", .on), ("aboard", .on), ("underneath", .under), ("under", .under),
    ("beneath", .under), ("below", .under), ("above", .above), ("over", .above), ("flying over", .above),
    ("hovering over", .above), ("behind", .behind), ("at the back of", .behind), ("in back of", .behind),
    ("in front of", .front), ("before", .front),
    ("between", .between), ("in between", .between), ("among", .between), ("amongst", .between),
    ("next to", .beside), ("beside", .beside), ("near", .beside), ("close to", .beside), ("by", .beside),
    ("alongside", .beside), ("at the side of", .beside), ("along", .beside), ("against", .front),
    ("at", .beside), ("inside", .inside), ("inside of", .inside), ("in the middle of", .inside),
    ("within", .inside),
    ("in", .inside), ("into", .inside), ("filled with", .holding), ("full of", .holding), ("containing", .holding),
    ("holding", .holding), ("carrying", .holding), ("holds", .holding), ("carries", .holding),
    ("eating", .holding), ("reading", .holding), ("drinking", .holding), ("playing", .holding),
    ("wearing", .wearing),
    ("wears", .wearing), ("dressed in", .wearing), ("with", .with), ("and a", .with), ("having", .with),
    ("has", .with), ("surrounded by", .around), ("around", .around), ("chasing", .left), ("following", .left),
    ("looking at", .left), ("watching", .left), ("facing", .left), ("towards", .left), ("across", .inside),
    ("through", .inside), ("from", .beside), ("out of", .inside), ("off", .beside), ("covered with", .with),
    ("topped with", .with), ("of", .with),
  ].filter { !["and a", "of"].contains($0.0) }

  static let styles: [(words: String, style: SketchStyle)] = [
    ("line drawing", .line), ("line art", .line), ("lineart", .line), ("line style", .line), ("line", .line),
    ("pencil drawing", .line), ("pencil sketch", .line), ("in pencil", .line), ("pencil style", .line),
    ("pen and ink", .line),
    ("in ink", .line), ("ink drawing", .line), ("ink sketch", .line), ("charcoal drawing", .line),
    ("charcoal sketch", .line), ("doodle", .line), ("outline", .line), ("coloring page", .line),
    ("colouring page", .line), ("coloring book", .line), ("colouring book", .line), ("scribble", .line),
    ("etching", .line), ("engraving", .line), ("woodcut", .line),
    ("minimalist", .line), ("monoline", .line), ("watercolour", .watercolour), ("watercolor", .watercolour),
    ("water colour", .watercolour),
    ("water color", .watercolour), ("aquarelle", .watercolour), ("gouache", .watercolour),
    ("impressionist", .watercolour), ("blueprint", .blueprint), ("technical drawing", .blueprint),
    ("schematic", .blueprint), ("pixel art", .pixel), ("pixel-art", .pixel), ("pixelart", .pixel),
    ("pixel", .pixel), ("pixels", .pixel), ("pixelated", .pixel),
    ("8-bit", .pixel), ("8 bit", .pixel), ("16-bit", .pixel), ("16 bit", .pixel), ("retro game", .pixel),
    ("plain", .plain), ("flat", .plain), ("cartoon", .plain), ("comic", .plain), ("night style", .night),
    ("vector art", .plain), ("vector", .plain), ("flat design", .plain),
  ]

  static let palettes: [String: SketchPalette] = [
    "pastel": .pastel, "pastels": .pastel, "vivid": .vivid, "colourful": .vivid, "colorful": .vivid,
    "vibrant": .vivid,
    "saturated": .vivid, "monochrome": .grey, "greyscale": .grey, "grayscale": .grey, "black-and-white": .grey,
    "black and white": .grey, "sepia": .sepia, "vintage": .sepia, "old-fashioned": .sepia, "warm": .warm,
    "cold": .cold,
    "cool": .cold, "neon": .neon, "gloomy": .dark, "dark": .dark, "spooky": .dark, "moody": .dark,
    "ominous": .dark,
    "mysterious": .dark, "eerie": .dark, "dreamy": .pastel, "soft": .pastel, "cosy": .warm, "cozy": .warm,
    "muted": .pastel, "bright": .vivid,
  ]

  static let hours: [(words: String, hour: SketchHour)] = [
    ("sunrise", .dawn), ("dawn", .dawn), ("daybreak", .dawn), ("morning", .dawn), ("noon", .day), ("midday", .day),
    ("daytime", .day), ("day", .day), ("afternoon", .day), ("sunset", .sunset), ("sundown", .sunset),
    ("golden hour", .sunset), ("dusk", .dusk), ("evening", .dusk), ("twilight", .dusk), ("blue hour", .dusk),
    ("nightfall", .dusk), ("night", .night), ("midnight", .night), ("nighttime", .night), ("night-time", .night),
    ("nocturnal", .night), ("moonlit", .night), ("moonlight", .night), ("starry", .night), ("starlit", .night),
    ("night sky", .night), ("daylight", .day), ("nightly", .night),
  ]

  static let weather: [String: SketchSetting.Weather] = [
    "rain": .rain, "raining": .rain, "rainy": .rain, "drizzle": .rain, "shower": .rain, "downpour": .rain,
    "snowing": .snow, "snowfall": .snow, "snowstorm": .snow, "blizzard": .snow, "snowflakes": .snow,
    "storm": .storm, "stormy": .storm, "thunderstorm": .storm, "thunder": .storm, "fog": .fog, "foggy": .fog,
    "mist": .fog, "misty": .fog, "haze": .fog, "hazy": .fog, "wind": .wind, "windy": .wind, "breeze": .wind,
    "breezy": .wind, "cloudy": .clouds, "overcast": .clouds, "sunny": .sun, "sunshine": .sun, "sunlit": .sun,
    "sunlight": .sun,
  ]

  static let seasons: [String: SketchSetting.Season] = [
    "spring": .spring, "springtime": .spring, "summer": .summer, "summertime": .summer, "autumn": .autumn,
    "autumnal": .autumn, "fall": .autumn, "winter": .winter, "wintertime": .winter, "wintry": .winter,
    "icy": .winter,
    "frosty": .winter, "frozen": .winter, "snow-covered": .winter, "snowcapped": .winter, "snowy": .winter,
    "snow": .winter,
    "christmas": .winter,
  ]

  /// Words without a visible meaning, or that only ask for a picture.
  static let silent: Set<String> = Set(
    """
    now then again once more same yet next last first finally instead still already only a an the of and or is are \
    was were be being been am i i'd i'm you we me my your our us it its it's his her their them they he she there \
    that this these those which who whose please can could would will should shall may might do does did draw \
    drawing drawn paint painting painted sketch sketched picture pictures image images illustration illustrate \
    illustrated photo photograph photographs photography picture-of render rendering rendered depict depicting \
    depicted show showing shows shown create make making made generate imagine give design want need like see look \
    looks looking let let's some any very really quite so too just also as to for from by then than such view scene \
    landscape portrait background foreground style art artwork colour color coloured colored colours colors full \
    beautiful nice pretty lovely cute gorgeous amazing awesome simple cool fine good old new typical single \
    large-scale other another each every all side one's front-view hey hello ok okay alcove something about how what \
    standing sitting sits stands lying stood sat growing grows parked located placed set made up out over-sized here \
    kind sort type lit painted clear open empty calm quiet peaceful way work piece quick rough version i'll i've \
    where while during under-the against more most little-bit bit shining glowing shines logo icon poster says \
    saying reads called named labelled labeled postcard wallpaper card cover sticker emoji drawing-of time o'clock \
    style-of shape shaped size sized top bottom left right middle center centre corner side hanging rising setting \
    falling covered
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
