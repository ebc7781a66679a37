import { WIDTHS } from '../../domain/prices/candle.ts'
import { changeRows } from '../../domain/changes/change-rows.ts'
import type { PriceHistory } from '../../domain/changes/change-rows.ts'
import { imbalanceOf } from '../../domain/liquidity/imbalance.ts'
import { measuredRegime, regimeHistory } from '../../domain/regime/label.ts'
import type { RegimeRow } from '../../domain/regime/label.ts'
import { QUOTE_LIFE, spreadOf } from '../../domain/prices/price.ts'
import { centsOf, contractsOf, DAY, dollarsOf, HOUR } from '../../domain/units.ts'
import type { Cents, Millis, PriceE4 } from '../../domain/units.ts'
import { COVERAGE_FEEDS } from '../../domain/coverage-feed.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { CandleRow, MicrostructureRow } from '../../history/market-rows.ts'
import { isoOf } from '../../lib/clock.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import type {
  CandlesAnswer,
  CandlesQuery,
  HistoryAnswer,
  HistoryQuery,
  MicrostructureAnswer,
  MicrostructureQuery,
} from '../../contract/market-history.ts'
import type { LocateMarket } from './locate-market.ts'
import { findMarket } from './market.service.ts'
import { instantFor } from './markets.deps.ts'
import type { Instant, MarketsDeps } from './markets.deps.ts'

const WINDOW_DAYS = 7
const centsOrNull = (price: PriceE4 | null): Cents | null =>
  price === null ? null : centsOf(price)

function pointOf(row: MicrostructureRow): MicrostructureAnswer['points'][number] {
  const bid = centsOrNull(row.bid)
  const ask = centsOrNull(row.ask)
  const bidDepth = row.bidDepth === null ? null : dollarsOf(row.bidDepth)
  const askDepth = row.askDepth === null ? null : dollarsOf(row.askDepth)
  const buy = contractsOf(row.buyVolume)
  const sell = contractsOf(row.sellVolume)
  return {
    at: isoOf(row.start),
    bid,
    ask,
    mid: bid === null || ask === null ? null : roundOrNull((bid + ask) / 2),
    spreadCents: roundOrNull(spreadOf(bid, ask)),
    bidDepthUsd: roundOrNull(bidDepth),
    askDepthUsd: roundOrNull(askDepth),
    imbalance: imbalanceOf(bidDepth, askDepth),
    trades: row.trades,
    buyVolume: buy,
    sellVolume: sell,
    flowImbalance: imbalanceOf(buy, sell),
  }
}

const barOf = (row: CandleRow, isOpen: boolean): CandlesAnswer['candles'][number] => ({
  t: row.start / 1_000,
  at: isoOf(row.start),
  o: centsOf(row.open),
  h: centsOf(row.high),
  l: centsOf(row.low),
  c: centsOf(row.close),
  v: row.volume === null ? null : contractsOf(row.volume),
  ...(isOpen ? { partial: true as const } : {}),
  ...(row.crossesGap ? { gap: true as const } : {}),
  ...(row.source === 'trades' ? {} : { source: row.source }),
})

const regimeRowOf = (row: RegimeRow): HistoryAnswer['regimeHistory'][number] => ({
  at: isoOf(row.at),
  score: row.score,
  label: row.label,
  spreadCents: roundOrNull(row.spreadCents),
  bidDepthUsd: roundOrNull(row.bidDepthUsd),
  askDepthUsd: roundOrNull(row.askDepthUsd),
  volume24h: roundOrNull(row.volume24h, 6),
})

/** History of a market: candles, price changes and hourly microstructure. */
export function createMarketHistory(deps: MarketsDeps, locate: LocateMarket) {
  const { history } = deps

  const pricesFrom = async (
    market: MarketId,
    from: Millis,
    { at }: Instant,
  ): Promise<PriceHistory> => {
    const quotesFrom = (from - QUOTE_LIFE) as Millis
    const [prices, trades, quotes] = await Promise.all([
      history.numbersAt(from, [market]),
      history.trades({ market, from, to: at, asOf: at }),
      history.quotes({ market, from: quotesFrom, to: at, asOf: at }),
    ])
    const last = prices[0]?.last ?? null
    return {
      trades: [
        ...(last === null ? [] : [{ ts: last.ts, price: centsOf(last.price) }]),
        ...trades
          .filter(({ isBlock }) => !isBlock)
          .map(({ ts, price }) => ({ ts, price: centsOf(price) })),
      ],
      quotes: quotes.map(({ ts, bid, ask }) => ({
        ts,
        bid: centsOrNull(bid),
        ask: centsOrNull(ask),
      })),
    }
  }

  /** Feed gaps of a market up to `at`, and whether they were repaired. */
  const gapsIn = async (market: MarketId, from: Millis, at: Millis) => {
    const feeds = await Promise.all(
      COVERAGE_FEEDS.map(async (feed) => {
        const spans = await history.coverage({ market, feed, from, to: at, asOf: at })
        return spans.flatMap(({ state, reason, ...span }) =>
          state === 'gap' || state === 'repaired'
            ? [{ feed, state, from: isoOf(span.from), to: isoOf(span.to), reason }]
            : [],
        )
      }),
    )
    return feeds.flat()
  }

  return {
    /** @throws Gone, NotFound */
    async candles(text: string, query: CandlesQuery): Promise<CandlesAnswer> {
      const instant = instantFor(deps, query.asOf)
      const { at } = instant
      const { market, venue, ticker } = await locate(text, query.venue, instant)
      const timeframe = query.timeframe ?? query.tf ?? '1m'
      const width = WIDTHS[timeframe]
      const before = query.before ?? ((at + 1) as Millis)
      // One extra bar shows whether older ones exist.
      const rows = await history.candles({
        market,
        width,
        asOf: at,
        before,
        limit: query.limit + 1,
      })
      const servedCandles = rows.slice(-query.limit)
      const oldest = servedCandles[0]
      return {
        ticker,
        venue,
        timeframe,
        priceUnit: 'cents',
        volumeUnit: 'contracts',
        candles: servedCandles.map((row, index) =>
          barOf(row, index === servedCandles.length - 1 && row.start + width > at),
        ),
        count: servedCandles.length,
        nextBefore:
          rows.length > servedCandles.length && oldest !== undefined ? isoOf(oldest.start) : null,
      }
    },

    /** @throws Gone, NotFound */
    async history(text: string, query: HistoryQuery): Promise<HistoryAnswer> {
      const instant = instantFor(deps, query.asOf)
      const { at } = instant
      const { market, facts } = await findMarket(deps, text, instant)
      const from = (at - WINDOW_DAYS * DAY) as Millis
      const [prices, versions, gaps, labels] = await Promise.all([
        pricesFrom(market, from, instant),
        history.versionsOf(market, at),
        gapsIn(market, from, at),
        history.regimesOf({ market, from, to: at }),
      ])
      const closeTimeAt = (then: Millis): Millis | null =>
        versions.findLast(({ knownAt }) => knownAt <= then)?.facts.closeTime ?? null
      const rows = changeRows(prices, { from, to: at, closeTimeAt })
      const indicatorHistory = rows.map((row) => ({ ...row, at: isoOf(row.at) }))
      const regimes = regimeHistory(
        labels.map(({ spread, ...row }) => ({
          ...row,
          ...measuredRegime(row, row.trades),
          spreadCents: spread,
        })),
      ).map(regimeRowOf)
      return {
        ticker: facts.ticker,
        windowDays: WINDOW_DAYS,
        indicatorHistory,
        regimeHistory: regimes,
        indicatorCount: indicatorHistory.length,
        regimeCount: regimes.length,
        ...(gaps.length > 0 ? { gaps } : {}),
      }
    },

    /** @throws Gone, NotFound */
    async microstructure(query: MicrostructureQuery): Promise<MicrostructureAnswer> {
      const instant = instantFor(deps, query.asOf)
      const { market, venue, ticker } = await locate(query.ticker, query.venue, instant)
      const from = (instant.at - query.days * DAY) as Millis
      const rows = await history.microstructure({ market, from, asOf: instant.at })
      const points = rows.slice(-query.limit).map(pointOf)
      return {
        ticker,
        venue,
        days: query.days,
        points,
        count: points.length,
        stepSeconds: (HOUR / 1_000) as 3600,
      }
    },
  }
}
export type MarketHistory = ReturnType<typeof createMarketHistory>
