import type { MarketResult, Venue } from '../../market.ts'
import type { ParamsOf } from '../../params.ts'
import { roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { comparableValue, GAUGES, type Gauge, type Gauges } from '../gauges/index-reading.ts'
import { inspectUrlOf, worldUrl, type Addresses } from '../links.ts'
import { GAUGE_NAMES, gaugeText } from '../salient/regime-shift.ts'
import type { SalientItem } from '../snapshot.ts'
import { centsText, isoOf } from '../markdown/text.ts'
import type { Mover } from '../world-lists.ts'
import { moveOf } from '../world-market.ts'

export const DELTA_PARAMS = {
  gaugePoints: 1,
  breadthPoints: 0.05,
  priceMove: 3,
  rankMove: 2,
  changes: 30,
} as const
type Params = ParamsOf<typeof DELTA_PARAMS>

/** Kinds of changes in display order. */
export const CHANGE_KINDS = [
  'regime_changed',
  'gauge',
  'resolved',
  'price_move',
  'item_added',
  'item_dropped',
  'item_moved',
  'new_market',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export interface WorldChange {
  readonly kind: ChangeKind
  readonly ticker: string | null
  readonly label: string
  readonly before: number | string | null
  readonly after: number | string | null
  readonly at: string
  readonly url: string | null
}

/** The part of a stored snapshot that a delta needs. */
export interface DeltaEnd {
  readonly at: Millis
  readonly label: string
  readonly gauges: Gauges
  readonly value: number | null
  readonly salient: readonly Pick<SalientItem, 'id' | 'type' | 'rank' | 'label' | 'pull' | 'body'>[]
  readonly movers: readonly Mover[]
}

/**
 * Prices of a market at both ends: headline prices, or traded prices when quotes are known at one
 * end only.
 */
export interface PriceSpan {
  readonly ticker: string
  readonly title: string
  readonly from: number | null
  readonly to: number | null
  /** Quotes are known at one end only, so items computed from them cannot be compared. */
  readonly isQuotedOnce: boolean
}
export interface Resolution {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly result: Exclude<MarketResult, 'void'>
  readonly at: Millis
  /** Headline price at the first end. */
  readonly priceBefore: number | null
}
export interface NewMarket {
  readonly ticker: string
  readonly title: string
  readonly firstSeenAt: Millis
  readonly price: number | null
}

export interface DeltaInput {
  readonly from: DeltaEnd
  readonly to: DeltaEnd
  /** Prices of the markets that are salient or movers at either end. */
  readonly prices: readonly PriceSpan[]
  /** Settled inside the window. */
  readonly resolved: readonly Resolution[]
  /** First seen inside the window. */
  readonly newMarkets: readonly NewMarket[]
  readonly addresses: Pick<Addresses, 'baseUrl'>
}

export interface WorldDelta {
  readonly from: string
  readonly to: string
  readonly changes: WorldChange[]
  readonly indexDelta: Gauges & { readonly value: number | null }
  readonly movers: {
    readonly added: Mover[]
    readonly dropped: { readonly ticker: string; readonly title: string }[]
  }
  readonly resolved: (Omit<Resolution, 'at' | 'priceBefore'> & { readonly at: string })[]
}

/** Tickers whose prices a delta between two ends needs, ascending. */
export function tickersOfDelta(...deltaEnds: readonly DeltaEnd[]): string[] {
  const tickers = new Set<string>()
  for (const { salient, movers } of deltaEnds) {
    for (const item of salient) for (const ticker of tickersOf(item)) tickers.add(ticker)
    for (const { ticker } of movers) tickers.add(ticker)
  }
  return [...tickers].sort()
}

function tickersOf(item: DeltaEnd['salient'][number]): readonly string[] {
  const { body } = item
  if ('ticker' in body) return [body.ticker]
  return 'laggingTicker' in body ? [body.laggingTicker, body.triggerTicker] : []
}

/** What changed between two stored snapshots, in the order of `CHANGE_KINDS`. Methodology C7. */
export function deltaOf(input: DeltaInput, params: Params = DELTA_PARAMS): WorldDelta {
  const { from, to } = input
  const moverTickers = new Set(from.movers.map(({ ticker }) => ticker))
  const currentMovers = new Set(to.movers.map(({ ticker }) => ticker))
  const incomparable = tickersQuotedOnce(input)
  return {
    from: isoOf(from.at),
    to: isoOf(to.at),
    changes: changesOf(input, params),
    indexDelta: {
      ...gaugeMoves(from, to),
      value: moveOf(to.value, comparableValue(to.gauges, { ...from.gauges, value: from.value })),
    },
    movers: {
      added: to.movers.filter(
        ({ ticker }) => !moverTickers.has(ticker) && !incomparable.has(ticker),
      ),
      dropped: from.movers
        .filter(({ ticker }) => !currentMovers.has(ticker) && !incomparable.has(ticker))
        .map(({ ticker, title }) => ({ ticker, title })),
    },
    resolved: input.resolved
      .toSorted((a, b) => a.at - b.at || compare(a.ticker, b.ticker))
      .map(({ ticker, venue, title, result, at }) => ({
        ticker,
        venue,
        title,
        result,
        at: isoOf(at),
      })),
  }
}

const tickersQuotedOnce = ({ prices }: DeltaInput): ReadonlySet<string> =>
  new Set(prices.filter(({ isQuotedOnce }) => isQuotedOnce).map(({ ticker }) => ticker))

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const gaugeMoves = (from: DeltaEnd, to: DeltaEnd): Gauges => ({
  disagreement: moveOf(to.gauges.disagreement, from.gauges.disagreement),
  geoRisk: moveOf(to.gauges.geoRisk, from.gauges.geoRisk),
  breadth: moveOf(to.gauges.breadth, from.gauges.breadth),
  activity: moveOf(to.gauges.activity, from.gauges.activity),
})

function changesOf(input: DeltaInput, params: Params): WorldChange[] {
  const { from, to, addresses } = input
  const at = isoOf(to.at)
  const inspect = (ticker: string): string => inspectUrlOf(addresses, ticker)
  const worldAddress = worldUrl(addresses, [])
  const changes: WorldChange[] = []
  if (from.label !== to.label) {
    const { label } = to
    const span = { before: from.label, after: to.label }
    changes.push({ kind: 'regime_changed', ticker: null, label, ...span, at, url: worldAddress })
  }
  for (const gauge of GAUGES) {
    const [before, after] = [from.gauges[gauge], to.gauges[gauge]]
    const move = moveOf(after, before)
    if (move === null || Math.abs(move) < minMove(gauge, params)) continue
    const label = `${GAUGE_NAMES[gauge]} ${gaugeText(gauge, before)} → ${gaugeText(gauge, after)}`
    changes.push({ kind: 'gauge', ticker: null, label, before, after, at, url: worldAddress })
  }
  for (const { ticker, title, result, at: settledAt, priceBefore } of input.resolved) {
    const label = `${title} resolved ${result}`
    const item = { ticker, label, before: priceBefore, after: result, at: isoOf(settledAt) }
    changes.push({ kind: 'resolved', ...item, url: inspect(ticker) })
  }
  for (const { ticker, title, from: before, to: after } of input.prices) {
    const move = moveOf(after, before)
    if (move === null || Math.abs(move) < params.priceMove) continue
    const label = `${title} ${centsText(before)} → ${centsText(after)}`
    changes.push({ kind: 'price_move', ticker, label, before, after, at, url: inspect(ticker) })
  }
  changes.push(...itemChanges(input, params))
  for (const { ticker, title, firstSeenAt, price } of input.newMarkets) {
    const item = { ticker, label: `New: ${title}`, before: null, after: price }
    changes.push({ kind: 'new_market', ...item, at: isoOf(firstSeenAt), url: inspect(ticker) })
  }
  return changes.toSorted(compareChanges).slice(0, params.changes)
}

const minMove = (gauge: Gauge, params: Params): number =>
  gauge === 'breadth' ? params.breadthPoints : params.gaugePoints

function itemChanges(input: DeltaInput, params: Params): WorldChange[] {
  const { from, to } = input
  const incomparable = tickersQuotedOnce(input)
  const isIncomparable = (item: DeltaEnd['salient'][number]): boolean =>
    tickersOf(item).some((ticker) => incomparable.has(ticker))
  const previous = new Map(from.salient.map((item) => [item.id, item]))
  const nextItems = new Map(to.salient.map((item) => [item.id, item]))
  const deltaItem = (item: DeltaEnd['salient'][number]) => ({
    ticker: tickersOf(item)[0] ?? null,
    label: `[${item.type}] ${item.label}`,
    at: isoOf(to.at),
    url: item.pull[0]?.url ?? null,
  })
  const changes: WorldChange[] = []
  for (const item of to.salient) {
    if (isIncomparable(item)) continue
    const previousItem = previous.get(item.id)
    const rank = item.rank
    if (previousItem === undefined) {
      changes.push({ kind: 'item_added', ...deltaItem(item), before: null, after: rank })
    } else if (Math.abs(rank - previousItem.rank) >= params.rankMove) {
      changes.push({
        kind: 'item_moved',
        ...deltaItem(item),
        before: previousItem.rank,
        after: rank,
      })
    }
  }
  for (const item of from.salient) {
    if (nextItems.has(item.id) || isIncomparable(item)) continue
    changes.push({ kind: 'item_dropped', ...deltaItem(item), before: item.rank, after: null })
  }
  return changes
}

const kindOrder = new Map(CHANGE_KINDS.map((kind, rank) => [kind, rank]))
const sizeOf = ({ before, after }: WorldChange): number =>
  typeof before === 'number' && typeof after === 'number' ? roundTo(Math.abs(after - before), 6) : 0
/** Added and dropped items are sorted by rank; other kinds have no comparable value. */
const rankOf = ({ kind, before, after }: WorldChange): number =>
  kind === 'item_added' ? Number(after) : kind === 'item_dropped' ? Number(before) : 0

const compareChanges = (a: WorldChange, b: WorldChange): number =>
  (kindOrder.get(a.kind) ?? 0) - (kindOrder.get(b.kind) ?? 0) ||
  sizeOf(b) - sizeOf(a) ||
  rankOf(a) - rankOf(b) ||
  compare(a.ticker ?? a.label, b.ticker ?? b.label)
