/// Named characters of HTML 4 (W3C, chapter 24) and the more common ones of HTML 5.
enum Entities {
  /// Characters by name.
  static let named: [Substring: Unicode.Scalar] = {
    var named: [Substring: Unicode.Scalar] = [:]
    for entry in list.split(separator: ",") {
      let words = entry.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let value = UInt32(words[1], radix: 16) else { continue }
      named[words[0]] = Unicode.Scalar(value)
    }
    return named
  }()

  private static let list = """
    AElig C6, Aacute C1, Acirc C2, Agrave C0, Alpha 391, Aring C5, Atilde C3, Auml C4, Beta 392, Ccedil C7,
    Chi 3A7, Dagger 2021, Delta 394, ETH D0, Eacute C9, Ecirc CA, Egrave C8, Epsilon 395, Eta 397, Euml CB,
    Gamma 393, Iacute CD, Icirc CE, Igrave CC, Iota 399, Iuml CF, Kappa 39A, Lambda 39B, Mu 39C, Ntilde D1,
    Nu 39D, OElig 152, Oacute D3, Ocirc D4, Ograve D2, Omega 3A9, Omicron 39F, Oslash D8, Otilde D5, Ouml D6,
    Phi 3A6, Pi 3A0, Prime 2033, Psi 3A8, Rho 3A1, Scaron 160, Sigma 3A3, THORN DE, Tau 3A4, Theta 398,
    Uacute DA, Ucirc DB, Ugrave D9, Upsilon 3A5, Uuml DC, Xi 39E, Yacute DD, Yuml 178, Zeta 396, aacute E1,
    acirc E2, acute B4, aelig E6, agrave E0, alefsym 2135, alpha 3B1, amp 26, and 2227, ang 2220, aring E5,
    asymp 2248, atilde E3, auml E4, bdquo 201E, beta 3B2, brvbar A6, bull 2022, cap 2229, ccedil E7, cedil B8,
    cent A2, chi 3C7, circ 2C6, clubs 2663, cong 2245, copy A9, crarr 21B5, cup 222A, curren A4, dArr 21D3,
    dagger 2020, darr 2193, deg B0, delta 3B4, diams 2666, divide F7, eacute E9, ecirc EA, egrave E8,
    empty 2205, emsp 2003, ensp 2002, epsilon 3B5, equiv 2261, eta 3B7, eth F0, euml EB, euro 20AC, exist 2203,
    fnof 192, forall 2200, frac12 BD, frac14 BC, frac34 BE, frasl 2044, gamma 3B3, ge 2265, gt 3E, hArr 21D4,
    harr 2194, hearts 2665, hellip 2026, iacute ED, icirc EE, iexcl A1, igrave EC, image 2111, infin 221E,
    int 222B, iota 3B9, iquest BF, isin 2208, iuml EF, kappa 3BA, lArr 21D0, lambda 3BB, lang 2329, laquo AB,
    larr 2190, lceil 2308, ldquo 201C, le 2264, lfloor 230A, lowast 2217, loz 25CA, lrm 200E, lsaquo 2039,
    lsquo 2018, lt 3C, macr AF, mdash 2014, micro B5, middot B7, minus 2212, mu 3BC, nabla 2207, nbsp A0,
    ndash 2013, ne 2260, ni 220B, not AC, notin 2209, nsub 2284, ntilde F1, nu 3BD, oacute F3, ocirc F4,
    oelig 153, ograve F2, oline 203E, omega 3C9, omicron 3BF, oplus 2295, or 2228, ordf AA, ordm BA, oslash F8,
    otilde F5, otimes 2297, ouml F6, para B6, part 2202, permil 2030, perp 22A5, phi 3C6, pi 3C0, piv 3D6,
    plusmn B1, pound A3, prime 2032, prod 220F, prop 221D, psi 3C8, quot 22, rArr 21D2, radic 221A, rang 232A,
    raquo BB, rarr 2192, rceil 2309, rdquo 201D, real 211C, reg AE, rfloor 230B, rho 3C1, rlm 200F,
    rsaquo 203A, rsquo 2019, sbquo 201A, scaron 161, sdot 22C5, sect A7, shy AD, sigma 3C3, sigmaf 3C2,
    sim 223C, spades 2660, sub 2282, sube 2286, sum 2211, sup 2283, sup1 B9, sup2 B2, sup3 B3, supe 2287,
    szlig DF, tau 3C4, there4 2234, theta 3B8, thetasym 3D1, thinsp 2009, thorn FE, tilde 2DC, times D7,
    trade 2122, uArr 21D1, uacute FA, uarr 2191, ucirc FB, ugrave F9, uml A8, upsih 3D2, upsilon 3C5, uuml FC,
    weierp 2118, xi 3BE, yacute FD, yen A5, yuml FF, zeta 3B6, zwj 200D, zwnj 200C, apos 27, NewLine A, Tab 9,
    excl 21, quest 3F, num 23, dollar 24, percnt 25, lpar 28, rpar 29, ast 2A, plus 2B, comma 2C, period 2E,
    sol 2F, colon 3A, semi 3B, equals 3D, commat 40, lsqb 5B, lbrack 5B, bsol 5C, rsqb 5D, rbrack 5D,
    lowbar 5F, lcub 7B, lbrace 7B, verbar 7C, vert 7C, rcub 7D, rbrace 7D, inodot 131, Amacr 100, amacr 101,
    Abreve 102, abreve 103, Aogon 104, aogon 105, Cacute 106, cacute 107, Ccaron 10C, ccaron 10D, Dcaron 10E,
    dcaron 10F, Emacr 112, emacr 113, Eogon 118, eogon 119, Ecaron 11A, ecaron 11B, Gbreve 11E, gbreve 11F,
    Imacr 12A, imacr 12B, Idot 130, Lstrok 141, lstrok 142, Nacute 143, nacute 144, Ncaron 147, ncaron 148,
    Omacr 14C, omacr 14D, Odblac 150, odblac 151, Rcaron 158, rcaron 159, Sacute 15A, sacute 15B, Scedil 15E,
    scedil 15F, Tcaron 164, tcaron 165, Umacr 16A, umacr 16B, Uring 16E, uring 16F, Udblac 170, udblac 171,
    Uogon 172, uogon 173, Zacute 179, zacute 17A, Zdot 17B, zdot 17C, Zcaron 17D, zcaron 17E, hyphen 2010,
    dash 2010, horbar 2015, check 2713, cross 2717, star 2606, starf 2605, phone 260E, female 2640, male 2642,
    numsp 2007, puncsp 2008, hairsp 200A, NoBreak 2060
    """
}
