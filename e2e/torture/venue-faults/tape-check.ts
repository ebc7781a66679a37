import type { Venue } from '../../../backend/domain/market.ts'
import type { Millis } from '../../../backend/domain/units.ts'
import type { TradeRow } from '../../../backend/history/market-rows.ts'
import type { Print } from '../../../backend/simulator/prints.ts'
import type { DemoService } from '../../../backend/testing/demo-service.ts'

/** Differences between history and the venue's tape; all 0 when it is correct. */
export interface TapeCheck {
  readonly printed: number
  /** On the tape, not in history. */
  readonly missing: number
  /** In history more often than on the tape. */
  readonly extra: number
}

export interface TapeOptions {
  /** As known then; defaults to the present. */
  readonly asOf?: number
  /** The venue's clock was ahead, so its trades are stored at the time of their receipt. */
  readonly isAhead?: boolean
}

/** venue_b's index has whole seconds and no ids, so its trades are identified by their figures. */
const keyOf = (venue: Venue, id: string, ts: number | null, price: number, size: number): string =>
  venue === 'venue_a'
    ? [id, ts, price, size].join('|')
    : [ts === null ? null : Math.floor(ts / 1_000), price, size].join('|')

/** Compares history with the venue's own tape in (from, to], trade by trade. */
export async function checkTape(
  demo: DemoService,
  venue: Venue,
  from: number,
  to: number,
  { asOf = demo.clock.now(), isAhead = false }: TapeOptions = {},
): Promise<TapeCheck> {
  const timeOf = (ts: number): number | null => (isAhead ? null : ts)
  const printKey = ({ id, at, price, size }: Print): string =>
    keyOf(venue, id, timeOf(at), price, size)
  const storedKey = ({ tradeId, ts, price, size }: TradeRow): string =>
    keyOf(venue, tradeId, timeOf(ts), price, size)
  const { history } = demo.service.data
  const ofTicker = Map.groupBy(demo.simulator.prints(venue, from, to), ({ ticker }) => ticker)
  let [printed, missing, extra] = [0, 0, 0]
  for (const [ticker, prints] of ofTicker) {
    printed += prints.length
    const market = history.marketIdOf(ticker)?.market
    // Whole seconds are up to one second before the true time.
    const span = { from: (from - 1_000) as Millis, to: to as Millis, asOf: asOf as Millis }
    const stored = market === undefined ? [] : await history.trades({ market, ...span })
    const left = countsOf(stored.map(storedKey))
    for (const key of prints.map(printKey)) {
      const count = left.get(key) ?? 0
      if (count === 0) missing += 1
      else left.set(key, count - 1)
    }
    const known = new Set(prints.map(printKey))
    for (const [key, count] of left) if (known.has(key)) extra += count
  }
  return { printed, missing, extra }
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
