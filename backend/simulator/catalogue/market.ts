import type { Venue } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import type { Key } from '../randomness.ts'
import type { Flow } from './character.ts'
import type { EventState } from './event-state.ts'
import type { Choice, DateTexts, Subject, Template } from './template.ts'

/** Probability of YES at an instant; exactly 0, 1 or the payout once the outcome is certain. */
export type ChancePath = (at: number) => number

/** One event as one venue lists it. */
export interface SimEvent {
  readonly key: Key
  /** Key of the event on both venues. */
  readonly sharedKey: Key
  readonly venue: Venue
  readonly template: Template
  readonly subject: Subject
  readonly when: DateTexts
  /** venue_a: event ticker. venue_b: decimal id. */
  readonly id: string
  readonly seriesTicker: string
  readonly seriesTitle: string
  readonly slug: string
  readonly title: string
  readonly exclusive: boolean
  /** venue_b: more outcomes may be added; placeholders are listed for them. */
  readonly augmented: boolean
  readonly createdAt: Millis
  readonly endsAt: Millis
  /** The same event is listed on the other venue too. */
  readonly paired: boolean
  /** The venue settles by a rule that only it has. */
  readonly hasOwnTerms: boolean
  /** Both venues list the event under the same rules. */
  readonly twinned: boolean
  /** Who trades it, on both venues. */
  readonly flow: Flow
  /** Much traded although the opinion hardly moves. */
  readonly calm: boolean
  /** Milliseconds by which it follows the news of its theme; null when none moves it. */
  readonly themeDelay: number | null
  /** The state that both venues price, and how this one prices it, by the index of a market. */
  readonly state: EventState
  readonly view: EventState
  /** Listed markets; it changes when the venue withdraws or adds one. */
  readonly markets: SimMarket[]
}

export type Result = 'yes' | 'no' | 'scalar' | 'void'
/** Price steps by the names of venue_a; venue_b has only `linear_cent` and `deci_cent`. */
export type TickGrid = 'linear_cent' | 'deci_cent' | 'tapered_deci_cent'

/** Shape of an order book: most are `normal`; the others are cases that a reader has to handle. */
export type BookKind = 'normal' | 'wide' | 'one_sided' | 'empty' | 'ghost'

/** One market as one venue lists it, with all of its future. */
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
  /** The end announced at the listing. */
  readonly endAt: Millis
  /** Trading stops. */
  readonly closeAt: Millis
  /** venue_a: determined. venue_b: `closed`. */
  readonly determinedAt: Millis
  /** venue_a: finalized. venue_b: resolved. */
  readonly settledAt: Millis
  readonly disputed: boolean
  readonly result: Result
  /** Payout of YES, 0 to 1. */
  readonly payout: number
  readonly chance: ChancePath
  readonly tradesPerDay: number
  readonly grid: TickGrid
  readonly book: BookKind
  /** Minimum time between two changes of the book, ms. */
  readonly step: number
  /** A placeholder that cannot be traded. */
  readonly placeholder: boolean
}

/** Moves the times of a market that the venue closes early or reopens. */
export function reschedule(
  market: SimMarket,
  times: Partial<Pick<SimMarket, 'endAt' | 'closeAt' | 'determinedAt' | 'settledAt'>>,
): void {
  Object.assign(market, times)
}

/** Keeps the book of a market as it is for hours: it then changes once a day. */
export function holdBook(market: SimMarket): void {
  Object.assign(market, { step: DAY })
}

/** Whether trading is suspended; a few markets are for some hours. */
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
