import type { MarketFacts, MarketStatus, Side, Ticker, Venue } from '../../market.ts'
import { themeOf } from '../../topics/topics.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../../units.ts'
import type { Broker } from '../broker/broker.ts'
import type { MarketIndex } from '../event-columns.ts'
import { moneyOf, type FillModel } from '../broker/fill-model.ts'
import type { MarketBooks } from '../broker/market-books.ts'
import type { ClosedLots, Positions } from '../broker/positions.ts'
import type {
  DecisionColumns,
  FillColumns,
  RunLog,
  SampleColumns,
  SettlementColumns,
} from '../run-log.ts'

/** A position that was still open at the end, marked and not settled: one per market and tag. */
export interface OpenPosition {
  readonly market: MarketIndex
  readonly side: Side
  readonly size: SizeE6
  readonly cost: MoneyE6
  readonly fees: MoneyE6
  readonly value: MoneyE6
  readonly status: MarketStatus
  /** Index of the tag in `tags`. */
  readonly tag: number
}

/** A market with filled orders, in its state at the end. */
export interface TradedMarket {
  readonly market: MarketIndex
  readonly venue: Venue
  readonly ticker: Ticker
  readonly title: string
  readonly eventId: string
  /** Its topic, or its category when it has no topic. */
  readonly theme: string
  readonly status: MarketStatus
  readonly result: MarketFacts['result']
  readonly settlementPrice: PriceE4 | null
}

/** The result of a run. Columns can be transferred between threads as they are. */
export interface RunResult {
  readonly from: Millis
  readonly to: Millis
  readonly model: FillModel
  readonly seed: number
  readonly startCash: MoneyE6
  readonly cash: MoneyE6
  readonly equity: MoneyE6
  readonly fees: MoneyE6
  readonly realised: MoneyE6
  /** As a share of peak equity, measured at every event. */
  readonly deepestDrawdown: number
  /** Markets in scope, and those listed by the end. */
  readonly markets: number
  readonly events: number
  /** Events of markets that were not listed yet; the strategy does not receive them. */
  readonly unlistedEvents: number
  /** Positions whose settlement has no recorded value; they stay open. */
  readonly unpaidSettlements: number
  readonly orders: number
  readonly orderEnds: Readonly<Record<string, number>>
  readonly fills: FillColumns
  readonly lots: ClosedLots
  readonly decisions: DecisionColumns
  readonly samples: SampleColumns
  readonly settlements: SettlementColumns
  readonly open: readonly OpenPosition[]
  readonly traded: readonly TradedMarket[]
  readonly tags: readonly string[]
  readonly notes: readonly { readonly at: Millis; readonly text: string }[]
}

/** The account of a run at its end. */
export type EndedAccount = Pick<
  Broker,
  | ('model' | 'cash' | 'equity' | 'fees' | 'deepestDrawdown' | 'orderCount' | 'tags')
  | ('facts' | 'status' | 'net')
> & {
  readonly positions: Pick<Positions, 'realised' | 'closedLots' | 'openMarkets' | 'lots'>
  readonly books: Pick<MarketBooks, 'value'>
}
type EndedLog = Pick<RunLog, 'fills' | 'decisions' | 'samples' | 'settlements' | 'notes'> & {
  readonly ends: ReadonlyMap<string, number>
}

/** Collects the result of a run. */
export function resultOf(run: {
  readonly broker: EndedAccount
  readonly log: EndedLog
  readonly from: Millis
  readonly to: Millis
  readonly markets: { readonly length: number }
  readonly events: number
  readonly unlisted: number
  readonly unpaid: number
  readonly seed: number
  readonly startCash: MoneyE6
}): RunResult {
  const { broker, log } = run
  const fills = log.fills.columns()
  const tradedMarkets = numbersIn(fills.market, run.markets.length)
  return {
    from: run.from,
    to: run.to,
    model: broker.model,
    seed: run.seed,
    startCash: run.startCash,
    cash: broker.cash,
    equity: broker.equity,
    fees: broker.fees,
    realised: broker.positions.realised,
    deepestDrawdown: broker.deepestDrawdown,
    markets: run.markets.length,
    events: run.events,
    unlistedEvents: run.unlisted,
    unpaidSettlements: run.unpaid,
    orders: broker.orderCount,
    orderEnds: Object.fromEntries([...log.ends].sort(([a], [b]) => (a < b ? -1 : 1))),
    fills,
    lots: broker.positions.closedLots(),
    decisions: log.decisions.columns(),
    samples: log.samples.columns(),
    settlements: log.settlements.columns(),
    open: broker.positions.openMarkets().flatMap((market) => openPositions(broker, market)),
    traded: tradedMarkets.flatMap((market) => tradedMarket(broker, market)),
    tags: broker.tags,
    notes: log.notes,
  }
}

/** The distinct markets of a column, ascending. */
function numbersIn(column: Float64Array, markets: number): MarketIndex[] {
  const occurs = new Uint8Array(markets)
  for (const market of column) occurs[market] = 1
  const numbers: MarketIndex[] = []
  for (let market = 0; market < markets; market++) if (occurs[market] === 1) numbers.push(market)
  return numbers
}

function openPositions(broker: EndedAccount, market: MarketIndex): OpenPosition[] {
  const net = broker.net(market)
  const side: Side = net > 0 ? 'yes' : 'no'
  const status = broker.status(market) ?? 'upcoming'
  const byTag = new Map<number, { size: number; cost: number; fees: number }>()
  for (const lot of broker.positions.lots(market)) {
    const sum = byTag.get(lot.tag) ?? { size: 0, cost: 0, fees: 0 }
    sum.size += lot.size
    sum.cost += moneyOf(lot.price, lot.size)
    sum.fees += lot.fee
    byTag.set(lot.tag, sum)
  }
  let [valueLeft, sizeLeft] = [broker.books.value(market), Math.abs(net)]
  return [...byTag].map(([tag, { size, cost, fees }]) => {
    const value = size === sizeLeft ? valueLeft : Math.round(valueLeft * (size / sizeLeft))
    valueLeft -= value
    sizeLeft -= size
    return {
      market,
      side,
      status,
      tag,
      size: size as SizeE6,
      cost: cost as MoneyE6,
      fees: fees as MoneyE6,
      value: value as MoneyE6,
    }
  })
}

function tradedMarket(broker: EndedAccount, market: MarketIndex): TradedMarket[] {
  const facts = broker.facts(market)
  if (facts === null) return []
  const { venue, ticker, title, eventId, result, settlementPrice } = facts
  const status = broker.status(market) ?? facts.status
  const theme = themeOf(facts)
  return [{ market, venue, ticker, title, eventId, theme, status, result, settlementPrice }]
}
