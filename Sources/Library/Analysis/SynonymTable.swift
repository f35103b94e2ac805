import Linguistics

/// Everyday synonyms between questions and texts.
enum SynonymTable {
  /// Returns the stems that may stand for a stem. A text of unknown language may be English.
  static func synonyms(of stem: String, in language: Language) -> Set<String> {
    [.english, .other].contains(language)
      ? table[stem] ?? [] : ForeignSynonymTable.synonyms(of: stem, in: language)
  }

  private static let table: [String: Set<String>] = {
    var table: [String: Set<String>] = [:]
    for group in groups {
      let stems = Set(group.split(separator: " ").map { Stemmer.stem(String($0)) })
      for stem in stems { table[stem, default: []].formUnion(stems.subtracting([stem])) }
    }
    return table
  }()

  private static let groups = [
    "wrote author written writer write writing penned",
    "located lies situated location place site position based found lie",
    "cost price rent fee charge expense paid pay worth",
    "begin began start started launch launched commence onset beginning start origin originate initially",
    "end ended finish stop ceased concluded terminate close final last over",
    "born birth birthplace native",
    "die died death killed dead deceased passed",
    "invent invented inventor create created creator develop developed developer design designed devise introduced "
      + "conceived pioneer",
    "found founded founder established establish set formed creation create created",
    "build built construct constructed erected construction building made",
    "big large huge great major biggest largest greatest main",
    "small little tiny minor smallest",
    "kill killed murder assassinated slain executed death",
    "king ruler monarch emperor sovereign reign ruled throne",
    "rule ruled govern governed reign controlled led",
    "leader led head chief commander leads chairman president",
    "defeat defeated beat conquered overthrew beaten vanquished victory won",
    "conquer conquered captured seized took occupied invaded invasion conquest",
    "spend spent expense expenses amount cost paid",
    "buy bought purchase purchased acquire acquired acquisition",
    "sell sold sale sales",
    "use used utilize utilized employ employed application apply applied usage using",
    "job work occupation profession career position employed employment",
    "famous notable known renowned well-known prominent celebrated",
    "name named called known termed dubbed titled title refer referred term",
    "many number numerous total count amount",
    "help helped aid assist assistance support supported",
    "permit permitted allow allowed enable authorised authorized let",
    "forbid forbidden ban banned prohibited prohibit outlaw outlawed barred",
    "require required need needed must necessary requirement",
    "increase increased rise rose grew growth grow raised raise higher",
    "decrease decreased fall fell decline declined reduced reduce drop dropped lower lessen",
    "happen happened occur occurred occurs took place event",
    "change changed alter altered modify modified transform converted",
    "cause caused reason because led due result resulted prompted",
    "teach taught teacher education instruct professor",
    "learn learned study studied student",
    "say said stated state claimed claim argued declared asserted",
    "think thought believe believed considered regarded opinion",
    "show showed shown demonstrate demonstrated prove proved proven",
    "leave left departed flee fled escape emigrate emigrated",
    "arrive arrived came come reach reached",
    "move moved relocate relocated migrate migrated settle settled",
    "live lived reside resided inhabit inhabited dwell population residents",
    "marry married wife husband spouse marriage wed",
    "child children son daughter offspring",
    "father parent son", "mother parent daughter",
    "war battle conflict fight fought campaign fighting",
    "country nation state kingdom", "city town capital",
    "company firm corporation business enterprise manufacturer",
    "car vehicle automobile cars", "ship vessel boat",
    "doctor physician medical", "money funds fund financial currency wealth",
    "rich wealthy affluent", "poor poverty impoverished",
    "first earliest initial original originally initially", "old age aged ancient",
    "new modern recent", "fast quick rapid speed", "important significant major key crucial main",
    "easy simple", "hard difficult tough", "problem issue trouble difficulty",
    "goal aim purpose objective intended intent", "role function purpose duty",
    "part component portion section", "type kind sort form variety category class",
    "way method means manner technique approach", "method algorithm procedure technique process",
    "owner owns own owned possess belongs", "belong belonged member part",
    "give gave given grant granted provide provided award awarded donated supply",
    "get got obtain obtained receive received gain gained", "take took taken capture",
    "send sent dispatch dispatched", "choose chose chosen select selected pick elected appointed",
    "attack attacked assault raid raided invade", "protect protected defend defended guard safeguard",
    "religion religious faith church belief", "law act legislation statute directive regulation",
    "agreement treaty accord pact contract", "rights freedom liberty",
    "percent percentage proportion share", "year annual annually yearly", "month monthly", "week weekly",
    "day daily",
    "earn salary wage income", "temperature degrees hot heat celsius", "length long", "height tall high",
    "weight weigh heavy weighs",
    "age old aged years", "distance far", "wide width", "deep depth",
    "phone telephone mobile call number", "mail email e-mail address",
    "contain contained include included includes consist comprise comprised consists composed made",
    "divide divided split separated separate", "unite united join joined merge merged combined",
    "replace replaced substitute succeeded supersede superseded", "successor succeeded followed",
    "predecessor preceded",
    "discover discovered find found discovery", "describe described description depict",
    "oppose opposed opposition against resist resisted", "agree agreed accept accepted approve approved",
    "reject rejected refuse refused deny denied decline", "fail failed failure unsuccessful",
    "succeed success successful",
    "common commonly usual usually typical typically widespread popular frequently often",
    "rare rarely uncommon seldom",
    "produce produced manufacture manufactured production product made output generate generated",
    "influence influenced affect affected impact effect", "relate related relation relationship connected linked",
    "ruling decision judgment judgement held", "court judge tribunal", "vote voted election elected",
    "prevent prevented avoid stop block", "publish published publication issued released release",
    "sign signed signature", "speak spoke spoken language", "travel travelled journey trip voyage",
    "food meal dish cuisine eat", "drink beverage", "soldier soldiers troops army military force forces",
    "sea ocean maritime naval", "notice notification notify notices", "due deadline",
    "expire expires expiry renew renews renewal", "keep kept retain maintain maintained store stored hidden",
    "measure measured measurement", "equal equivalent same", "different differ difference differs distinct unlike",
  ]
}
