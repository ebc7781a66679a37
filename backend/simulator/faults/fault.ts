import type { Venue } from '../../domain/market.ts'

/** Strike one request each: what comes back is late, broken, hostile, or nothing. */
export const REQUEST_KINDS = [
  'status',
  'delay',
  'hang',
  'reset',
  'slow-body',
  'truncate',
  'truncated-gzip',
  'html',
  'oversized',
  'malformed-json',
  'wrong-types',
  'duplicate-keys',
  'bom',
  'repeated-cursor',
  'lost-cursor',
  'shifting-pages',
] as const
/** Strike one message of a socket each. */
export const MESSAGE_KINDS = [
  'gap',
  'freeze',
  'drop',
  'duplicate',
  'reorder',
  'lag',
  'malformed-frame',
  'binary-frame',
  'oversized-frame',
  'crossed-book',
  'wrong-hash',
] as const
/** Strike connections, subscriptions or all answers as a whole. */
export const LINE_KINDS = [
  'refuse',
  'reconnect-storm',
  'error-frame',
  'silent-lifecycle',
  'zoned-times',
  'short-pages',
] as const
/** Change what happens at the venue itself. */
export const LIFE_KINDS = [
  'relist',
  'reopen',
  'close-early',
  'delist',
  'correct-trade',
  'late-trade',
  'pause',
  'clock-skew',
] as const

export type RequestKind = (typeof REQUEST_KINDS)[number]
export type MessageKind = (typeof MESSAGE_KINDS)[number]
export type LineKind = (typeof LINE_KINDS)[number]
export type LifeKind = (typeof LIFE_KINDS)[number]
export type FaultKind = RequestKind | MessageKind | LineKind | LifeKind

/** Of these, changes that happen once, as against states that last. */
export const SUDDEN_KINDS = ['relist', 'reopen', 'close-early', 'delist', 'correct-trade'] as const

/** These last for a time, five seconds by default, and affect everything in it. */
export const LASTING_KINDS: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'freeze',
  'lag',
  'refuse',
  'reconnect-storm',
  'silent-lifecycle',
  'zoned-times',
  'short-pages',
  'pause',
  'clock-skew',
])

/** What a field of a row is replaced with. */
export const WRONG_VALUES = [
  'null',
  'object',
  'array',
  'string',
  'huge',
  'nan-text',
  '1e400',
  'missing',
] as const
export type WrongValue = (typeof WRONG_VALUES)[number]

/** One way in which a venue misbehaves. Spans in milliseconds. */
export interface Fault {
  readonly venue: Venue
  readonly kind: FaultKind
  /** Strikes at most so often; null as long as it lasts. */
  readonly count: number | null
  /** Lasts so long; null until its count is used up. */
  readonly forMs: number | null
  /** Strikes only requests whose method and path with query match. */
  readonly route: RegExp | null
  /** Strikes only what concerns these markets: tickers, condition ids, token ids. */
  readonly markets: ReadonlySet<string> | null
  /** Socket: strikes only messages about one of these. */
  readonly about: ReadonlySet<Topic> | null
  /** Trades that a `gap` loses are missing from REST too. */
  readonly alsoRest: boolean
  readonly status: number
  /** Seconds for the Retry-After header; null sends none. */
  readonly retryAfter: number | null
  /** Retry-After is sent as an HTTP date. */
  readonly retryAsDate: boolean
  /**
   * `delay`: before the answer. `slow-body`: between two bytes. `reconnect-storm`: life of a
   * connection. `late-trade`: from its time to its print. `clock-skew`: venue time minus true time.
   */
  readonly milliseconds: number
  /** Size of an `oversized` body or frame. */
  readonly bytes: number
  /** `reorder`: messages that come in reverse. `wrong-types`: rows of a body. `short-pages`: of a page. */
  readonly width: number
  /** `lag`: milliseconds of delay that each millisecond adds. */
  readonly growth: number
  /**
   * `wrong-types`: name of the field and its replacement; by default all are used one after
   * another.
   */
  readonly field: string | null
  readonly becomes: WrongValue | null
  /** `zoned-times`: minutes of the zone in which times are written. */
  readonly offset: number
}

/** What a message of a socket is about. */
export type Topic = 'trade' | 'book' | 'quote' | 'lifecycle'
export const TOPICS: readonly Topic[] = ['trade', 'book', 'quote', 'lifecycle']

/** A fault and when it begins. */
export interface FaultOrder {
  readonly fault: Fault
  /** Milliseconds from the order on. */
  readonly at: number
  /** Begins once the venue was asked so many times more; null: by `at`. */
  readonly afterRequests: number | null
}
