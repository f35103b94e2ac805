/// Negations and opposites, which turn a statement into another one.
enum Polarity {
  /// Words that negate or exclude.
  static let negations: Set<String> = [
    "not", "no", "never", "neither", "nor", "without", "cannot", "none", "nobody", "nothing", "nowhere", "except",
    "excluding", "exclude", "excludes", "excluded", "lack", "lacks", "lacked", "lacking", "unable", "fail",
    "fails",
    "failed", "refuse", "refuses", "refused", "deny", "denied", "denies", "rather", "instead", "hardly", "barely",
    "rarely", "unless", "isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt", "hasnt", "havent", "hadnt",
    "cant",
    "couldnt", "wont", "wouldnt", "shouldnt", "non", "few", "little", "avoid", "prevent", "prevented", "prohibit",
    "prohibits", "prohibited", "forbidden", "ban", "banned", "only",
  ]

  /// Negations in a question that asks for what is not so.
  static let denials: Set<String> = [
    "not", "never", "neither", "without", "cannot", "isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt",
    "hasnt",
    "havent", "hadnt", "cant", "couldnt", "wont", "wouldnt", "shouldnt", "non", "except", "no",
  ]

  private static let prefixes = ["un", "non", "in", "im", "ir", "dis", "anti"]

  /// Indicates whether a word is another with a negating prefix ("unimportant" for "important").
  static func isOpposite(_ word: String, of others: Set<String>) -> Bool {
    if let opposites = table[word], !opposites.isDisjoint(with: others) { return true }
    for prefix in prefixes where word.utf8.count > prefix.utf8.count + 4 && word.hasPrefix(prefix) {
      if others.contains(String(word.dropFirst(prefix.utf8.count))) { return true }
    }
    return prefixes.contains { others.contains($0 + word) }
  }

  private static let table: [String: Set<String>] = {
    var table: [String: Set<String>] = [:]
    for pair in pairs.split(separator: ",") {
      let words = pair.split(separator: " ").map(String.init)
      guard words.count == 2 else { continue }
      table[words[0], default: []].insert(words[1])
      table[words[1], default: []].insert(words[0])
    }
    return table
  }()

  private static let pairs = """
    first last,before after,earliest latest,oldest newest,old new,older newer,early late,increase decrease,\
    increased decreased,increases decreases,rise fall,rose fell,high low,higher lower,highest lowest,large small,\
    larger smaller,largest smallest,big little,big small,biggest smallest,most least,more less,more fewer,best worst,\
    better worse,north south,east west,northern southern,eastern western,begin end,began ended,start finish,start stop,\
    started stopped,win lose,won lost,allow ban,allowed banned,allow prohibit,allowed prohibited,accept reject,\
    accepted rejected,support oppose,supported opposed,public private,same different,always never,minimum maximum,\
    reduce increase,reduced increased,popular unpopular,possible impossible,known unknown,positive negative,\
    inside outside,major minor,friend enemy,buy sell,bought sold,long short,longest shortest,longer shorter,\
    strong weak,\
    stronger weaker,success failure,succeeded failed,easy difficult,rich poor,import export,imports exports,\
    male female,\
    men women,simple complex,internal external,modern ancient,open closed,opened closed,above below,over under,\
    arrive leave,arrived left,birth death,born died,good bad,hot cold,fast slow,faster slower,full empty,love hate,\
    include exclude,included excluded,enter exit,create destroy,created destroyed,built destroyed,join leave,\
    joined left,single multiple,upper lower,top bottom,left right,vertical horizontal,wide narrow,heavy light,\
    encouraged discouraged,common rare,former current,previous next,gain lose,gained lost,expand shrink,day night
    """
}
