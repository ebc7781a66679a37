import { quarterHourOf } from '../changes/change-rows.ts'
import { hashText } from '../hash.ts'
import type { MarketFacts, MarketStatus, Ticker } from '../market.ts'
import { DAY, HOUR, roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** Changes of a market that follow from its facts and headline price (methodology F6). */
export type MarketChangeType =
  'price_move' | 'new_market' | 'status_change' | 'resolved' | 'close_time_change'

/** One event; `at` is the quarter hour or the receipt at which it first held. */
export interface ChangeEvent<Type extends string> {
  readonly id: string
  readonly type: Type
  readonly at: Millis
  readonly before: number | string | null
  readonly after: number | string | null
  readonly delta: number | null
}

export type MarketChange = ChangeEvent<MarketChangeType>

/** Minimum reported move, in cents. */
export const MOVE_STEP = 3
const MOVE_MEMORY = DAY
const CLOSE_STEP = HOUR

/** Id of an event: constant within a quarter hour, however often the event is derived. */
export const changeId = (type: string, ticker: Ticker, at: Millis): string =>
  hashText(`${type}|${ticker}|${quarterHourOf(at)}`)

/** The newest price_move of a market: the base of the next one. */
export interface LastMove {
  readonly at: Millis
  readonly after: Cents
}

/**
 * The price_move of a market at a quarter hour, or null. All prices are headline prices in cents.
 */
export function priceMoveAt(
  ticker: Ticker,
  at: Millis,
  prices: {
    readonly now: Cents | null
    readonly dayAgo: Cents | null
    readonly lastMove: LastMove | null
  },
): MarketChange | null {
  const { now, dayAgo, lastMove } = prices
  const isRemembered = lastMove !== null && at - lastMove.at < MOVE_MEMORY
  const previous = isRemembered ? lastMove.after : dayAgo
  if (now === null || previous === null) return null
  const delta = roundTo(now - previous, 4)
  if (Math.abs(delta) < MOVE_STEP) return null
  return {
    id: changeId('price_move', ticker, at),
    type: 'price_move',
    at,
    before: previous,
    after: now,
    delta,
  }
}

/**
 * All price_moves of a market over ascending quarter hours: each differs by three cents or more
 * from the previous move, or from the price a day earlier when that day had none.
 * @param priceAt headline price at an instant, null when unknown; also called for a day earlier
 */
export function priceMoves(
  ticker: Ticker,
  instants: Iterable<Millis>,
  priceAt: (at: Millis) => Cents | null,
  lastMove: LastMove | null = null,
): MarketChange[] {
  const moves: MarketChange[] = []
  let last = lastMove
  for (const at of instants) {
    const now = priceAt(at)
    const move = priceMoveAt(ticker, at, {
      now,
      dayAgo: priceAt((at - DAY) as Millis),
      lastMove: last,
    })
    if (move === null || now === null) continue
    moves.push(move)
    last = { at, after: now }
  }
  return moves
}

/** Facts with the status at the moment of comparison; see `statusAt`. */
export type FactsVersion = Pick<MarketFacts, 'ticker' | 'result' | 'closeTime'> & {
  readonly status: MarketStatus
}

/**
 * Changes in a new version of a market's facts: first seen, status, result and close time, in that
 * order. A market that settles changes status and is resolved. A close time counts as changed from
 * an hour on.
 * @param before the previous version, or null for a market not seen before
 */
export function factsChanges(
  before: FactsVersion | null,
  after: FactsVersion,
  at: Millis,
): MarketChange[] {
  const change = (
    type: MarketChangeType,
    from: string | null,
    to: string | null,
  ): MarketChange => ({
    // A market may change its status twice in a quarter hour, so the id includes the instant.
    id: changeId(`${type}@${at}`, after.ticker, at),
    type,
    at,
    before: from,
    after: to,
    delta: null,
  })
  if (before === null) return [change('new_market', null, after.status)]
  const changes: MarketChange[] = []
  if (before.status !== after.status) {
    changes.push(change('status_change', before.status, after.status))
    if (after.status === 'settled') {
      const result = after.result === 'void' ? null : after.result
      changes.push(change('resolved', before.status, result))
    }
  }
  if (closeTimeMoved(before.closeTime, after.closeTime)) {
    changes.push(change('close_time_change', isoText(before.closeTime), isoText(after.closeTime)))
  }
  return changes
}

function closeTimeMoved(before: Millis | null, after: Millis | null): boolean {
  if (before === null || after === null) return before !== after
  return Math.abs(after - before) >= CLOSE_STEP
}

const isoText = (at: Millis | null): string | null =>
  at === null ? null : new Date(at).toISOString()
