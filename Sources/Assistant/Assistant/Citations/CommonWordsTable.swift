import Linguistics

/// Ordinary words that open sentences, to tell them from names.
enum CommonWordsTable {
  /// Indicates whether a folded word opens sentences without being part of the name behind it.
  static func opens(_ word: String) -> Bool { openers.contains(word) || StopWords.contains(word) }

  /// Indicates whether a folded word is an ordinary one.
  static func isOrdinary(_ word: String) -> Bool {
    if names.contains(word) { return false }
    if opens(word) || words.contains(word) { return true }
    for (ending, replacement) in [("ies", "y"), ("es", ""), ("s", ""), ("d", ""), ("ed", ""), ("ly", "")]
    where word.hasSuffix(ending) {
      if words.contains(word.dropLast(ending.count) + replacement) { return true }
    }
    return word.count >= 6 && endings.contains { word.hasSuffix($0) }
  }

  /// Endings that names seldom have.
  private static let endings = [
    "ing", "tion", "tions", "sion", "sions", "ment", "ments", "ness", "ity", "ities", "able", "ible", "ance",
    "ence",
    "ances", "ences", "ously", "ally", "edly", "ingly", "ically", "ship", "hood", "less", "ward", "wards", "ology",
    "ical", "ated", "ised", "ized", "ates", "ises", "izes", "wise",
  ]

  /// Names with such endings.
  private static let names: Set<String> = [
    "irving", "sterling", "clarence", "florence", "laurence", "lawrence", "terence", "constance", "clement",
    "felicity",
    "charity", "trinity", "beijing", "reading", "boeing", "provence", "valence", "wellington", "wyoming", "edward",
    "howard", "woodward", "hayward", "kipling", "fleming", "browning", "harding", "golding", "penance",
    "christian",
  ]

  private static let openers: Set<String> = [
    "the", "a", "an", "in", "on", "at", "by", "from", "for", "with", "and", "but", "or", "so", "if", "when",
    "where",
    "while", "after", "before", "since", "until", "both", "each", "all", "its", "his", "her", "their", "our", "my",
    "your", "this", "that", "these", "those", "according", "yes", "no", "as", "to", "of", "under", "over", "it",
    "is",
    "der", "die", "das", "ein", "eine", "im", "am", "le", "la", "les", "un", "une", "el", "los", "las",
  ]

  private static let words: Set<String> = Set(
    """
    above accept access accord account accurate achieve act action activity actual add additional address adjust adult \
    advance advice affect afternoon again age agency agree agreement air allow almost alone along already alternative also \
    although always amount analysis animal annual another answer any anyone anything apart apartment apply approach \
    approximate april area argue argument arm around arrange arrive art article ask aspect assess asset assist assume \
    attach attack attempt attend author authority available average avoid award aware away baby back background bad bag \
    balance ball bank bar base basic basis battery bear beat become bed begin behaviour behavior behind believe belong \
    below benefit beside besides best better between beyond big bill bird bit black block blood blue board boat body bond \
    book border borrow bottom box boy branch break breakfast bridge brief bring broad brother brown budget build building \
    bus business button buy buyer call camera campaign cancel cancer capacity capital car card care carry case cash cat \
    cause cell central centre center century certain chain chair challenge change chapter character charge chart cheap \
    check chemical chicken chief child children choice choose church circle citizen city claim class clause clean clear \
    client climate clock close clothes club coast code coffee cold collect college colour color column combine come comment \
    commercial commit common community company compare complete complex computer concept concern condition conduct \
    confirm connect consider consist constant contact contain content context continue contract control convert cook copy \
    core corner correct cost council count country county couple courage course court cover create credit crime critic \
    critical cross crowd cup current currently customer customers cut cycle daily damage danger dark data database date \
    day dead deal death debate debt decade decide decision declare deep default define degree delay deliver demand depend \
    deposit depth describe design desk despite detail details determine develop device difference different difficult \
    dinner direct director discount discuss disease dish display distance divide doctor document documents dog dollar \
    door doubt down draft draw dream drink drive driver drop drug dry due during duty each early earlier earn earth ease \
    east easy eat edge edition editor effect effective effort either electric electricity element else employ employee \
    employer empty enable end enemy energy engine engineer enjoy enough ensure enter entire entrance entry environment \
    equal equipment error especially establish estimate euro even evening event eventually ever every everyone everything \
    evidence exact examine example except exchange exercise exist expect expense expensive expert explain explore export \
    express extend extra eye face fact factor fail fair fall false family famous far farm fast father fear feature fee feed \
    feel few field fight figure file fill film final finally finance find fine finger finish fire firm first fish fit five \
    fix flat flight floor flow fly focus follow food foot force foreign forest forget form formal former forward four free \
    freedom french frequent fresh friend friends front fruit fuel full fund further future game garden gas gate gather \
    general generally get gift girl give glass global goal god gold good goods government grand grant great green ground \
    group grow growth guarantee guard guess guest guests guide guideline gun guy habit hair half hall hand handle hang \
    happen happy hard head health hear heart heat heating heavy height help hence here high highway hill hire history hit \
    hold holder holiday home hope hospital hot hotel hour hours house household housing how however huge human hundred \
    idea identify ignore ill image impact implement import important improve include included income increase indeed \
    indicate individual industry influence inform information initial initially input inside instead institute \
    instruction insurance insured insurer interest internal international internet interview introduce invest investor \
    invite invoice involve iron island issue item itself job join joint judge jump june july just keep key kid kill kind \
    king kitchen know knowledge label labor labour lack lady lake land landlord language large last late later latest \
    laugh law lawyer lay layer lead leader learn lease least leave left legal lend length less lesson let letter level \
    liability library licence license lie life lift light like likely limit limited line link list listen literature \
    little live load loan local location long look lose loss lot love low lower lunch machine magazine mail main maintain \
    major majority make male man manage manager manner manual many map mark market marriage mass master match material \
    matter maximum maybe meal mean meanwhile measure meat media medical medicine medium meet meeting member members memory \
    mention message metal method middle might mile military milk million mind mine minimum minister minor minute miss \
    mission mistake mix model modern moment money month monthly months more moreover morning most mostly mother motion \
    motor mountain mouth move movement much music must name names narrow nation national natural nature near nearly \
    necessary neck need negative neighbour neighbor neither net network never nevertheless new news newspaper next nice \
    night nine nobody noise none nor normal normally north note notes nothing notice now number numbers object objective \
    observe obtain obvious obviously occasion occur odd off offer office officer official often oil old once one ones \
    online only open operate operation opinion option order orders organ organise organize origin original other others \
    otherwise ought out outcome output outside oven overall owe own owner owners page paid pain paint pair paper papers \
    paragraph parent parents park parking part particular partner parts party pass passage passenger past path patient \
    pattern pay payment payments peace pen people per percent perform perhaps period permission permit person personal \
    pet pets phase phone photo phrase physical piano pick picture piece pilot pipe place plan plane plans plant plastic \
    plate play player please plus pocket point points police policy political poor popular population port position \
    positive possible possibly post potential pound power practice prefer prepare present president press pressure pretty \
    prevent previous previously price prices primary print prior private probably problem procedure process produce \
    product professional professor profit program programme project promise promote proper property proposal propose \
    protect prove provide public publish pull purchase purpose push put quality quantity quarter queen question quick \
    quickly quiet quite quote race radio rain raise range rate rather rating ratio raw reach react read reader ready real \
    reality realise really rear reason recall receipt receive recent recently recipe recognise recommend record red \
    reduce refer reference reflect refund refuse regard region register regular reject relate relation relatively release \
    relevant relief rely remain remaining remember remind remote remove renew rent rental repair repeat replace reply \
    report represent request require research reserve resident resource respect respond response rest restaurant result \
    results retail retain retire return reveal revenue review right ring rise risk river road rock role roll roof room \
    root round route row rule rules run rural safe safety salary sale sales salt same sample sand save say scale scene \
    schedule scheme school science scientist score screen sea search season seat second secret section sector secure see \
    seed seek seem select sell seller send senior sense separate serial series serious serve server service set settle \
    seven several severe shall shape share sharp she ship shop short shot should shoulder show side sign signal \
    significant similar similarly simple simply single sister sit site situation six size skill skin sky sleep slow slowly \
    small smoke snow social society soft software soil solar soldier sole solid solution solve some somebody someone \
    something sometimes somewhat song soon sorry sort sound source sources south space spare speak special specific speed \
    spend sport spot spread spring square staff stage stand standard star start state statement states station status \
    stay steel step still stock stone stop storage store story straight strange strategy street strength stress strike \
    strong structure student students study stuff style subject submit success successful such sudden sugar suggest \
    suitable sum summary summer sun supply support sure surface surprise survey survive switch system table take talk \
    target task tax taxes teach teacher team technical technique technology telephone television tell temperature ten \
    tenancy tenant tenants term terms test text than thank thanks theory there therefore they thing things think third \
    though thousand three through throughout thus ticket tide time times title today together tomorrow tonight too tool \
    top topic total touch tour toward town track trade traffic train travel treat treatment tree trial trip trouble truck \
    true trust truth try turn twelve twenty twice two type typical typically uncle understand unfortunately unit unless \
    unlike until upon upper urban use used user users usual usually valid value variable variety various vary vehicle \
    version very view village visit visitor voice volume vote wage wages wait walk wall want war warm warning warranty wash \
    waste watch water way weak wear weather web week weekly weeks weight welcome well west wet what whatever wheel whenever \
    whereas whether which white who whole whom whose why wide wife wild win wind window wine winter wish within without \
    witness woman women wonder wood word words work worker workers works world worry worse worst worth write writer writing \
    wrong yard year yearly years yellow yes yesterday yet young youth zero zone unverified cited citation source document \
    documents passage passages nobody signed signature agreement annex appendix figure footnote heading note
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
