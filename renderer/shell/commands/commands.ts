import { CHANGE_TYPES } from '../../../backend/domain/changes/change-type.ts'
import { MARKET_STATUSES } from '../../../backend/domain/market.ts'
import { TIMEFRAMES } from '../../../backend/domain/prices/candle.ts'
import {
  LIST_TOPICS,
  TOPIC_GROUPS,
  TOPICS as WORLD_TOPICS,
} from '../../../backend/domain/topics/topic-rules.ts'
import { CHART_TYPES, SCALES } from '../../charts/chart-types.ts'
import { NO_STUDIES, OVERLAY_WORDS, STUDY_NAMES } from '../../charts/study-types.ts'
import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { BACKTEST_COMMANDS } from './backtest-commands.ts'
import {
  app,
  EXAMPLE_VENUE,
  look,
  market,
  type ArgSpec,
  type CommandSpec,
  type FilterSpec,
  type Verb,
} from './command-spec.ts'
import { CONTEXT_COMMANDS } from './context-commands.ts'
import { DATA_COMMANDS } from './data-commands.ts'
import { PORTFOLIO_COMMANDS } from './portfolio-commands.ts'
import { REFERENCE_COMMANDS, WATCH_COMMANDS } from './reference-commands.ts'
import { SHELL_COMMANDS } from './shell-commands.ts'
import { BOARD_COMMANDS } from './watch/watch-commands.ts'
import { THESIS_COMMANDS } from './theses/thesis-commands.ts'
import { WORLD_COMMANDS } from './world-commands.ts'

export { AREAS, VERBS } from './command-spec.ts'
export { DENSITIES, THEMES } from './shell-commands.ts'
export type { Density, ThemeName } from './shell-commands.ts'
export type { Area, ArgSpec, CommandSpec, FilterSpec, Verb } from './command-spec.ts'

/** Topics and topic groups that the market routes accept, in the order of the world's children. */
export const TOPICS: readonly string[] = [
  ...new Set([...WORLD_TOPICS, ...Object.keys(TOPIC_GROUPS), ...LIST_TOPICS]),
]

const price: FilterSpec = { name: 'price', kind: 'number', max: 100, help: 'price in cents' }
const volume24h: FilterSpec = {
  name: 'vol24h',
  alias: 'v',
  kind: 'number',
  help: '24-hour volume in dollars',
}
const category: FilterSpec = { name: 'category', kind: 'enum', help: 'category of the venue' }
const status: FilterSpec = {
  name: 'status',
  kind: 'enum',
  values: MARKET_STATUSES,
  help: 'market status; default active',
}
const topic: FilterSpec = { name: 'topic', kind: 'enum', values: TOPICS, help: 'topic or group' }

const since: ArgSpec = { name: 'since', kind: 'duration', help: 'how far back: 30m, 24h, 7d' }

/** The only table of commands: parser, help, completion, palette and tests read it. */
export const COMMANDS: readonly CommandSpec[] = [
  market({
    verb: 'DES',
    aliases: ['DETAILS', 'FACTS'],
    title: 'Details',
    route: '/api/public/market/{ticker}',
    help: 'Market details: price, book, rules, related markets, indicators',
    example: 'KXFED-26DEC DES',
  }),
  market({
    verb: 'GP',
    aliases: ['CHART'],
    title: 'Chart',
    route: '/api/public/market/{ticker}/candles',
    args: [
      { name: 'timeframe', kind: 'enum', values: TIMEFRAMES, help: 'timeframe' },
      { name: 'range', kind: 'duration', help: 'initial range: 24h, 7d' },
      { name: 'type', kind: 'enum', values: CHART_TYPES, help: 'chart type' },
      { name: 'scale', kind: 'enum', values: SCALES, help: 'price scale' },
      {
        name: 'overlays',
        kind: 'overlay',
        values: OVERLAY_WORDS,
        repeats: true,
        help: 'compare: +TICKER, the other venue or a gauge',
      },
      {
        name: 'studies',
        kind: 'study',
        values: [...STUDY_NAMES, NO_STUDIES],
        repeats: true,
        help: 'study, with its length as in sma:50',
      },
    ],
    help: 'Price chart of a market with compared markets and studies',
    example: 'KXFED-26DEC GP 1h 7d +pair sma:20 rsi',
  }),
  market({
    verb: 'BOOK',
    aliases: ['DEPTH'],
    title: 'Depth',
    route: '/api/public/market/{ticker}?depth=true',
    args: [{ name: 'group', kind: 'enum', values: ['1', '2', '5'], help: 'price step in cents' }],
    help: 'Order book (depth ladder) of a market',
    example: '. BOOK in float',
  }),
  market({
    verb: 'HIST',
    aliases: ['HISTORY'],
    title: 'History',
    route: '/api/public/market/{ticker}/history',
    help: 'Every price change of the last seven days',
    example: '. HIST',
  }),
  look({
    verb: 'SCAN',
    title: 'Markets',
    route: '/api/public/scan',
    args: [{ name: 'text', kind: 'text', help: 'text of the title, event or ticker' }],
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
    help: 'Find markets by text, price, volume and date; without arguments lists the most traded',
    example: `SCAN oil vol24h>1000 price=20..60 ${EXAMPLE_VENUE}`,
  }),
  look({
    verb: 'MOV',
    aliases: ['MOVERS'],
    title: 'Movers',
    route: '/api/public/markets?sort=change24h',
    filters: [category],
    flags: ['thin'],
    help: 'Largest price changes of the last 24 hours; -thin includes thinly traded markets',
    example: 'MOV iran',
  }),
  look({
    verb: 'NEW',
    title: 'New markets',
    route: '/api/public/newmarkets',
    args: [since],
    filters: [category],
    help: 'Recently listed markets, newest first',
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
    help: 'Recent changes: moves, listings, results, spikes',
    example: 'CHG 6h type=price_move',
  }),
  ...WORLD_COMMANDS,
  ...CONTEXT_COMMANDS,
  ...REFERENCE_COMMANDS,
  ...WATCH_COMMANDS,
  ...THESIS_COMMANDS,
  ...PORTFOLIO_COMMANDS,
  ...BOARD_COMMANDS,
  ...BACKTEST_COMMANDS,
  ...DATA_COMMANDS,
  ...SHELL_COMMANDS,
  ...ACCOUNT_COMMANDS,
  app({
    verb: 'HELP',
    title: 'Help',
    args: [
      { name: 'about', kind: 'verb', help: 'command name' },
      { name: 'tour', kind: 'enum', values: ['tour'], help: 'guided tour of six commands' },
    ],
    help: 'All commands and shortcuts, one command, or a tour of six commands',
    example: 'HELP GP',
  }),
]

const wordsOf = ({ verb, aliases = [] }: CommandSpec): readonly string[] => [verb, ...aliases]

const COMMAND_BY_VERB = new Map<string, CommandSpec>(
  COMMANDS.flatMap((spec) => wordsOf(spec).map((word) => [word, spec] as const)),
)

/** Whether a word begins a verb or an alias of one. */
export const beginsVerb = (spec: CommandSpec, word: string): boolean =>
  wordsOf(spec).some((candidate) => candidate.startsWith(word.toUpperCase()))

/** The row of a verb or its alias, case-insensitive; null when there is none. */
export const commandOf = (word: string): CommandSpec | null =>
  COMMAND_BY_VERB.get(word.toUpperCase()) ?? null

/** The row of a verb that is known to exist. */
export function specOf(verb: Verb): CommandSpec {
  const spec = COMMAND_BY_VERB.get(verb)
  if (spec === undefined) throw new Error(`No row for ${verb}`)
  return spec
}
