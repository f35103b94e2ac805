import Linguistics

/// The words the router goes by.
enum RouterTable {
  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Words before the request that do not change it.
  static let fillers = words(
    """
    hey hello hi ok okay so now then and please pls just also well alcove dear again next first finally maybe perhaps \
    quickly kindly go ahead oh yes sure great thanks but , ! . bitte jetzt nun
    """)

  /// Ways to ask for something, the longest first.
  static let openings: [[String]] = [
    "i would like you to", "i would love you to", "i'd like you to", "i'd love you to", "i want you to",
    "i need you to", "would you be so kind as to", "would you mind", "could you please", "can you please",
    "would you please", "will you please", "can you help me", "could you help me", "do you think you could",
    "are you able to", "would it be possible to", "i wonder if you could", "i'd like to see you", "could you",
    "can you",
    "would you", "will you", "can we", "could we", "may i", "can i", "could i", "i would like to", "i'd like to",
    "i want to", "i would love to", "i'd love to", "let us", "let's", "lets", "help me", "help me to", "try to",
    "why don't you",
    "how about you", "it would be nice to", "kannst du", "könntest du", "peux-tu", "pouvez-vous", "puedes",
    "ich möchte, dass du", "i am asking you to", "you should", "you could", "you must", "your task is to",
    "your job is to",
  ].map { $0.split(separator: " ").map(String.init) }.sorted { $0.count > $1.count }

  /// Openings after which a thing is asked for, not a deed.
  static let wishes: [[String]] = [
    "i would like to see", "i'd like to see", "i would like to have", "i'd like to have", "i would love to see",
    "i'd love to see", "i want to see", "i would like", "i would love", "i'd like", "i'd love", "i want", "i need",
    "we need", "we want",
    "can i get", "can i have", "can i see", "could i get", "could i have", "could i see", "may i have",
    "may i see",
    "can we get", "can we have", "could we have", "could we get", "could we see", "let me see", "let me have",
    "how about", "what about",
    "give me", "give us", "get me", "show me", "show us", "bring me", "send me", "make me", "do me", "i wish for",
    "i'm in the mood for", "i am in the mood for", "surprise me with", "surprise us with", "treat me to",
    "i fancy", "please do",
    "i could use", "ich möchte", "ich hätte gern",
    "ich brauche", "zeig mir", "zeige mir", "gib mir", "montre-moi", "donne-moi", "muéstrame", "dame", "fais-moi",
    "mach mir", "mache mir", "hazme",
  ].map { $0.split(separator: " ").map(String.init) }.sorted { $0.count > $1.count }

  /// Verbs that ask for a picture unless an idiom follows.
  static let drawing = words(
    """
    draw redraw paint repaint sketch doodle scribble illustrate depict zeichne zeichnen skizziere dessine dessiner \
    dessine-moi dessinez dibuja dibujar dibújame dibujame disegna disegnami
    """)

  /// Foreign verbs that are English words too; an article must follow.
  static let foreignDrawing = words("male mal male mach peins pinta píntame pinte teken ritar mallen")
  static let foreignArticles = words(
    "ein eine einen mir uns das den die der bitte un une le la les moi nous una unos unas me el los een uma um en")

  /// Verbs that make all kinds of things: what follows decides.
  static let making = words(
    """
    make create generate produce design render visualize visualise show give compose craft prepare do build display \
    provide want need print output synthesize imagine picture conjure whip have get see bring turn convert transform \
    deliver erstelle erzeuge generiere mache crée créer génère crea genera haz hacer fais
    """)

  /// Verbs after which a thing that can be drawn is enough.
  static let seeing = words("imagine picture visualize visualise render conjure depict envision")
  /// Verbs after which something that can only be drawn is enough.
  static let generating = words("generate create design produce show")

  /// Words for pictures.
  static let media = words(
    """
    picture pictures image images drawing drawings painting paintings illustration illustrations sketch sketches photo \
    photos photograph photographs pic pics logo logos icon icons poster posters wallpaper wallpapers cartoon cartoons \
    comic portrait portraits artwork artworks art watercolour watercolours watercolor watercolors aquarelle doodle \
    doodles clipart avatar sticker stickers banner meme postcard caricature mural fresco graphic blueprint lineart render rendering \
    rendition selfie emoji silhouette emblem mascot thumbnail visual visualization visualisation scribble etching woodcut engraving \
    bild bilder zeichnung zeichnungen skizze gemälde dessin image dibujo imagen pintura disegno immagine tableau
    """)

  /// Pictures of numbers.
  static let charts = words("chart graph diagram plot histogram infographic")

  /// Pictures that are made for somebody or something.
  static let commissioned = words(
    "logo icon poster art artwork illustration mascot avatar emblem wallpaper banner sticker cartoon postcard portrait drawing"
  )

  /// Manners of drawing that are named behind a comma.
  static let styles = words(
    "watercolour watercolor blueprint lineart sketch painting drawing art cartoon photo illustration sepia doodle style"
  )

  /// Plans that are drawn.
  static let drawnPlans = words("floor ground garden seating")

  /// Words that may follow the name of a picture; another noun would make it something else ("an image index").
  static let afterMedia = words(
    """
    of : , . ! ? - with showing depicting in for that where featuring about like to and at on please by as using inspired \
    based which containing made having now again today next instead style design representing portraying illustrating von de d' del di \
    einer eines mit avec con when titled called named inside under over without
    """)

  /// "The big picture" and the like are not drawn.
  static let figurative = words(
    """
    big bigger overall clear clearer full complete better accurate true general rosy bleak grim mental whole wider \
    broader total word self public brand disk docker iso system mirror gloomy fair balanced false misleading moving motion \
    body virtual corporate realistic-financial financial economic consistent coherent
    """)

  /// Determiners after which a picture is one that exists already.
  static let definite = words(
    "the my our this that these those your his her its their any all every which each both dem den der die das le la les el los mein meine"
  )

  /// Determiners after which a picture is to be made.
  static let indefinite = words(
    """
    a an another some one two three four five several few more many new ein eine einen un une una uno single couple
    """)

  /// Things that are thought, written or said, not seen.
  static let abstract = words(
    """
    conclusion conclusions inference inferences comparison comparisons parallel parallels distinction distinctions \
    attention criticism breath lesson lessons analogy analogies inspiration lots straws straw salary pension \
    interest strength support consequence consequences difference differences connection connections link links \
    contrast contrasts plan plans outline argument arguments idea ideas proposal proposals strategy strategies history timeline \
    solution solutions approach approaches roadmap agenda concept concepts plot plots summary summaries overview thesis theory \
    theories economy economies situation situations future past society societies market markets life state status events event \
    company business budget finances progress development developments policy policies politics point points example examples \
    principle principles process processes method methods step steps procedure scenario scenarios case cases problem problems issue issues \
    question questions answer answers reason reasons motive meaning moral message blank balance curtain veil contract contracts will \
    agreement agreements letter list lists schedule schedules report essay speech project character characters' thoughts argument's \
    boundary boundaries limit limits lot evidence insight insights implication implications result results relationship relationships \
    trend trends impact impacts effect effects rule rules law laws structure framework background context biography career era war \
    conflict crisis industry education system systems philosophy narrative benefits benefit risks risk advantages advantage bill cheque check \
    money funds cash statement statements reference references knowledge experience sources source inventory requirement requirements \
    paragraph paragraphs sentence sentences chapter chapters text poem story's timeline's recommendation recommendations finding findings \
    table-of-contents hypothesis definition conversation dialogue email mail code function class algorithm api program software
    """)

  /// Phrases after a drawing verb that say something else; each follows the verb at once.
  static let idioms: [String: [String]] = [
    "draw": [
      "up", "on", "upon", "from", "out", "in", "back", "down", "away", "together", "near", "nearer", "closer",
      "level", "even", "to a close",
      "the line", "a line", "lines between", "the short straw", "a bath", "me a bath", "a card", "a winner",
      "a name", "names", "cards", "breath",
      "blood", "fire", "first blood", "ire", "crowds", "a crowd", "the curtain", "upon", "against", "numbers",
      "sb", "someone", "people in", "water from",
      "the blinds", "the curtains", "the shades", "into", "straws", "heavily", "a sharp", "sharp",
      "your own conclusion", "your own conclusions", "the moral", "a veil", "customers", "visitors", "heat",
      "power from",
      "electricity", "inspiration",
    ],
    "paint": [
      "by numbers", "the town", "everyone with", "oneself into", "yourself into", "over the", "a rosy", "a bleak",
      "a grim", "with the same", "in broad", "me a word", "a word",
    ],
    "sketch": ["out", "in the details", "comedy"],
    "illustrate": [
      "with", "how", "why", "what", "that", "when", "where", "by", "using", "this with", "it with", "through",
      "your", "his", "her", "their", "whether", "and explain",
    ],
    "depict": ["how", "why", "what", "the", "in words"],
    "imagine": [
      "you", "you're", "that", "if", "being", "how", "what", "why", "i", "i'm", "we", "we're", "he", "she", "they",
      "it", "my", "your", "there", "there's", "having", "not", "for",
      "this situation", "this", "yourself", "someone", "somebody", "when", "where", "whether", "everyone",
      "nobody", "all the", "no", "our",
    ],
    "picture": [
      "this", "yourself", "that", "it", "him", "her", "them", "how", "what", "you", "books", "frame", "frames",
      "perfect",
    ],
    "visualize": ["how", "what", "why", "the", "your", "this data", "data", "yourself", "it"],
    "visualise": ["how", "what", "why", "the", "your", "this data", "data", "yourself", "it"],
    "render": [
      "the", "this", "it", "that", "text", "as", "into", "my", "assistance", "help", "judgement", "judgment",
      "a verdict", "a decision", "a service", "an opinion", "null", "useless",
    ],
  ]

  /// Words that begin a question.
  static let questionWords = QuestionWords.english.union(
    words(
      """
      what's whats who's how's is are was were does did do has have had should shall am isn't aren't doesn't didn't may
      might must was wer wie wo wann warum welche welcher welches quel quelle qui comment pourquoi où quand qué quién
      cómo dónde cuándo
      """))

  /// Words that make what follows them a thing of one's documents.
  static let documentWords = words(
    """
    page pages chapter chapters report reports document documents appendix manual section sections file files pdf \
    paper's spreadsheet invoice invoices contract contracts receipt receipts notes library minutes slide slides presentation \
    annex article thesis archive folder inventory
    """)

  /// Things that can be drawn, but are written or arranged more often.
  static let ambiguousThings = words(
    """
    letter letters paper document newspaper map book books notebook diary chart graph diagram histogram sign table bank box school station office \
    hand face heart idea world ground square field room water park bar port plan key line lines card cards list mail computer \
    phone library bill plate dish program tool tools screen lock link school hospital hotel store shop building bug mouse \
    target point star paper scroll plant plants hall air sky nature money coin euro dollar glasses person people man \
    woman child family light match state fall spring rule window windows page copy note notes container flask saw drill chess \
    toy salad rice bread soup pasta sandwich cake pancake pancakes muffin pizza meal burger coffee tea dinner pie landscape valley \
    brush bow wave waves web sand canvas palette port compass letter- king queen puzzle dice clock watch rock column columns cover mask bridge
    """)
}
