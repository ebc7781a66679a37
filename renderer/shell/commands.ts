import type { TIMEFRAMES as SERVED } from '../../backend/domain/candle.ts'
import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { BACKTEST_COMMANDS } from './backtest-commands.ts'
import {
  app,
  look,
  market,
  type ArgSpec,
  type CommandSpec,
  type FilterSpec,
  type Verb,
} from './command-spec.ts'
import { CONTEXT_COMMANDS } from './context-commands.ts'
import { DATA_COMMANDS } from './data-commands.ts'
import { REFERENCE_COMMANDS, WATCH_COMMANDS } from './reference-commands.ts'
import { SHELL_COMMANDS } from './shell-commands.ts'
import { BOARD_COMMANDS } from './watch-commands.ts'
import { WORLD_COMMANDS } from './world-commands.ts'

export { AREAS, VERBS } from './command-spec.ts'
export { DENSITIES, THEMES } from './shell-commands.ts'
export type { Density, ThemeName } from './shell-commands.ts'
export type { Area, ArgSpec, CommandSpec, FilterSpec, Verb } from './command-spec.ts'

/**
 * The one table that parser, help, completion, palette and tests read. A verb that is not here does
 * not exist.
 */
export const TIMEFRAMES: typeof SERVED = ['1m', '5m', '15m', '1h', '1d']

/** Topics and topic groups that the market routes take, in the order of the world's children. */
export const TOPICS = [
  'iran',
  'oil',
  'fed-rate',
  'recession',
  'election-2026',
  'bitcoin',
  'ukraine',
  'china',
  'trump',
  'ai-tech',
  'geopolitics',
  'economy',
  'energy',
  'crypto',
  'tech',
  'politics',
  'rates',
  'fx',
  'equities',
  'volatility',
] as const

export const CHANGE_TYPES = [
  'price_move',
  'new_market',
  'status_change',
  'resolved',
  'volume_spike',
  'regime_change',
  'spread_change',
  'close_time_change',
] as const

const price: FilterSpec = { name: 'price', kind: 'number', max: 100, help: 'price in cents' }
const volume24h: FilterSpec = {
  name: 'vol24h',
  alias: 'v',
  kind: 'number',
  help: 'volume of the last 24 hours',
}
const category: FilterSpec = { name: 'category', kind: 'enum', help: 'category of the venue' }
const status: FilterSpec = {
  name: 'status',
  kind: 'enum',
  values: ['active', 'upcoming', 'paused', 'closed', 'resolving', 'settled'],
  help: 'state of the market; active unless named',
}
const topic: FilterSpec = { name: 'topic', kind: 'enum', values: TOPICS, help: 'topic or group' }

const since: ArgSpec = { name: 'since', kind: 'duration', help: 'how far back: 30m, 24h, 7d' }

export const COMMANDS: readonly CommandSpec[] = [
  market({
    verb: 'DES',
    aliases: ['FACTS'],
    title: 'Facts',
    route: '/api/public/market/{ticker}',
    help: 'What a market is: price, book, rules, siblings, indicators',
    example: 'KXFED-26DEC DES',
  }),
  market({
    verb: 'GP',
    aliases: ['CHART'],
    title: 'Chart',
    route: '/api/public/market/{ticker}/candles',
    args: [
      { name: 'timeframe', kind: 'enum', values: TIMEFRAMES, help: 'width of a candle' },
      { name: 'range', kind: 'duration', help: 'span first shown: 24h, 7d' },
    ],
    help: 'Candles of a market',
    example: 'KXFED-26DEC GP 15m 7d',
  }),
  market({
    verb: 'BOOK',
    aliases: ['DEPTH'],
    title: 'Depth',
    route: '/api/public/market/{ticker}?depth=true',
    args: [{ name: 'group', kind: 'enum', values: ['1', '2', '5'], help: 'cents a row' }],
    help: 'Depth ladder of a market',
    example: '. BOOK in float',
  }),
  market({
    verb: 'HIST',
    aliases: ['HISTORY'],
    title: 'History',
    route: '/api/public/market/{ticker}/history',
    help: 'Each price change of the last seven days',
    example: '. HIST',
  }),
  look({
    verb: 'SCAN',
    title: 'Markets',
    route: '/api/public/scan',
    args: [{ name: 'text', kind: 'text', help: 'words of the title, event or ticker' }],
    filters: [
      price,
      volume24h,
      { name: 'vol', kind: 'number', help: 'volume since listing' },
      { name: 'expires', kind: 'date', help: 'close date' },
      { name: 'days', kind: 'number', help: 'days to close' },
      category,
      topic,
      status,
    ],
    flags: ['subcent'],
    help: 'Find markets by words, price, volume and date; alone it lists the most traded',
    example: 'SCAN oil vol24h>1000 price=20..60 @venue_a',
  }),
  look({
    verb: 'MOV',
    aliases: ['MOVERS'],
    title: 'Movers',
    route: '/api/public/markets?sort=change24h',
    filters: [category],
    help: 'Largest price changes of the last 24 hours',
    example: 'MOV iran',
  }),
  look({
    verb: 'NEW',
    title: 'New markets',
    route: '/api/public/newmarkets',
    args: [since],
    filters: [category],
    help: 'Markets first seen lately, newest first',
    example: 'NEW 24h',
  }),
  look({
    verb: 'CHG',
    aliases: ['CHANGES'],
    title: 'Changes',
    route: '/api/changes',
    subjects: ['topic', 'ticker'],
    args: [since],
    filters: [{ name: 'type', kind: 'enum', values: CHANGE_TYPES, help: 'kind of change' }],
    help: 'What changed: moves, listings, results, spikes',
    example: 'CHG 6h type=price_move',
  }),
  ...WORLD_COMMANDS,
  ...CONTEXT_COMMANDS,
  ...REFERENCE_COMMANDS,
  ...WATCH_COMMANDS,
  ...BOARD_COMMANDS,
  ...BACKTEST_COMMANDS,
  ...DATA_COMMANDS,
  ...SHELL_COMMANDS,
  ...ACCOUNT_COMMANDS,
  app({
    verb: 'HELP',
    title: 'Help',
    args: [
      { name: 'about', kind: 'verb', help: 'a verb' },
      { name: 'tour', kind: 'enum', values: ['tour'], help: 'six commands, one after another' },
    ],
    help: 'All commands and keys, one verb, or a tour of six commands',
    example: 'HELP GP',
  }),
]

const wordsOf = ({ verb, aliases = [] }: CommandSpec): readonly string[] => [verb, ...aliases]

const BY_WORD = new Map<string, CommandSpec>(
  COMMANDS.flatMap((spec) => wordsOf(spec).map((word) => [word, spec] as const)),
)

/** Does a word begin a verb, or another word for it? */
export const beginsVerb = (spec: CommandSpec, word: string): boolean =>
  wordsOf(spec).some((known) => known.startsWith(word.toUpperCase()))

/** The row of a verb or another word for it, whatever the case; null when there is no such verb. */
export const commandOf = (word: string): CommandSpec | null =>
  BY_WORD.get(word.toUpperCase()) ?? null

/** The row of a verb that is known to exist. */
export function specOf(verb: Verb): CommandSpec {
  const spec = BY_WORD.get(verb)
  if (spec === undefined) throw new Error(`No row for ${verb}`)
  return spec
}
