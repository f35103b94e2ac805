/// Words that tell types of names apart.
enum NameTable {
  static let places = set(
    """
    afghanistan africa alabama alaska albania algeria america andorra angola antarctica argentina arizona arkansas \
    armenia asia athens australia austria azerbaijan bahrain baltimore bangladesh barcelona bavaria beijing belarus \
    belgium berlin bolivia bombay bosnia boston botswana brazil britain brittany brussels bulgaria burma \
    byzantium cairo california cambodia cambridge cameroon canada canterbury chicago chile china colombia colorado \
    connecticut constantinople croatia cuba cyprus czechia dallas delaware delhi denmark detroit dublin ecuador \
    edinburgh egypt england eritrea estonia ethiopia europe fiji finland flanders florence florida france frankfurt \
    gaul geneva genoa georgia germany ghana glasgow graz greece greenland guatemala guinea haiti hamburg hawaii \
    helsinki holland \
    honduras hungary iceland idaho illinois india indiana indonesia iowa iran iraq ireland israel istanbul italy \
    jamaica japan jerusalem jordan kansas kazakhstan kentucky kenya kiev korea kuwait kyoto kyrgyzstan laos latvia \
    lebanon libya liechtenstein lisbon lithuania london louisiana luxembourg lyon macedonia madagascar madrid maine \
    malaysia mali malta manchester manhattan manchuria marseille maryland massachusetts mauritania mediterranean \
    melbourne mexico miami michigan milan minnesota mississippi missouri moldova monaco mongolia montana \
    montenegro montreal morocco moscow mozambique mumbai munich namibia naples nebraska nepal netherlands nevada \
    nicaragua niger nigeria normandy norway ohio oklahoma oman ontario oregon oslo ottawa oxford pakistan palestine \
    panama paraguay paris pennsylvania persia peru philadelphia philippines poland porto portugal prague prussia \
    quebec romania rome russia rwanda samoa saxony scandinavia scotland seattle senegal serbia shanghai siberia \
    sicily singapore slovakia slovenia somalia spain stockholm sudan sumatra sweden switzerland sydney syria taiwan \
    tajikistan tanzania tennessee texas thailand tibet tokyo toronto tunisia turkey turkmenistan tuscany uganda \
    ukraine uruguay usa utah uzbekistan vancouver venezuela venice vermont vienna vietnam virginia wales warsaw \
    washington wisconsin wyoming yemen yorkshire yugoslavia zambia zimbabwe zurich
    """)

  static let nationalities = set(
    """
    afghan african albanian algerian american arab arabian argentine argentinian armenian asian australian austrian \
    azerbaijani bangladeshi basque bavarian belarusian belgian bolivian bosnian brazilian breton british bulgarian \
    burmese byzantine cambodian canadian catalan chilean chinese colombian croatian cuban cypriot czech danish dutch \
    egyptian english estonian ethiopian european filipino finnish flemish french frisian georgian german ghanaian \
    greek haitian hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese jewish \
    jordanian kazakh kenyan khmer korean kurdish kuwaiti latin latvian lebanese libyan lithuanian macedonian malay \
    malaysian maltese mexican moldovan mongol mongolian moroccan nepalese nigerian norman norse norwegian ottoman \
    pakistani palestinian persian peruvian polish portuguese prussian roman romanian russian saudi saxon \
    scandinavian scottish serbian slovak slovene slovenian somali soviet spanish sudanese swedish swiss syrian \
    taiwanese tatar thai tibetan tunisian turkish turkmen ugandan ukrainian uzbek venetian venezuelan vietnamese \
    walloon welsh yemeni
    """)

  static let languagesOnly = set(
    """
    arabic hebrew hindi urdu bengali tamil sanskrit latin swahili mandarin cantonese esperanto gaelic yiddish aramaic \
    farsi
    """)

  static let titles = set(
    """
    mr mrs ms miss dr prof professor sir lady lord dame king queen emperor empress prince princess duke duchess count \
    countess earl baron pope bishop archbishop saint st president minister chancellor general admiral captain colonel \
    major judge justice senator governor khan sultan shah tsar czar father brother sister abbot cardinal reverend rev \
    uncle aunt caliph advocate
    """)

  static let firstNames = set(
    """
    aaron abraham adam adrian agnes alan albert alessandro alex alexander alfred ali alice amanda amelia andre andrea \
    andrew angela ann anna anne anthony antoine antonio arnold arthur barbara barry beatrice benjamin bernard bill bob \
    boris brandon brian bruce camille carl carla carlos caroline catherine charles charlotte chris christian christina \
    christine christopher claire clara claude conan conrad daniel david deborah dennis diana diane dmitri donald dora \
    dorothy douglas edgar edith edmund edward eleanor elena elizabeth emil emily emma eric erik ernest esther ethan \
    eugene eva evelyn felix ferdinand fiona florence frances francis franz frederick friedrich gabriel gareth gary \
    geoffrey george gerald gerard gilbert giovanni giuseppe gordon grace graham greg gregory guy hannah hans harold \
    harry harvey heinrich helen helena henri henry herbert hermann homer howard hugh ian ida igor ingrid irene isaac \
    isabel ivan jack jacob jacques james jane janet jason jean jennifer jeremy jessica joan johann johannes john \
    jonathan jose joseph josephine joshua juan judith julia julian julie karen karl kate katherine keith kenneth kevin \
    kurt larry laura lawrence leo leon leonard leonardo leonhard lewis linda lisa louis louise lucas lucia lucy ludwig \
    luigi luis luke manuel marco margaret maria marie mario mark martha martin mary matthew maurice max maximilian \
    michael michel miguel mikhail miriam mohammed monica muhammad nancy natalie nathan neil nicholas nicolas nikolai \
    nina nora norman oliver olivia oscar otto patricia patrick paul paula pedro peter philip philippe pierre rachel \
    ralph raymond rebecca richard rita robert roberto roger roland ronald rosa rose roy rudolf ruth samuel sandra sara \
    sarah scott sean sebastian sergei sharon sigmund simon sofia sophia sophie stephanie stephen steve steven stuart \
    susan sylvia teresa theodor theodore theresa thomas timothy tobias tom tony ursula valentina vera victor victoria \
    vincent viktor vladimir walter wayne werner wilhelm william winston wolfgang yves
    """)

  static let organisationWords = set(
    """
    university college school institute academy company corporation corp inc ltd llc gmbh ag plc bank group agency \
    association society union federation league committee commission council court parliament congress senate ministry \
    department bureau office party church foundation trust hospital museum library laboratory laboratories press \
    airlines railway railways motors industries systems technologies army navy club band team government guard \
    organization organisation authority board service network assembly order opec nato eu un
    """)

  static let placeWords = set(
    """
    city river street avenue road lane square mountain mount mountains lake sea ocean island islands county province \
    state states kingdom republic empire bay valley desert peninsula coast canal bridge castle palace cathedral park \
    garden gardens square harbor harbour port airport station hill hills forest territory colony district region \
    town village house hall building stadium pavilion
    """)

  static let connectors: Set<String> = [
    "of", "the", "de", "la", "le", "du", "des", "von", "van", "der", "den", "di", "da", "del", "al", "el", "bin",
    "ibn",
    "y", "e", "zu", "and", "for", "in", "on",
  ]

  static let placePrepositions: Set<String> = [
    "in", "at", "near", "from", "to", "into", "across", "throughout", "around", "outside", "toward", "towards",
    "through", "between", "within", "over", "off", "via",
  ]

  private static func set(_ words: String) -> Set<String> {
    Set(words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
  }
}
