/// Words for units of measure.
enum UnitTable {
  static let numberWords: Set<String> = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty",
    "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "hundreds", "thousand", "thousands", "million",
    "millions", "billion", "billions", "trillion", "dozen", "dozens", "half", "quarter", "third", "thirds",
    "couple",
    "several", "single", "double", "both", "none", "twice", "once",
  ]

  static let magnitudes: Set<String> = [
    "hundred", "thousand", "million", "billion", "trillion", "hundreds", "thousands", "millions", "billions",
    "dozen",
  ]

  static let ordinals: Set<String> = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "last",
  ]

  static let currencies: Set<String> = [
    "dollar", "dollars", "euro", "euros", "pound", "pounds", "yen", "yuan", "franc", "francs", "cent", "cents",
    "pence",
    "usd", "eur", "gbp", "chf", "jpy", "rupee", "rupees", "ruble", "rubles", "livres", "krona", "kronor", "krone",
    "kroner", "zloty", "peso", "pesos", "mark", "marks",
  ]

  static let times: Set<String> = [
    "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "night", "nights", "week", "weeks",
    "fortnight", "month", "months", "year", "years", "decade", "decades", "century", "centuries", "millennia",
    "sec",
    "min", "mins", "hrs", "yrs", "generations", "semester", "semesters",
  ]

  static let temperatures: Set<String> = [
    "degree", "degrees", "celsius", "fahrenheit", "kelvin", "centigrade", "c", "f", "k",
  ]

  static let units: Set<String> = [
    "m", "km", "cm", "mm", "m2", "km2", "m3", "kg", "g", "mg", "lb", "lbs", "oz", "l", "ml", "cl", "mi", "mph",
    "kmh",
    "kph", "ft", "hp", "kw", "mw", "gw", "w", "watt", "watts", "kilowatts", "megawatts", "gigawatts", "v", "volt",
    "volts", "amp", "amps", "hz", "khz", "mhz", "ghz", "bar", "psi", "pa", "kpa", "mpa", "rpm", "kwh", "kb", "mb",
    "gb", "tb", "bit", "bits", "byte", "bytes", "kilobytes", "megabytes", "gigabytes", "terabytes", "gigabyte",
    "megabyte", "terabyte", "metre", "metres", "meter", "meters", "kilometre", "kilometres", "kilometer",
    "kilometers",
    "centimetre", "centimetres", "centimeters", "millimetres", "millimeters", "mile", "miles", "foot", "feet",
    "inch", "inches", "yard", "yards", "acre", "acres", "hectare", "hectares", "square", "cubic", "gram", "grams",
    "kilogram", "kilograms", "kilo", "kilos", "ton", "tons", "tonne", "tonnes", "pound", "pounds", "ounce",
    "ounces",
    "litre", "litres", "liter", "liters", "gallon", "gallons", "pint", "pints", "cup", "cups", "tablespoon",
    "tablespoons", "teaspoon", "teaspoons", "tbsp", "tsp", "barrel", "barrels", "horsepower", "knots", "times",
    "kbit", "mbit", "gbit", "baud", "calories", "kcal", "joules", "newtons", "pages", "words", "percent",
  ]

  static let months: Set<String> = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december", "januar", "februar", "marz", "mai", "juni", "juli", "oktober", "dezember", "janvier", "fevrier",
    "avril", "juin", "juillet", "aout", "septembre", "octobre", "novembre", "decembre", "enero", "febrero",
    "abril",
    "mayo", "junio", "julio", "septiembre", "octubre", "noviembre", "diciembre", "gennaio", "febbraio", "aprile",
    "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre", "января", "февраля", "марта", "апреля",
    "мая",
    "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря", "jan", "feb", "mar", "apr", "jun",
    "jul", "aug", "sep", "sept", "oct", "nov", "dec",
  ]

  static let days: Set<String> = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  static let seasons: Set<String> = [
    "spring", "summer", "autumn", "winter", "today", "yesterday", "tomorrow", "tonight", "christmas", "easter",
  ]

  static let eras: Set<String> = ["ad", "bc", "ce", "bce", "century", "centuries", "millennium", "era"]
}
