import type { Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type { Key } from '../randomness.ts'
import type { EventState } from './event-state.ts'
import type { Choice, DayWords, Subject, Template } from './template.ts'

/** Chance of YES at an instant; exactly 0, 1 or the payout once the outcome is certain. */
export type ChancePath = (at: number) => number

/** One event as one venue lists it. */
export interface SimEvent {
  readonly key: Key
  /** Key of the event on both venues. */
  readonly sharedKey: Key
  readonly venue: Venue
  readonly template: Template
  readonly subject: Subject
  readonly when: DayWords
  /** venue_a: event ticker. venue_b: decimal id. */
  readonly id: string
  readonly seriesTicker: string
  readonly seriesTitle: string
  readonly slug: string
  readonly title: string
  readonly exclusive: boolean
  /** venue_b: more outcomes may be added, placeholders stand by. */
  readonly augmented: boolean
  readonly createdAt: Millis
  readonly endsAt: Millis
  /** The same event is listed on the other venue too. */
  readonly paired: boolean
  /** The venue settles by a rule that the other one does not have. */
  readonly twisted: boolean
  /** Both venues list the event under the same rules. */
  readonly twinned: boolean
  /** What both venues price, and how this one prices it, by the index of a market. */
  readonly state: EventState
  readonly view: EventState
  /** Those that are listed; a venue that withdraws or adds one changes it. */
  readonly markets: SimMarket[]
}

export type Result = 'yes' | 'no' | 'scalar' | 'void'
/** How prices step: the venue_a names; venue_b has `linear_cent` and `deci_cent` alone. */
export type TickGrid = 'linear_cent' | 'deci_cent' | 'tapered_deci_cent'

/** What an order book looks like: most are `normal`; the others show what a reader must survive. */
export type BookKind = 'normal' | 'wide' | 'one_sided' | 'empty' | 'ghost'

/** One market as one venue lists it, with all that ever happens to it. */
export interface SimMarket {
  readonly key: Key
  readonly venue: Venue
  readonly event: SimEvent
  readonly index: number
  /** venue_a: ticker. venue_b: condition id. */
  readonly id: string
  /** venue_b: decimal id, slug and the two token ids. */
  readonly number: string
  readonly slug: string
  readonly tokens: readonly [string, string]
  readonly outcomes: readonly [string, string]
  readonly choice: Choice
  readonly question: string
  readonly rules: string
  readonly rulesMore: string
  readonly createdAt: Millis
  readonly openAt: Millis
  /** The end that was announced at the listing. */
  readonly endAt: Millis
  /** Trading stops. */
  readonly closeAt: Millis
  /** venue_a: determined. venue_b: `closed`. */
  readonly determinedAt: Millis
  /** venue_a: finalized. venue_b: resolved. */
  readonly settledAt: Millis
  readonly disputed: boolean
  readonly result: Result
  /** What YES pays, 0 to 1. */
  readonly payout: number
  readonly chance: ChancePath
  readonly tradesPerDay: number
  readonly grid: TickGrid
  readonly book: BookKind
  /** The book changes at most once in so many ms. */
  readonly step: number
  /** A placeholder that nobody can trade. */
  readonly placeholder: boolean
}

/** Moves the times of a market that the venue closes early or reopens. */
export function reschedule(
  market: SimMarket,
  times: Partial<Pick<SimMarket, 'endAt' | 'closeAt' | 'determinedAt' | 'settledAt'>>,
): void {
  Object.assign(market, times)
}

/** Whether trading is suspended, as happens to a few markets for some hours. */
export function isPaused(market: SimMarket, at: number): boolean {
  if (
    market.key % 24 !== 7 ||
    market.venue === 'venue_b' ||
    market.event.template.shape.kind === 'game'
  )
    return false
  const cycle = 36 * 3_600_000
  return (at + (market.key % 997) * 131_000) % cycle < 6 * 3_600_000
}

/** Whether orders can match at an instant. */
export const isTrading = (market: SimMarket, at: number): boolean =>
  at >= market.openAt && at < market.closeAt && !market.placeholder && !isPaused(market, at)
