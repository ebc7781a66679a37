import { VENUE_TABLE } from '../../../backend/domain/venue.ts'

/** A row of the table of commands, and common shapes of rows. */
export const VERBS = [
  'DES',
  'GP',
  'BOOK',
  'HIST',
  'SCAN',
  'MOV',
  'NEW',
  'CHG',
  'WORLD',
  'DELTA',
  'EXPLAIN',
  'TRAIL',
  'DISP',
  'CATL',
  'IDX',
  'REG',
  'GLOSS',
  'XV',
  'CONT',
  'XVP',
  'EDGE',
  'IDEA',
  'HIGH',
  'YC',
  'ODDS',
  'CALIB',
  'LIQ',
  'CAL',
  'BRIEF',
  'ASK',
  'MICRO',
  'TAPE',
  'SCREEN',
  'TECH',
  'OPIN',
  'FEED',
  'DISC',
  'GUIDE',
  'SKILL',
  'WATCH',
  'UNWATCH',
  'ALERT',
  'HOOK',
  'FORUM',
  'HEALTH',
  'THES',
  'TREE',
  'WHATIF',
  'SIG',
  'EVAL',
  'AUG',
  'FORK',
  'HB',
  'PUB',
  'UNPUB',
  'POS',
  'RISK',
  'HALT',
  'TICKS',
  'LEDG',
  'ATTR',
  'INTENT',
  'TRADES',
  'VIEWS',
  'PLAN',
  'SECRET',
  'MW',
  'PANEL',
  'BT',
  'REPLAY',
  'SQL',
  'WS',
  'SAVE',
  'UNDO',
  'REDO',
  'CLOSE',
  'RESET',
  'TH',
  'DENS',
  'PAUSE',
  'TERM',
  'CLR',
  'BIND',
  'ALIAS',
  'KEY',
  'USE',
  'SET',
  'ACCOUNT',
  'HELP',
] as const
export type Verb = (typeof VERBS)[number]

/** A venue as it is typed in the examples of commands. */
export const EXAMPLE_VENUE = `@${VENUE_TABLE[0].name.toLowerCase()}`

export const AREAS = [
  'Market',
  'World',
  'Look',
  'Ask',
  'Watch',
  'Theses',
  'Portfolio',
  'Talk',
  'App',
] as const
export type Area = (typeof AREAS)[number]
export type SubjectKind = 'ticker' | 'topic'

export interface ArgSpec {
  readonly name: string
  /**
   * `text` is words among filters and options; `question` is every word that follows; `line` is a
   * command after `=`, kept as typed; `statement` is the rest of the line as typed, including `;`;
   * `cents` is a price from 0 to 100; a `study` may have a length, as in `sma:20`; an `overlay` is a market or gauge after `+`; `run` is the id of a backtest and `thesis` that of a thesis, or its first 8 digits; `instant` is a day, a time in UTC or a duration before now.
   */
  readonly kind:
    | 'enum'
    | 'duration'
    | 'text'
    | 'question'
    | 'verb'
    | 'path'
    | 'item'
    | 'slug'
    | 'name'
    | 'chord'
    | 'line'
    | 'statement'
    | 'run'
    | 'thesis'
    | 'instant'
    | 'number'
    | 'cents'
    | 'study'
    | 'overlay'
  /** Values an enum accepts; examples of a study or an overlay. */
  readonly values?: readonly string[]
  /** Takes any number of words. */
  readonly repeats?: true
  /** Least value of a number; 1 by default. */
  readonly min?: number
  readonly help: string
}

export interface FilterSpec {
  readonly name: string
  /** Alternative spellings. */
  readonly alias?: string
  /** A span is a duration with its unit; a text stays as typed. */
  readonly kind: 'number' | 'enum' | 'date' | 'span' | 'text'
  readonly values?: readonly string[]
  /** Largest value of a number; the smallest is 0. */
  readonly max?: number
  readonly help: string
}

export interface CommandSpec {
  readonly verb: Verb
  /** Aliases of the verb. */
  readonly aliases?: readonly string[]
  readonly area: Area
  /** Title of the pane; app commands open none. */
  readonly title: string
  /** Subject that may precede or follow the verb; the focus market `.` counts as a ticker. */
  readonly subjects: readonly SubjectKind[]
  /** The focus market is the default subject. */
  readonly needsMarket: boolean
  readonly args: readonly ArgSpec[]
  readonly filters: readonly FilterSpec[]
  readonly flags: readonly string[]
  /** Accepts `@venue`. */
  readonly byVenue: boolean
  /** Type of a filter with any other name; absent when only the row's filters are accepted. */
  readonly takesParams?: string
  /** The route that it reads or writes; null when it sends no request. */
  readonly route: string | null
  /**
   * A writing command first shows what it will do, and needs a second Enter; only HALT acts at
   * once.
   */
  readonly effect: 'read' | 'write' | 'app'
  readonly help: string
  readonly example: string
}

export const market = (
  row: Pick<CommandSpec, 'verb' | 'title' | 'route' | 'help' | 'example'> & Partial<CommandSpec>,
): CommandSpec => ({
  area: 'Market',
  subjects: ['ticker'],
  needsMarket: true,
  args: [],
  filters: [],
  flags: [],
  byVenue: false,
  effect: 'read',
  ...row,
})

export const look = (
  row: Pick<CommandSpec, 'verb' | 'title' | 'route' | 'help' | 'example'> & Partial<CommandSpec>,
): CommandSpec => ({
  area: 'Look',
  subjects: ['topic'],
  needsMarket: false,
  args: [],
  filters: [],
  flags: [],
  byVenue: true,
  effect: 'read',
  ...row,
})

export const app = (
  row: Pick<CommandSpec, 'verb' | 'title' | 'help' | 'example'> & Partial<CommandSpec>,
): CommandSpec => ({
  area: 'App',
  subjects: [],
  needsMarket: false,
  args: [],
  filters: [],
  flags: [],
  byVenue: false,
  route: null,
  effect: 'app',
  ...row,
})

/** Rows about the world: their region is a path, so that any word can be part of one. */
export const world = (
  row: Pick<CommandSpec, 'verb' | 'title' | 'route' | 'help' | 'example'> & Partial<CommandSpec>,
): CommandSpec => ({
  area: 'World',
  subjects: ['topic'],
  needsMarket: false,
  args: [],
  filters: [],
  flags: [],
  byVenue: false,
  effect: 'read',
  ...row,
})
