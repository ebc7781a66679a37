/** What a row of the table of commands says of its verb, and the rows' common shapes. */
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
  'SCREEN',
  'TECH',
  'OPIN',
  'FEED',
  'DISC',
  'GUIDE',
  'SKILL',
  'WATCH',
  'UNWATCH',
  'HEALTH',
  'MW',
  'PANEL',
  'BT',
  'REPLAY',
  'SQL',
  'WS',
  'SAVE',
  'UNDO',
  'REDO',
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

export const AREAS = ['Market', 'World', 'Look', 'Ask', 'Watch', 'App'] as const
export type Area = (typeof AREAS)[number]
export type SubjectKind = 'ticker' | 'topic'

export interface ArgSpec {
  readonly name: string
  /**
   * A text is words among filters and options; a question is every word that follows; a line is a
   * command of its own after `=`, kept as it was typed; a statement is the rest of the line as it was
   * typed, `;` included; a run is the id of a backtest; an instant is a day, a time of UTC or how far
   * back.
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
    | 'instant'
    | 'number'
  /** Values an enum accepts. */
  readonly values?: readonly string[]
  readonly help: string
}

export interface FilterSpec {
  readonly name: string
  /** Other spellings. */
  readonly alias?: string
  /** A span is a length of time with its unit; a text stays as it was typed. */
  readonly kind: 'number' | 'enum' | 'date' | 'span' | 'text'
  readonly values?: readonly string[]
  /** Largest value of a number; the smallest is 0. */
  readonly max?: number
  readonly help: string
}

export interface CommandSpec {
  readonly verb: Verb
  /** Other words for the verb. */
  readonly aliases?: readonly string[]
  readonly area: Area
  /** What the pane is called; app commands open none. */
  readonly title: string
  /** What may stand before or after the verb; the focus market `.` counts as a ticker. */
  readonly subjects: readonly SubjectKind[]
  /** The subject is filled by the focus market when absent. */
  readonly needsMarket: boolean
  readonly args: readonly ArgSpec[]
  readonly filters: readonly FilterSpec[]
  readonly flags: readonly string[]
  /** Takes `@venue`. */
  readonly byVenue: boolean
  /** What a filter of any other name is; absent where only those of the row are taken. */
  readonly takesParams?: string
  /** The route it reads or writes, null when it asks the service nothing. */
  readonly route: string | null
  /** What writes shows first what it will do, and needs a second Enter. */
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

/** Rows about the world: a region of it stands as a path, so that any word may name one. */
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
