import type { Venue } from '../../market.ts'
import type { MoneyE6 } from '../../units.ts'
import { drawdownOf } from '../report/metrics.ts'
import { CLOSED_LOT_COLUMNS } from '../broker/positions.ts'
import type { RunResult, TradedMarket } from '../report/run-result.ts'
import { DECISION_COLUMNS, FILL_COLUMNS, SAMPLE_COLUMNS, SETTLEMENT_COLUMNS } from '../run-log.ts'

type Row = Record<string, number>

/**
 * Joins consecutive runs into one: each adds its profit to that of the earlier ones and starts
 * without a position. Decisions are left out. Markets are renumbered by venue and ticker.
 * @param parts ascending by time, at least one
 */
export function joinedResult(parts: readonly RunResult[]): RunResult {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) throw new RangeError('no run to join')
  const tradedMarkets = joinedMarkets(parts)
  const numbers = new Map(
    tradedMarkets.map(({ venue, ticker, market }) => [keyOf(venue, ticker), market]),
  )
  const tags = [...new Set(parts.flatMap((part) => part.tags))]
  const rows = {
    fills: [] as Row[],
    lots: [] as Row[],
    samples: [] as Row[],
    settlements: [] as Row[],
  }
  const open: RunResult['open'][number][] = []
  let [totalGain, orders] = [0, 0]
  for (const part of parts) {
    const joinedNumbers = new Map(
      part.traded.map(({ market, venue, ticker }) => [
        market,
        numbers.get(keyOf(venue, ticker)) ?? -1,
      ]),
    )
    const market = (row: Row): number => joinedNumbers.get(row['market'] ?? -1) ?? -1
    const tag = (number: number | undefined): number => tags.indexOf(part.tags[number ?? 0] ?? '')
    for (const row of rowsOf(part.fills, FILL_COLUMNS)) {
      rows.fills.push({
        ...row,
        market: market(row),
        tag: tag(row['tag']),
        order: (row['order'] ?? 0) + orders,
      })
    }
    for (const row of rowsOf(part.lots, CLOSED_LOT_COLUMNS)) {
      rows.lots.push({ ...row, market: market(row), tag: tag(row['tag']) })
    }
    for (const row of rowsOf(part.settlements, SETTLEMENT_COLUMNS)) {
      rows.settlements.push({ ...row, market: market(row) })
    }
    for (const row of rowsOf(part.samples, SAMPLE_COLUMNS)) {
      // The end of one run is the start of the next one.
      if (rows.samples.at(-1)?.['at'] === row['at']) rows.samples.pop()
      const [cash, equity] = [(row['cash'] ?? 0) + totalGain, (row['equity'] ?? 0) + totalGain]
      rows.samples.push({ ...row, cash, equity })
    }
    for (const position of part.open) {
      open.push({
        ...position,
        market: joinedNumbers.get(position.market) ?? -1,
        tag: tag(position.tag),
      })
    }
    totalGain += part.equity - part.startCash
    orders += part.orders
  }
  const sum = (valueOf: (part: RunResult) => number): number =>
    parts.reduce((all, part) => all + valueOf(part), 0)
  const samples = columnsOf(rows.samples, SAMPLE_COLUMNS)
  const equity = first.startCash + totalGain
  return {
    from: first.from,
    to: last.to,
    model: first.model,
    seed: first.seed,
    startCash: first.startCash,
    equity: equity as MoneyE6,
    cash: (equity - (last.equity - last.cash)) as MoneyE6,
    fees: sum(({ fees }) => fees) as MoneyE6,
    realised: sum(({ realised }) => realised) as MoneyE6,
    deepestDrawdown: Math.max(
      drawdownOf(samples.at, samples.equity).deepest,
      ...parts.map((part) => part.deepestDrawdown),
    ),
    markets: Math.max(...parts.map((part) => part.markets)),
    events: sum(({ events }) => events),
    unlistedEvents: sum(({ unlistedEvents }) => unlistedEvents),
    unpaidSettlements: sum(({ unpaidSettlements }) => unpaidSettlements),
    orders,
    orderEnds: joinedCounts(parts.map(({ orderEnds }) => orderEnds)),
    fills: columnsOf(rows.fills, FILL_COLUMNS),
    lots: columnsOf(rows.lots, CLOSED_LOT_COLUMNS),
    decisions: columnsOf([], DECISION_COLUMNS),
    samples,
    settlements: columnsOf(rows.settlements, SETTLEMENT_COLUMNS),
    open,
    traded: tradedMarkets,
    tags,
    notes: parts.flatMap(({ notes }) => notes),
  }
}

const keyOf = (venue: Venue, ticker: string): string => `${venue} ${ticker}`

/** Markets in the state in which the last run that traded them left them. */
function joinedMarkets(parts: readonly RunResult[]): TradedMarket[] {
  const markets = new Map<string, TradedMarket>()
  for (const { traded } of parts) {
    for (const market of traded) markets.set(keyOf(market.venue, market.ticker), market)
  }
  return [...markets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, market], number) => ({ ...market, market: number }))
}

function joinedCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const partCounts of all) {
    for (const [name, count] of Object.entries(partCounts))
      counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function rowsOf<Name extends string>(
  columns: Record<Name, Float64Array>,
  names: readonly Name[],
): Row[] {
  const count = names[0] === undefined ? 0 : columns[names[0]].length
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(names.map((name) => [name, columns[name][i] ?? NaN])),
  )
}

const columnsOf = <Name extends string>(
  rows: readonly Row[],
  names: readonly Name[],
): Record<Name, Float64Array> =>
  Object.fromEntries(
    names.map((name) => [name, Float64Array.from(rows, (row) => row[name] ?? NaN)]),
  ) as Record<Name, Float64Array>
