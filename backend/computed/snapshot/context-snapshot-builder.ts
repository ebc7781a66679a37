import type { HourlyChanges, LeadLag } from '../../domain/links/lead-lag.ts'
import type { MarketStatus, Ticker } from '../../domain/market.ts'
import { bestPairs, withoutDominated, type MarketPair } from '../../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { themeOf } from '../../domain/topics/topics.ts'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { chooseBasket, type BasketMember } from '../../domain/world/gauges/geo-basket.ts'
import type { IndexReading } from '../../domain/world/gauges/index-reading.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { ContextStore, HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  forEachInSteps,
  runCooperatively,
  type Steps,
} from '../../lib/process/run-cooperatively.ts'
import type { MarketBoard, MarketView } from '../board/market-board.ts'
import type { ReferencePrices } from '../board/reference-prices.ts'
import { worldMarketOf } from '../world/world-markets.ts'
import type { ContextSnapshot, MarketQuantities } from './context-snapshot.ts'
import { crossVenueEdges, eventEdgesOf, type BooksReader } from './implied-edges.ts'
import { readIndices } from './index-readings.ts'
import { readLinks } from './links-read.ts'
import { marketQuantitiesOf, RESPONSE_HOURS } from './market-quantities.ts'
import { changesOf } from './price-rings.ts'
import { SeriesReader, type SnapshotSeries, type SeriesDepth } from './series-reader.ts'
import { slotPricesOf } from './slot-prices.ts'
import type { Structure } from './structure/structure.ts'
import type { StructureHost } from './structure/structure-host.ts'

export interface SnapshotDeps {
  readonly history: HistoryStore & HistoryColumns & ContextStore
  readonly board: MarketBoard
  readonly reference: ReferencePrices
  readonly structure: StructureHost
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Markets processed before yielding. */
const BATCH_SIZE = 100
const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])

/**
 * Builds the context snapshot of one instant from history as known then. One builder advances with
 * time and caches series, prints and lead times between snapshots; past instants use a builder of
 * their own.
 */
export class ContextSnapshotBuilder {
  readonly #deps: SnapshotDeps
  readonly #series: SeriesReader
  #basket: { readonly at: Millis; readonly members: readonly BasketMember[] } | null = null
  #leadLags: readonly LeadLag[] = []
  /** UTC day of the last search for lead times. */
  #leadLagDay = -1
  #startsOver = false

  constructor(deps: SnapshotDeps) {
    this.#deps = deps
    this.#series = new SeriesReader(deps)
  }

  /**
   * Older history arrived or was corrected: the next snapshot starts over. A snapshot in progress
   * keeps what it read, otherwise part of it would be empty.
   */
  invalidate(): void {
    this.#startsOver = true
  }

  /** @param at a past snapshot instant */
  async build(at: Millis): Promise<ContextSnapshot> {
    const { board } = this.#deps
    const { structure, ...inputs } = await this.#marketsAt(at, 'whole')
    const { markets, series } = inputs
    const pairs = servedPairs(structure)
    const changes = this.#changesIn(markets, series)
    const links = await this.#runSliced(readLinks(structure.links, pairs, markets, changes))
    const booksOf: BooksReader = (some) => board.storedBooks(some, at)
    return {
      at,
      markets,
      pairs,
      pairOf: bestPairs(pairs),
      pairsOf: pairsByTicker(pairs),
      ...links,
      ladders: structure.ladders,
      crossVenue: await crossVenueEdges(pairs, markets, booksOf),
      eventEdges: await eventEdgesOf(markets, structure.ladders, booksOf),
      indices: await this.#indicesOf(inputs, pairs, at),
    }
  }

  /**
   * Only the gauges of a snapshot, for an instant at which nothing else is needed; empty when no
   * market was known.
   */
  async gauges(at: Millis): Promise<ContextSnapshot['indices']> {
    if (this.#startsOver) this.#drop()
    const basket = new Set((await this.#basketOf(at)).map(({ ticker }) => ticker))
    const { structure, ...inputs } = await this.#marketsAt(at, basket)
    if (inputs.markets.size === 0) return new Map()
    return this.#indicesOf(inputs, servedPairs(structure), at)
  }

  /** @param parts 'whole', or the members of the basket when only gauges are needed */
  async #marketsAt(
    at: Millis,
    parts: 'whole' | ReadonlySet<Ticker>,
  ): Promise<SnapshotMarkets & { structure: Structure }> {
    if (this.#startsOver) this.#drop()
    const isWhole = parts === 'whole'
    const views = [...(await this.#deps.board.at(at, { changes: isWhole })).list(null)]
    const depth: SeriesDepth = isWhole
      ? parts
      : {
          daysOf: views.flatMap(({ market, facts }) => (parts.has(facts.ticker) ? [market] : [])),
        }
    // The structure is computed on another thread while the series are read.
    const [structure, series] = await Promise.all([
      this.#readStructure(views, at, isWhole),
      this.#series.read(at, views, depth),
    ])
    const markets = new Map<Ticker, MarketQuantities>()
    const addView = (view: MarketView): void => {
      markets.set(view.facts.ticker, marketQuantitiesOf(view, series.seriesOf(view), at))
    }
    await this.#runSliced(forEachInSteps(views, BATCH_SIZE, addView))
    return { views, series, markets, structure }
  }

  async #indicesOf(
    { views, series, markets }: SnapshotMarkets,
    pairs: readonly MarketPair[],
    at: Millis,
  ): Promise<ContextSnapshot['indices']> {
    const storedIndices = await this.#storedIndices(at)
    if (storedIndices !== null) return storedIndices
    const idOf = (ticker: Ticker): MarketId => markets.get(ticker)?.view.market ?? -1
    return readIndices(
      {
        at,
        markets: await this.#runSliced(worldMarketSteps(views, markets)),
        duplicates: pairs,
        marketQuantitiesOf: (ticker) => markets.get(ticker),
        dayMarksOf: (ticker) => series.dayMarksOf(idOf(ticker)),
        basket: await this.#basketOf(at),
      },
      this.#deps.history,
    )
  }

  /** Readings are stored once and never computed again; null when there are none. */
  async #storedIndices(at: Millis): Promise<ContextSnapshot['indices'] | null> {
    const baselineQuery = { at, step: DAY, count: 0, within: 0 as Millis, knownBy: at }
    const rows = await this.#deps.history.indexBack(baselineQuery)
    if (rows.length === 0) return null
    return new Map(rows.map(({ row }) => [row.scope, JSON.parse(row.body) as IndexReading]))
  }

  #drop(): void {
    this.#startsOver = false
    this.#series.invalidate()
    this.#leadLagDay = -1
    this.#basket = null
  }

  /** The basket of the day, chosen from what was known at midnight. */
  async #basketOf(at: Millis): Promise<readonly BasketMember[]> {
    const midnight = (Math.floor(at / DAY) * DAY) as Millis
    if (this.#basket?.at !== midnight) {
      const views = (await this.#deps.board.at(midnight, { changes: false })).list(ACTIVE)
      const markets = await this.#runSliced(worldMarketSteps(views, new Map()))
      this.#basket = { at: midnight, members: chooseBasket(markets) }
    }
    return this.#basket.members
  }

  /** Hourly changes by ticker, each computed once for all links of a snapshot. */
  #changesIn(markets: ReadonlyMap<Ticker, MarketQuantities>, series: SnapshotSeries) {
    const arraysByTicker = new Map<Ticker, Float64Array | undefined>()
    return (ticker: Ticker): Float64Array | undefined => {
      if (arraysByTicker.has(ticker)) return arraysByTicker.get(ticker)
      const ring = series.hourMarksOf(markets.get(ticker)?.view.market ?? -1)
      const changes = ring === undefined ? undefined : changesOf(ring.subarray(-RESPONSE_HOURS - 1))
      arraysByTicker.set(ticker, changes)
      return changes
    }
  }

  #runSliced<Result>(steps: Steps<Result>): Promise<Result> {
    return runCooperatively(steps, () => this.#deps.clock.monotonic())
  }

  /**
   * Hourly changes of the two weeks before a midnight, of the markets and as known then, so that
   * lead times are the same whenever they are computed during the day.
   */
  async #hourlyBefore(midnight: Millis): Promise<HourlyChanges[]> {
    const { history, board } = this.#deps
    const views = [...(await board.at(midnight)).list(null)]
    const from = (midnight - RESPONSE_HOURS * HOUR) as Millis
    const span = { from, step: HOUR, count: RESPONSE_HOURS }
    const ids = views.map(({ market }) => market)
    const prices = await slotPricesOf(history, span, midnight, ids)
    const hourly: HourlyChanges[] = []
    const addMarket = ({ market, facts }: MarketView): void => {
      const marks = prices.get(market)?.marks
      if (marks === undefined) return
      hourly.push({ ticker: facts.ticker, theme: themeOf(facts), changes: changesOf(marks) })
    }
    await this.#runSliced(forEachInSteps(views, BATCH_SIZE, addMarket))
    return hourly
  }

  async #readStructure(
    views: readonly MarketView[],
    at: Millis,
    isWhole: boolean,
  ): Promise<Structure> {
    const day = Math.floor(at / DAY)
    // Gauges need pairs, but no links.
    const isNewDay = isWhole && day !== this.#leadLagDay
    const hourly = isNewDay ? await this.#hourlyBefore((day * DAY) as Millis) : null
    const activeViews = views.filter(({ status }) => status === 'active')
    const structure = await this.#deps.structure.read({
      markets: activeViews.map((view) => ({
        facts: structureFacts(view),
        theme: themeOf(view.facts),
        mark: view.mark,
        liquidity: view.liquidityScore,
      })),
      hourly,
      leadLags: this.#leadLags,
      pairsOnly: !isWhole,
    })
    if (!isWhole) return structure
    this.#leadLags = structure.leadLags
    this.#leadLagDay = day
    return structure
  }
}

/** The markets of an instant with their series. */
interface SnapshotMarkets {
  readonly views: readonly MarketView[]
  readonly series: SnapshotSeries
  readonly markets: ReadonlyMap<Ticker, MarketQuantities>
}

/** Live markets as the gauges read them. */
function* worldMarketSteps(
  views: readonly MarketView[],
  snapshot: ReadonlyMap<Ticker, MarketQuantities>,
): Steps<WorldMarket[]> {
  const markets: WorldMarket[] = []
  for (const [index, view] of views.entries()) {
    if (index % BATCH_SIZE === 0) yield
    if (view.status !== 'active') continue
    markets.push(worldMarketOf(view, snapshot.get(view.facts.ticker) ?? null, null, null))
  }
  return markets
}

/** Only the needed fields, to keep the copy to the thread small. */
const structureFacts = ({ facts }: MarketView) => ({
  venue: facts.venue,
  ticker: facts.ticker,
  title: facts.title,
  subtitle: facts.subtitle,
  description: facts.description,
  eventId: facts.eventId,
  eventTitle: facts.eventTitle,
  seriesId: facts.seriesId,
  seriesTitle: facts.seriesTitle,
  category: facts.category,
  tags: facts.tags,
  closeTime: facts.closeTime,
  expirationTime: facts.expirationTime,
  exclusive: facts.exclusive,
  aliases: facts.aliases,
})

/** Pairs with enough confidence to be shown, without those dominated by a better one. */
const servedPairs = ({ pairs }: Structure): MarketPair[] =>
  withoutDominated(
    pairs.filter(({ confidence }) => confidence >= PAIRING_PRESETS.browse.confidence),
  )

function pairsByTicker(pairs: readonly MarketPair[]): Map<Ticker, MarketPair[]> {
  const byTicker = new Map<Ticker, MarketPair[]>()
  for (const pair of pairs) {
    for (const ticker of [pair.a, pair.b]) {
      const existing = byTicker.get(ticker)
      if (existing === undefined) byTicker.set(ticker, [pair])
      else existing.push(pair)
    }
  }
  return byTicker
}
