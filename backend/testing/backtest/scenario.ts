import { Backtest } from '../../domain/backtest/engine.ts'
import type { EventWindow, FactsVersion } from '../../domain/backtest/event-columns.ts'
import type { FillModel } from '../../domain/backtest/broker/fill-model.ts'
import type { KnownOrder } from '../../domain/backtest/broker/known-order.ts'
import type { OrderRequest } from '../../domain/backtest/broker/orders.ts'
import type { RunResult } from '../../domain/backtest/report/run-result.ts'
import type { Strategy } from '../../domain/backtest/strategy.ts'
import type { Ticker, Venue } from '../../domain/market.ts'
import { generalTerms, type FeeTerms } from '../../domain/fees.ts'
import type { Millis, MoneyE6 } from '../../domain/units.ts'

/** Events of a run as rows. */
export interface PlainTrade {
  readonly known: number
  readonly ts: number
  readonly market: number
  readonly price: number
  readonly size: number
  readonly taker: 0 | 1 | 2
}
export interface PlainQuote {
  readonly known: number
  readonly ts: number
  readonly market: number
  readonly bid: number
  readonly ask: number
  readonly bidSize: number
  readonly askSize: number
}
export interface PlainBook {
  readonly known: number
  readonly ts: number
  readonly market: number
  readonly bids: readonly (readonly [price: number, size: number])[]
  readonly asks: readonly (readonly [price: number, size: number])[]
}
export interface PlainBar {
  readonly known: number
  readonly ts: number
  readonly market: number
  readonly close: number
  readonly bid: number
  readonly ask: number
  readonly volume: number
}

/** Actions at the n-th event, from 0. */
export type Action =
  | { readonly received: number; readonly order: OrderRequest }
  | { readonly received: number; readonly cancel: number }

/** A complete run: its events and its decisions. */
export interface Scenario {
  readonly from: number
  readonly to: number
  readonly markets: readonly { readonly venue: Venue; readonly ticker: Ticker }[]
  readonly versions: readonly FactsVersion[]
  readonly trades: readonly PlainTrade[]
  readonly quotes: readonly PlainQuote[]
  readonly books: readonly PlainBook[]
  readonly bars: readonly PlainBar[]
  readonly actions: readonly Action[]
  readonly model: FillModel
  readonly startCash: number
}

const FIVE = [0, 1, 2, 3, 4]

const inOrder = <Row extends { known: number; ts: number; market: number }>(
  rows: readonly Row[],
): Row[] => rows.toSorted((a, b) => a.known - b.known || a.ts - b.ts || a.market - b.market)

const stamps = (rows: readonly { known: number; ts: number; market: number }[]) => ({
  known: Float64Array.from(rows, ({ known }) => known),
  ts: Float64Array.from(rows, ({ ts }) => ts),
  market: Int32Array.from(rows, ({ market }) => market),
})

/** The rows of a scenario known in (after, until] as columns. */
export function windowOf(scenario: Scenario, after: number, until: number): EventWindow {
  const within = <Row extends { known: number; ts: number; market: number }>(
    rows: readonly Row[],
  ): Row[] => inOrder(rows.filter(({ known }) => known > after && known <= until))
  const [trades, quotes] = [within(scenario.trades), within(scenario.quotes)]
  const [books, bars] = [within(scenario.books), within(scenario.bars)]
  const level = (side: 'bids' | 'asks', part: 0 | 1, absent: number): number[] =>
    books.flatMap((book) => FIVE.map((k) => book[side][k]?.[part] ?? absent))
  return {
    until: until as Millis,
    trades: {
      ...stamps(trades),
      price: Int32Array.from(trades, ({ price }) => price),
      size: Float64Array.from(trades, ({ size }) => size),
      taker: Uint8Array.from(trades, ({ taker }) => taker),
    },
    quotes: {
      ...stamps(quotes),
      bid: Int32Array.from(quotes, ({ bid }) => bid),
      ask: Int32Array.from(quotes, ({ ask }) => ask),
      bidSize: Float64Array.from(quotes, ({ bidSize }) => bidSize),
      askSize: Float64Array.from(quotes, ({ askSize }) => askSize),
    },
    books:
      books.length === 0
        ? null
        : {
            ...stamps(books),
            bidPrice: Int32Array.from(level('bids', 0, -1)),
            bidSize: Float64Array.from(level('bids', 1, NaN)),
            askPrice: Int32Array.from(level('asks', 0, -1)),
            askSize: Float64Array.from(level('asks', 1, NaN)),
          },
    bars:
      bars.length === 0
        ? null
        : {
            ...stamps(bars),
            close: Int32Array.from(bars, ({ close }) => close),
            volume: Float64Array.from(bars, ({ volume }) => volume),
            bid: Int32Array.from(bars, ({ bid }) => bid),
            ask: Int32Array.from(bars, ({ ask }) => ask),
            width: new Float64Array(bars.length).fill(3_600_000),
          },
  }
}

/** Executes a scenario's actions at the n-th event. */
export function scripted(actions: readonly Action[]): Strategy {
  let received = 0
  const orders: KnownOrder[] = []
  return {
    onEvent(_event, run) {
      for (const action of actions) {
        if (action.received !== received) continue
        if ('order' in action) {
          // Markets that are not listed cannot be referenced; another test covers that.
          if (run.markets().includes(action.order.market)) orders.push(run.order(action.order))
        } else {
          const order = orders[action.cancel]
          if (order !== undefined) run.cancel(order)
        }
      }
      received++
    },
  }
}

/** Fee terms with their rate multiplied, so that a test can use a wrong fee. */
function times(terms: FeeTerms, multiplier: number): FeeTerms {
  if (terms === null) return null
  return terms.model === 'quadratic'
    ? { ...terms, multiplier: terms.multiplier * multiplier }
    : { ...terms, rate: terms.rate * multiplier }
}

/** A scenario with only trades and optional quotes: the common case. */
export const ticksOf = (scenario: Scenario, { hasQuotes }: { hasQuotes: boolean }): Scenario => ({
  ...scenario,
  books: [],
  bars: [],
  ...(hasQuotes ? {} : { quotes: [] }),
})

const NO_BARS: EventWindow['bars'] = {
  known: new Float64Array(),
  ts: new Float64Array(),
  market: new Int32Array(),
  close: new Int32Array(),
  volume: new Float64Array(),
  width: new Float64Array(),
  bid: new Int32Array(),
  ask: new Int32Array(),
}

/**
 * Runs a scenario through the engine, in windows of `windowMs` each.
 * @param options.asMixed passes windows of trades and quotes as if they might contain bars
 */
export function play(
  scenario: Scenario,
  strategy: Strategy = scripted(scenario.actions),
  { windowMs = Infinity, feeMultiplier = 1, asMixed = false } = {},
): RunResult {
  const { from, to, markets, versions, model, startCash } = scenario
  const run = new Backtest(
    {
      from: from as Millis,
      to: to as Millis,
      markets,
      versions,
      model,
      candles: [],
      seed: 1,
      startCash: startCash as MoneyE6,
      termsOf: ({ venue }) => times(generalTerms(venue), feeMultiplier),
    },
    strategy,
  )
  run.start()
  for (let after = from; after < to;) {
    const until = Math.min(to, after + windowMs)
    const window = windowOf(scenario, after, until)
    run.process(asMixed ? { ...window, bars: window.bars ?? NO_BARS } : window)
    after = until
  }
  return run.finish()
}
