import { HOUR, MINUTE } from '../../domain/units.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { quoteAt } from '../tape/quote.ts'
import { tradesWithin } from '../tape/trade-feed.ts'
import type { Tape } from '../tape/trades.ts'
import { badRequest, seconds } from './answers.ts'
import { count, dollars, openInterestAt } from './wire.ts'

export interface CandleRange {
  /** Ends of periods, ms, both inclusive. */
  readonly from: number
  readonly to: number
  readonly width: number
  readonly withPrevious: boolean
}

/** The range of a candle request; refused when it has more than `cap` periods. */
export function candleRange(query: URLSearchParams, cap: number, markets: number): CandleRange {
  const from = seconds(query, 'start_ts')
  const to = seconds(query, 'end_ts')
  const interval = Number(query.get('period_interval'))
  if (from === null || to === null || ![1, 60, 1_440].includes(interval))
    throw badRequest('start_ts, end_ts and period_interval are required')
  const width = interval * MINUTE
  if (((to - from) / width) * markets > cap) throw badRequest('max candlesticks exceeded')
  return { from, to, width, withPrevious: query.get('include_latest_before_start') === 'true' }
}

/** Candles of one market, oldest first, without periods in which nothing changed. */
export function candles(
  market: SimMarket,
  range: CandleRange,
  now: number,
  tape: Tape,
  bare: boolean,
): unknown[] {
  const { width } = range
  // Days end at midnight US Eastern.
  const shift = width === 24 * HOUR ? 5 * HOUR : 0
  const first = Math.max(range.from, market.openAt)
  const items: unknown[] = []
  if (range.withPrevious) {
    const last = tape.lastBefore(market, range.from)
    if (last !== null)
      items.push({
        end_period_ts: Math.floor(range.from / 1_000),
        price: { previous_dollars: dollars(last.price) },
        volume_fp: '0.00',
        open_interest_fp: '0.00',
      })
  }
  const lastEnd = Math.min(range.to, market.closeAt + width, now + width)
  let lastPrice = tape.lastBefore(market, first)?.price ?? null
  for (let end = Math.ceil((first - shift) / width) * width + shift; end <= lastEnd; end += width) {
    const trades = tradesWithin(market, end - width, Math.min(end, now), tape)
    const quotes = sampleQuotes(market, end - width, Math.min(end, now), width)
    const isQuiet =
      trades.length === 0 &&
      quotes.bids.every((bid) => bid === quotes.bids[0]) &&
      quotes.asks.every((ask) => ask === quotes.asks[0])
    if (width === MINUTE && isQuiet) continue
    const prices = trades.filter((trade) => !trade.isBlock).map((trade) => trade.price)
    const suffix = bare ? '' : '_dollars'
    const volume = trades.reduce((sum, trade) => sum + trade.size, 0)
    items.push({
      end_period_ts: Math.floor(end / 1_000),
      yes_bid: bar(quotes.bids, suffix),
      yes_ask: bar(quotes.asks, suffix),
      price: {
        ...(prices.length === 0
          ? {
              [`open${suffix}`]: null,
              [`low${suffix}`]: null,
              [`high${suffix}`]: null,
              [`close${suffix}`]: null,
              [`mean${suffix}`]: null,
            }
          : {
              ...bar(prices, suffix),
              [`mean${suffix}`]: dollars(prices.reduce((a, b) => a + b, 0) / prices.length),
            }),
        ...(lastPrice === null ? {} : { [`previous${suffix}`]: dollars(lastPrice) }),
      },
      [bare ? 'volume' : 'volume_fp']: count(volume),
      [bare ? 'open_interest' : 'open_interest_fp']: count(
        openInterestAt(market, tape.volumeAt(market, Math.min(end, now))),
      ),
    })
    lastPrice = prices.at(-1) ?? lastPrice
  }
  return items
}

function sampleQuotes(market: SimMarket, from: number, to: number, width: number) {
  const samples = width === MINUTE ? 3 : 8
  const quotes = Array.from({ length: samples }, (_, i) =>
    quoteAt(market, from + ((to - from) * i) / (samples - 1)),
  )
  return { bids: quotes.map((quote) => quote.bid), asks: quotes.map((quote) => quote.ask) }
}

function bar(prices: readonly number[], suffix: string): Record<string, string> {
  return {
    [`open${suffix}`]: dollars(prices[0] ?? 0),
    [`low${suffix}`]: dollars(Math.min(...prices)),
    [`high${suffix}`]: dollars(Math.max(...prices)),
    [`close${suffix}`]: dollars(prices.at(-1) ?? 0),
  }
}
