import vocabulary from './vocabulary.json' with { type: 'json' }

/**
 * Words of venue titles that decide whether two questions are the same. Folded text, whole words.
 */

/** A kind of statement and the phrases that express it. */
export interface Phrase {
  readonly id: string
  readonly pattern: RegExp
}

const phrases = (table: Readonly<Record<string, string>>): readonly Phrase[] =>
  Object.entries(table).map(([id, alternatives]) => ({
    id,
    pattern: new RegExp(`\\b(?:${alternatives})`),
  }))

/** Ids of the phrases of a table that a folded text contains. */
export const phrasesIn = (text: string, table: readonly Phrase[]): string[] =>
  table.filter(({ pattern }) => pattern.test(text)).map(({ id }) => id)

/**
 * The event in question. Two questions that each name one and share none settle on different
 * events.
 */
export const ACTIONS = phrases(vocabulary.actions)

/**
 * A part or statistic of a contest or release; a mention on one side only already makes another
 * question.
 */
export const QUANTITIES = phrases(vocabulary.quantities)

/**
 * The span over which a change or a count is measured; only two different ones are different
 * questions.
 */
export const SPANS = phrases(vocabulary.spans)

/** Offices and bodies; two different ones are different questions. */
export const OFFICES = phrases(vocabulary.offices)

/** Clauses of rules on how a person leaves an office. */
export const DEPARTURE_CLAUSES = phrases(vocabulary.departureClauses)

/** Where the deciding number or word is published. */
export const SOURCES = phrases(vocabulary.sources)

/** Choices of rules, named by what is chosen and how: `holiday.next`. */
export const SETTINGS = phrases(vocabulary.settings)

/** Capitalised words of titles that are not names. */
export const NO_NAMES: ReadonlySet<string> = new Set(
  (
    'will who what when where which how the a an in on by before after during at of for to and or no yes any is ' +
    'are do does next first new out win wins winner winners champion champions championship league cup world final ' +
    'finals series season award player people person party election elections presidential president nominee ' +
    'nomination primary general senate house governor governorship race speaker prime minister secretary state ' +
    'chair chairman general leader supreme market cap price high low over under above below ' +
    'between rate rates meeting decision release released date jan feb mar apr may jun jul aug sep oct nov dec ' +
    'january february march april june july august september october november december monday tuesday wednesday ' +
    'thursday friday saturday sunday et est utc am pm q1 q2 q3 q4 mens men s year month week day today game match ' +
    'map set group pool round top team teams goal goals goalscorer both score exact spread total points tournament ' +
    'end start us u united states america american fifa icc nba nfl nhl mlb epl uefa efl ufc lol f1 icc pro ' +
    'football basketball hockey baseball soccer women womens winner? ipo fdv ceo inc corp company fc cf afc sc world leaders more another any major when whether ' +
    'many seats net worth officially confirmed announced increase decrease hike cut decision midterms representatives'
  ).split(' '),
)

/** Names with several spellings, by term. */
export const NAME_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabulary.nameAliases),
)

/** Normalised spellings, applied before a title is parsed. */
export const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bopen ai\b/g, 'openai'],
  [/\bu\.?s\.?a?\.(?=\W|$)/g, 'us'],
  [/\bu\.k\.(?=\W|$)/g, 'uk'],
  [/\bir iran\b/g, 'iran'],
  [/\bira(?:nian|nians)\b/g, 'iran'],
  [/\brussians?\b/g, 'russia'],
  [/\bukrainians?\b/g, 'ukraine'],
  [/\bisraelis?\b/g, 'israel'],
  [/\bchinese\b/g, 'china'],
  [/\bcolombians?\b/g, 'colombia'],
  [/\bbrazilians?\b/g, 'brazil'],
  [/\bmexicans?\b/g, 'mexico'],
  [/\bhungarians?\b/g, 'hungary'],
  [/\bcanadians?\b/g, 'canada'],
  [/\bgermans?\b/g, 'germany'],
  [/\bjapanese\b/g, 'japan'],
  [/\bnorth koreans?\b/g, 'north korea'],
  [/\bsouth koreans?\b/g, 'south korea'],
  [/\bstate department\b/g, 'us state department'],
  [/(?<!\bwill|\bthe|\bat|\bvs\.?|\bin)(\s)st\.(?=\s|$)/g, '$1state'],
  [/(\d(?:[\d,.]*\d)?)\s+(million|billion|trillion|thousand)\b/g, '$1$2'],
  [/(\d)million\b/g, '$1m'],
  [/(\d)billion\b/g, '$1b'],
  [/(\d)trillion\b/g, '$1t'],
  [/(\d)thousand\b/g, '$1k'],
  [/(\d)\s*(?:bps?|basis points?)\b/g, '$1 bps'],
  // A season is named by the year in which it ends.
  [/\b(20\d\d)\s*[-–/]\s*(?:20)?(\d\d)\b(?!-)/g, '20$2'],
]
