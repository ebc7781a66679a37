import type { Venue } from '../../domain/market.ts'

/** Affect one request each: its response is late, malformed, hostile, or missing. */
export const REQUEST_KINDS = [
  'status',
  'delay',
  'hang',
  'lost-answer',
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
/** Affect one message of a socket each. */
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
/** Affect connections, subscriptions or all responses. */
export const CONNECTION_KINDS = [
  'refuse',
  'reconnect-storm',
  'error-frame',
  'silent-lifecycle',
  'zoned-times',
  'short-pages',
] as const
/** Change events at the venue itself. */
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
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]
export type LifeKind = (typeof LIFE_KINDS)[number]
export type FaultKind = RequestKind | MessageKind | ConnectionKind | LifeKind

/** The changes among them that happen once; the others are states with a duration. */
export const SUDDEN_KINDS = ['relist', 'reopen', 'close-early', 'delist', 'correct-trade'] as const

/** These have a duration, five seconds by default, and affect everything during it. */
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

/** Replacement of a field of a row. */
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
  /** Maximum number of effects; null while it lasts. */
  readonly count: number | null
  /** Duration, ms; null until its count is used up. */
  readonly forMs: number | null
  /** Affects only requests whose method and path with query match. */
  readonly route: RegExp | null
  /** Affects only these markets: tickers, condition ids, token ids. */
  readonly markets: ReadonlySet<string> | null
  /** Socket: affects only messages about one of these. */
  readonly about: ReadonlySet<Topic> | null
  /** Trades that a `gap` drops are missing from REST too. */
  readonly alsoRest: boolean
  readonly status: number
  /** Seconds for the Retry-After header; null sends none. */
  readonly retryAfter: number | null
  /** Retry-After is sent as an HTTP date. */
  readonly retryAsDate: boolean
  /**
   * `delay`: before the response. `slow-body`: between two bytes. `reconnect-storm`: life of a
   * connection. `late-trade`: from its time to its print. `clock-skew`: venue time minus true time.
   */
  readonly milliseconds: number
  /** Size of an `oversized` body or frame. */
  readonly bytes: number
  /**
   * `reorder`: messages that arrive in reverse. `wrong-types`: rows of a body. `short-pages`: of a
   * page.
   */
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

/** Subject of a socket's message. */
export type Topic = 'trade' | 'book' | 'quote' | 'lifecycle'
export const TOPICS: readonly Topic[] = ['trade', 'book', 'quote', 'lifecycle']

/** A fault and when it starts. */
export interface ScheduledFault {
  readonly fault: Fault
  /** Milliseconds after the request. */
  readonly at: number
  /** Starts after this number of further requests to the venue; null: by `at`. */
  readonly afterRequests: number | null
}
