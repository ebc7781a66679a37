import type { Ticker } from '../../domain/market.ts'
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { chunksOf } from '../paging.ts'

/** Widths of the venue's bars. */
export const CANDLE_WIDTHS: readonly Millis[] = [MINUTE, HOUR, DAY]

const TICKERS_PER_CALL = 100
/** Just under the venue's limits of 10,000 periods per batch and 5,000 per market. */
const PERIODS_PER_CALL = 9_800
const PERIODS_PER_MARKET = 4_900

/** Bars whose end lies between both instants, inclusive. */
export interface CandleRange {
  readonly from: number
  readonly to: number
  readonly width: Millis
}

/**
 * The calls that read the bars of these markets, oldest first within a market. The limits count
 * markets times periods of the requested range, whether or not there are bars.
 */
export function* planCandleCalls(
  tickers: readonly Ticker[],
  { from, to, width }: CandleRange,
): Generator<{ readonly requested: readonly Ticker[]; readonly range: CandleRange }> {
  const periods = Math.min(PERIODS_PER_MARKET, Math.ceil((to - from) / width) + 1)
  const perCall = Math.max(1, Math.min(TICKERS_PER_CALL, Math.floor(PERIODS_PER_CALL / periods)))
  const window = PERIODS_PER_MARKET * width
  for (const tickerChunk of chunksOf(tickers, perCall)) {
    for (let start = from; start < to; start += window) {
      // Bars are selected by their end, both bounds included: windows must not share a second.
      yield {
        requested: tickerChunk,
        range: { from: start, to: Math.min(to, start + window - SECOND), width },
      }
    }
  }
}
