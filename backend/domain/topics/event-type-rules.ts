import type { TopicRule } from './topic-matcher.ts'

/** The kind of event that decides a market, in the order in which the rules are tried. */
export const EVENT_TYPES = [
  'weather',
  'sports',
  'financial',
  'data_release',
  'scientific',
  'political',
  'cultural',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** How well the deciding state can be observed before resolution. */
export const OBSERVABILITIES = ['none', 'low', 'medium', 'high', 'direct'] as const
export type Observability = (typeof OBSERVABILITIES)[number]

/** Manual classification of a series; it overrides every rule. By series id in upper case. */
export interface SeriesOverride {
  readonly eventType?: EventType
  readonly observability?: Observability
}
export const SERIES_OVERRIDES: ReadonlyMap<string, SeriesOverride> = new Map<
  string,
  SeriesOverride
>([
  ['KXFEDCHAIRNOM', { eventType: 'political', observability: 'low' }],
  ['KXFEDEND', { eventType: 'political', observability: 'low' }],
  ['KXELONMARS', { eventType: 'scientific', observability: 'none' }],
  ['KXALIENS', { eventType: 'scientific', observability: 'none' }],
])

/** Prefixes of series ids and the type they imply; the longest that matches counts. */
export const SERIES_PREFIXES: ReadonlyMap<string, EventType> = new Map<string, EventType>(
  Object.entries({
    KXHIGH: 'weather',
    KXLOWT: 'weather',
    KXRAIN: 'weather',
    KXSNOW: 'weather',
    KXHURR: 'weather',
    KXTORNADO: 'weather',
    KXNBA: 'sports',
    KXNFL: 'sports',
    KXMLB: 'sports',
    KXNHL: 'sports',
    KXNCAA: 'sports',
    KXUFC: 'sports',
    KXEPL: 'sports',
    KXBTC: 'financial',
    KXETH: 'financial',
    KXINX: 'financial',
    KXNASDAQ100: 'financial',
    KXEURUSD: 'financial',
    KXUSDJPY: 'financial',
    KXWTI: 'financial',
    KXCPI: 'data_release',
    KXPCE: 'data_release',
    KXPAYROLLS: 'data_release',
    KXGDP: 'data_release',
    KXU3: 'data_release',
    KXJOBLESS: 'data_release',
    KXFEDDECISION: 'data_release',
    KXRATECUT: 'data_release',
  }),
)

/** Categories and tags that imply the type by themselves. */
export const DECISIVE_CATEGORIES: ReadonlyMap<string, EventType> = new Map<string, EventType>(
  Object.entries({
    weather: 'weather',
    sports: 'sports',
    esports: 'sports',
    crypto: 'financial',
    finance: 'financial',
    stocks: 'financial',
    commodities: 'financial',
    'crypto-prices': 'financial',
    'economic-data': 'data_release',
    inflation: 'data_release',
    'fed-rates': 'data_release',
  }),
)

/** Mixed categories: a scheduled figure in them is still classified as one. */
export const BROAD_CATEGORIES: ReadonlyMap<string, EventType> = new Map<string, EventType>(
  Object.entries({
    politics: 'political',
    geopolitics: 'political',
    culture: 'cultural',
    mentions: 'cultural',
  }),
)

/** Categories that apply only when the words of the titles imply nothing. */
export const FALLBACK_CATEGORIES: ReadonlyMap<string, EventType> = new Map<string, EventType>(
  Object.entries({
    economics: 'data_release',
    economy: 'data_release',
    technology: 'scientific',
    science: 'scientific',
    health: 'scientific',
    world: 'political',
  }),
)

/** Keywords in one text, separated by bars. */
const listOf = (keywords: string): readonly string[] => keywords.split('|')
const pairs = (word: string, partners: readonly string[]) =>
  partners.map((partner) => ({ keyword: word, with: partner }))
/** Words beside a central bank's name that refer to its rate and not to its people. */
const RATE_WORDS = ['rate', 'rates', 'cut', 'cuts', 'hike', 'hikes', 'bps', 'decision']

/** Words of titles by type, in the order in which the rules are tried. */
export const EVENT_TYPE_RULES: Readonly<Record<Exclude<EventType, 'cultural'>, TopicRule>> = {
  weather: {
    keywords: listOf(
      'temperature|rain|rainfall|snow|snowfall|hurricane|climate|tropical storm|tornado|' +
        'heat wave|precipitation|earthquake',
    ),
  },
  sports: {
    keywords: listOf(
      'vs|nba|wnba|nfl|nhl|mlb|mls|ncaa|ufc|epl|uefa|fifa|premier league|' +
        'champions league|europa league|la liga|serie a|bundesliga|ligue 1|world cup|' +
        'super bowl|stanley cup|world series|grand prix|formula 1|nascar|wimbledon|us open|' +
        'french open|atp|wta|olympic|match|season|championship|playoff|esports|valorant|' +
        'dota',
    ),
  },
  financial: {
    keywords: listOf(
      'bitcoin|btc|ethereum|eth|solana|xrp|dogecoin|crypto|stock|s p 500|sp500|spx|' +
        'nasdaq|dow jones|russell 2000|nikkei|dax|ftse|eur usd|usd jpy|gbp usd|' +
        'exchange rate|dollar index|vix|treasury yield|wti|brent|crude|natural gas|' +
        'gas price|gold|silver|copper|close above|close below|price of|ipo|market cap',
    ),
    stops: ['gold medal', 'silver medal', 'stock up on', 'golden globe'],
  },
  data_release: {
    keywords: listOf(
      'cpi|pce|payroll|nonfarm|unemployment|gdp|jobless|pmi|inflation|retail sales|' +
        'rate cut|rate hike|interest rate|fed funds|rate decision|earnings per share|eps|' +
        'quarterly revenue|quarterly earnings|beat earnings',
    ),
    paired: [
      'fed',
      'fomc',
      'ecb',
      'boj',
      'federal reserve',
      'bank of england',
      'bank of japan',
    ].flatMap((bank) => pairs(bank, RATE_WORDS)),
  },
  scientific: {
    keywords: listOf(
      'vaccine|fda|launch|spacecraft|starship|nasa|spacex|discovery|benchmark|' +
        'clinical trial|scientific paper|peer reviewed|asteroid|alien',
    ),
  },
  political: {
    keywords: listOf(
      'election|nominee|nominate|nominated|nomination|president|presidential|presidency|' +
        'congress|senate|senator|governor|mayor|parliament|house race|war|ceasefire|' +
        'sanction|court|scotus|tariff|treaty|minister|nato|impeach|impeached|pardon|' +
        'cabinet|invade|invasion|referendum|shutdown',
    ),
  },
}

/** Words that indicate how well the deciding state can be observed. */
export const OBSERVABILITY_RULES: Readonly<Record<'filed' | 'counted' | 'existence', TopicRule>> = {
  filed: { keywords: ['ipo', 'filing', 'market cap one day after launch', 'fdv'] },
  counted: {
    keywords: listOf(
      'election|vote|primary|referendum|runoff|midterm|senate race|house race|' +
        'governor winner|senate winner|approval rating|poll|box office|filing|whip',
    ),
  },
  existence: {
    keywords: ['exist', 'existence', 'alien', 'extraterrestrial', 'afterlife', 'second coming'],
  },
}
