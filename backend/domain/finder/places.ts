import { termsOf } from '../text/terms.ts'

/** Places by their name, each with other names and the words for its people; folded text. */
const TABLE = `
afghanistan afghan|albania albanian|algeria algerian|argentina argentine argentinian|armenia armenian
australia australian|austria austrian|azerbaijan azerbaijani|bahrain|bangladesh|belarus belarusian
belgium belgian|bolivia bolivian|bosnia bosnian|brazil brazilian|bulgaria bulgarian|cambodia cambodian
canada canadian|chile chilean|china chinese|colombia colombian|congo congolese drc|croatia croatian
cuba cuban|cyprus|czechia czech|denmark danish|ecuador ecuadorian|egypt egyptian|england english
estonia estonian|ethiopia ethiopian|finland finnish|france french|gaza gazan|germany german|ghana
greece greek|greenland|haiti haitian|hungary hungarian|iceland icelandic|india indian|indonesia indonesian
iran iranian persian|iraq iraqi|ireland irish|israel israeli|italy italian|japan japanese|kazakhstan
kenya kenyan|kosovo|kuwait|latvia latvian|lebanon lebanese|libya libyan|lithuania lithuanian
luxembourg|malaysia|malta|mexico mexican|moldova moldovan|mongolia|montenegro|morocco moroccan|myanmar burma
nepal|netherlands dutch|new_zealand|niger|nigeria nigerian|north_korea north_korean|norway norwegian|oman
pakistan pakistani|palestine palestinian|panama|paraguay|peru peruvian|philippines philippine filipino
poland polish|portugal portuguese|qatar qatari|romania romanian|russia russian|saudi_arabia saudi
scotland scottish|senegal|serbia serbian|slovakia|slovenia|somalia|somaliland|south_africa south_african
south_korea south_korean|spain spanish|sudan sudanese|sweden swedish|switzerland swiss|syria syrian
taiwan taiwanese|thailand thai|tunisia|turkey turkish turkiye|uae emirates|uganda|uk britain british united_kingdom
ukraine ukrainian|uruguay|us usa america american united_states|uzbekistan|venezuela venezuelan|vietnam vietnamese
wales welsh|yemen yemeni|zimbabwe|crimea|hormuz|kharg|west_bank|hong_kong
alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana
iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana
nebraska|nevada|new_hampshire|new_jersey|new_mexico|new_york nyc new_york_city|north_carolina|north_dakota
ohio|oklahoma|oregon|pennsylvania|puerto_rico|rhode_island|south_carolina|south_dakota|tennessee|texas texan
utah|vermont|virginia|west_virginia|wisconsin|wyoming
amsterdam|athens|atlanta|austin|bangkok|barcelona|beijing|berlin|boston|brussels|budapest|buenos_aires|cairo
chicago|dallas|delhi|denver|detroit|dubai|dublin|houston|istanbul|jakarta|jerusalem|kyiv kiev|lagos
las_vegas|lisbon|liverpool|london|los_angeles|madrid|manchester|melbourne|miami|milan|montreal|moscow|mumbai
munich|nashville|paris|philadelphia|phoenix|prague|rio|rome|san_antonio|san_diego|san_francisco|sao_paulo|seattle
seoul|shanghai|shenzhen|singapore|stockholm|sydney|tehran|tel_aviv|tokyo|toronto|vancouver|vienna|warsaw`

const NAMES = new Map<string, string>()
const TERMS = new Map<string, ReadonlySet<string>>()
for (const place of TABLE.split(/[|\s]*\n|\|/)) {
  const names = place
    .trim()
    .split(' ')
    .map((name) => name.replaceAll('_', ' '))
  const [canonical = ''] = names
  if (canonical === '') continue
  for (const name of names) NAMES.set(name, canonical)
  // A name of two words has no term of its own.
  const single = names.filter((name) => !name.includes(' '))
  TERMS.set(canonical, new Set(single.flatMap((name) => termsOf(name).map(({ term }) => term))))
}

/** Terms that name a place or its people. */
export const termsOfPlace = (place: string): ReadonlySet<string> => TERMS.get(place) ?? new Set()

/** Longest names first, so that "west virginia" is not read as Virginia. */
const PATTERN = new RegExp(
  `\\b(${[...NAMES.keys()].sort((a, b) => b.length - a.length).join('|')})(?:s|'s)?\\b`,
  'g',
)

/** A place that a text names. */
export interface NamedPlace {
  readonly place: string
  /** As written. */
  readonly words: string
}

/** Places of a folded text, in order. */
export const placesIn = (text: string): NamedPlace[] =>
  [...text.matchAll(PATTERN)].map(([words, alias = '']) => ({
    place: NAMES.get(alias) ?? alias,
    words,
  }))
