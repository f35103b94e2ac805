/// Stop word lists; folded, apostrophes removed as ``Words`` does.
enum StopWordsTable {
  static let words: [Language: Set<String>] = [
    .english: set(
      """
      a about above after again against all am an and any are arent as at be because been before being below between
      both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each either else ever
      etc few for from further had hadnt has hasnt have havent having he her here hers herself him himself his how
      however i if in into is isnt it its itself just let may me might more most much must my myself neither no nor
      not of off on once only onto or other ought our ours ourselves out over own per quite rather same shall shant
      she should shouldnt since so some such than that the their theirs them themselves then there thereby therefore
      these they this those though through thus to too under until up upon us very via was wasnt we were werent what
      whatever when where whether which while who whom whose why will with within without wont would wouldnt yet you
      your yours yourself yourselves
      """),
    .german: set(
      """
      ab aber alle als also am an auch auf aus bei bin bis bist da damit das dass dem den der des die dies diese dieser
      dieses doch dort du durch ein eine einem einen einer eines er es euch fur hat haben hatte hier ich ihm ihn ihr
      ihre im in ist ja kann kein keine konnen man mehr mein mir mit nach nicht noch nur ob oder ohne sehr sein seine
      sich sie sind so uber um und uns unter vom von vor war waren was wenn wer werden wie wir wird wo wurde zu zum
      zur zwischen
      wann wohin woher warum wieso weshalb welche welcher welches welchem welchen wieviel wen wem wessen heisst
      gibt etwa dann denn seit jede jeder jedes
      """),
    .french: set(
      """
      ai au aux avec avait bien ce ces cette comme dans de des du elle elles en est et etait etre eu fait il ils je la
      le les leur leurs lui ma mais me meme mes moi mon ne nos notre nous on ont ou par pas plus pour qu que qui sa
      sans se ses si son sont sur ta te tes toi ton tous tout tres tu un une vos votre vous y
      d l quand quoi quel quelle quels quelles comment pourquoi combien depuis lequel laquelle
      """),
    .spanish: set(
      """
      al algo como con contra cual cuando de del desde donde el ella ellos en entre era es esa ese eso esta este esto
      estos fue ha hasta hay la las le les lo los mas me mi muy nada ni no nos o otra otro para pero por porque que
      quien se ser si sin sobre son su sus tambien te tiene todo todos tu un una uno y ya yo
      es cuales quienes cuanto cuanta cuantos cuantas han he sido estan esta soy somos cada
      """),
    .italian: set(
      """
      a ad ai al alla alle anche che chi ci col come con cui da dal dalla dei del della delle dello di dove e ed era
      essere gli ha hanno i il in io la le lei lo loro lui ma mi mia mio nei nel nella non o per perche piu quale
      quando quella quello questa questo se si sono su sua sul sulla suo tra tu un una uno
      d l cosa quali quanto quanta quanti quante sono stato quel
      """),
    .portuguese: set(
      """
      a ao aos as ate com como da das de dela dele depois do dos e ela ele eles em entre era essa esse esta este eu foi
      ha isso isto ja la lhe mais mas me mesmo meu minha muito na nao nas nem no nos o os ou para pela pelo por quando
      que quem se sem ser seu sua sao so tambem te tem um uma voce
      onde qual quais quanto quanta quantos quantas porque sera sido esta estao cada
      """),
    .dutch: set(
      """
      aan al als bij dan dat de deze die dit door een en er ge geen had heb hebben heeft hem het hij hoe hun ik in is
      je kan maar me meer men met mijn naar niet nog nu of om omdat ons ook op over te tegen toch tot uit van veel
      voor want waren was wat we wel werd wie wij worden zal ze zich zij zijn zo zou
      wanneer waar waarom welke hoeveel elke ieder
      """),
    .russian: set(
      """
      а без более больше будет будто бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для
      до его ее если есть еще же за здесь и из или им их к как какая какие какои какое ко когда кого кому которая
      которые которыи кто куда ли либо между меня мне много может мои моя мы на над надо наш не него нее нет ни них но
      ну о об однако он она они оно от откуда очень по под после почему при про с сам сколько со так также такои там
      те тем то тогда того тоже только том ты у уже хотя чего чеи чем через что чтобы эта эти это этого этои этот я
      """),
  ]

  /// Languages that list a word.
  static let languages: [String: [Language]] = {
    var languages: [String: [Language]] = [:]
    for language in Language.allCases {
      for word in words[language] ?? [] { languages[word, default: []].append(language) }
    }
    return languages
  }()

  private static func set(_ list: String) -> Set<String> {
    Set(list.split { $0.isWhitespace }.map(String.init))
  }
}
