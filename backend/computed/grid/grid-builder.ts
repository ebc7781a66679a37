import type { HourlyChanges, LeadLag } from '../../domain/links/lead-lag.ts'
import type { MarketStatus, Ticker } from '../../domain/market.ts'
import { bestPairs, withoutShadowed, type MarketPair } from '../../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { themeOf } from '../../domain/topics.ts'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { chooseBasket, type BasketMember } from '../../domain/world/geo-basket.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { ContextStore, HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import { eachOf, inSlices, type Steps } from '../../lib/slices.ts'
import type { MarketBoard, MarketView } from '../market-board.ts'
import type { ReferencePrices } from '../reference-prices.ts'
import { worldMarketOf } from '../world/world-markets.ts'
import type { Grid, GridMarket } from './grid.ts'
import { crossVenueEdges, eventEdgesOf, type BooksReader } from './implied-edges.ts'
import { readIndices } from './index-readings.ts'
import { readLinks } from './links-read.ts'
import { gridMarketOf, RESPONSE_HOURS } from './market-quantities.ts'
import { changesOf } from './price-rings.ts'
import { SeriesReader, type GridSeries, type SeriesDepth } from './series-reader.ts'
import { slotPricesOf } from './slot-prices.ts'
import type { Structure } from './structure.ts'
import type { StructureHost } from './structure-host.ts'

export interface GridDeps {
  readonly history: HistoryStore & HistoryColumns & ContextStore
  readonly board: MarketBoard
  readonly reference: ReferencePrices
  readonly structure: StructureHost
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Markets worked out before others may run. */
const AT_ONCE = 100
const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])

/**
 * Works out the grid of one instant from history as known then. One builder moves on with time and
 * remembers series, prints and lead times between grids; a past instant gets a builder of its own.
 */
export class GridBuilder {
  readonly #deps: GridDeps
  readonly #series: SeriesReader
  #basket: { readonly at: Millis; readonly members: readonly BasketMember[] } | null = null
  #leadLags: readonly LeadLag[] = []
  /** UTC day for which lead times were looked for. */
  #leadLagDay = -1
  #startsOver = false

  constructor(deps: GridDeps) {
    this.#deps = deps
    this.#series = new SeriesReader(deps)
  }

  /**
   * Older history arrived or was corrected: the next grid starts over. One that is being worked out
   * keeps what it read, or a part of it would know nothing.
   */
  forget(): void {
    this.#startsOver = true
  }

  /** @param at a grid instant that is over */
  async build(at: Millis): Promise<Grid> {
    const { board } = this.#deps
    const { structure, ...standing } = await this.#standingAt(at, 'whole')
    const { markets, series } = standing
    const pairs = servedPairs(structure)
    const changes = this.#changesIn(markets, series)
    const links = await this.#sliced(readLinks(structure.links, markets, changes))
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
      indices: await this.#indicesOf(standing, pairs, at),
    }
  }

  /**
   * The gauges of that grid alone, for an instant of which nothing else is asked; none where no market
   * was known.
   */
  async gauges(at: Millis): Promise<Grid['indices']> {
    const { structure, ...standing } = await this.#standingAt(at, 'gauges')
    if (standing.markets.size === 0) return new Map()
    return this.#indicesOf(standing, servedPairs(structure), at)
  }

  async #standingAt(at: Millis, depth: SeriesDepth): Promise<Standing & { structure: Structure }> {
    if (this.#startsOver) this.#drop()
    const views = [...(await this.#deps.board.at(at)).list(null)]
    // What belongs together is found on a thread of its own while the series are read.
    const [structure, series] = await Promise.all([
      this.#readStructure(views, at, depth),
      this.#series.read(at, views, depth),
    ])
    const markets = new Map<Ticker, GridMarket>()
    const takeView = (view: MarketView): void => {
      markets.set(view.facts.ticker, gridMarketOf(view, series.of(view), at))
    }
    await this.#sliced(eachOf(views, AT_ONCE, takeView))
    return { views, series, markets, structure }
  }

  async #indicesOf(
    { views, series, markets }: Standing,
    pairs: readonly MarketPair[],
    at: Millis,
  ): Promise<Grid['indices']> {
    const idOf = (ticker: Ticker): MarketId => markets.get(ticker)?.view.market ?? -1
    return readIndices(
      {
        at,
        markets: await this.#sliced(asWorldMarkets(views, markets)),
        duplicates: pairs,
        gridMarketOf: (ticker) => markets.get(ticker),
        dayMarksOf: (ticker) => series.dayMarksOf(idOf(ticker)),
        hourMarksOf: (ticker) => series.hourMarksOf(idOf(ticker)),
        basket: await this.#basketOf(at),
      },
      this.#deps.history,
    )
  }

  #drop(): void {
    this.#startsOver = false
    this.#series.forget()
    this.#leadLagDay = -1
    this.#basket = null
  }

  /** The basket of the day, chosen from what was known at midnight. */
  async #basketOf(at: Millis): Promise<readonly BasketMember[]> {
    const midnight = (Math.floor(at / DAY) * DAY) as Millis
    if (this.#basket?.at !== midnight) {
      const views = (await this.#deps.board.at(midnight)).list(ACTIVE)
      const markets = await this.#sliced(asWorldMarkets(views, new Map()))
      this.#basket = { at: midnight, members: chooseBasket(markets) }
    }
    return this.#basket.members
  }

  /** Hourly changes by ticker, each made once for all links of a grid. */
  #changesIn(markets: ReadonlyMap<Ticker, GridMarket>, series: GridSeries) {
    const made = new Map<Ticker, Float64Array | undefined>()
    return (ticker: Ticker): Float64Array | undefined => {
      if (made.has(ticker)) return made.get(ticker)
      const ring = series.hourMarksOf(markets.get(ticker)?.view.market ?? -1)
      const changes = ring === undefined ? undefined : changesOf(ring.subarray(-RESPONSE_HOURS - 1))
      made.set(ticker, changes)
      return changes
    }
  }

  #sliced<Result>(steps: Steps<Result>): Promise<Result> {
    return inSlices(steps, () => this.#deps.clock.monotonic())
  }

  /**
   * Hourly changes of the two weeks before a midnight, of the markets and as known then: whenever in the
   * day lead times are looked for, they are the same.
   */
  async #hourlyBefore(midnight: Millis): Promise<HourlyChanges[]> {
    const { history, board } = this.#deps
    const views = [...(await board.at(midnight)).list(null)]
    const from = (midnight - RESPONSE_HOURS * HOUR) as Millis
    const span = { from, step: HOUR, count: RESPONSE_HOURS }
    const ids = views.map(({ market }) => market)
    const prices = await slotPricesOf(history, span, midnight, ids)
    const hourly: HourlyChanges[] = []
    const take = ({ market, facts }: MarketView): void => {
      const marks = prices.get(market)?.marks
      if (marks === undefined) return
      hourly.push({ ticker: facts.ticker, theme: themeOf(facts), changes: changesOf(marks) })
    }
    await this.#sliced(eachOf(views, AT_ONCE, take))
    return hourly
  }

  async #readStructure(
    views: readonly MarketView[],
    at: Millis,
    depth: SeriesDepth,
  ): Promise<Structure> {
    const day = Math.floor(at / DAY)
    // Gauges are read from pairs, not from links.
    const isNewDay = depth === 'whole' && day !== this.#leadLagDay
    const hourly = isNewDay ? await this.#hourlyBefore((day * DAY) as Millis) : null
    const live = views.filter(({ status }) => status === 'active')
    const structure = await this.#deps.structure.read({
      markets: live.map((view) => ({
        facts: structureFacts(view),
        theme: themeOf(view.facts),
        mark: view.mark,
        liquidity: view.liquidityScore,
      })),
      hourly,
      leadLags: this.#leadLags,
      pairsOnly: depth === 'gauges',
    })
    if (depth === 'gauges') return structure
    this.#leadLags = structure.leadLags
    this.#leadLagDay = day
    return structure
  }
}

/** The markets of an instant with their series. */
interface Standing {
  readonly views: readonly MarketView[]
  readonly series: GridSeries
  readonly markets: ReadonlyMap<Ticker, GridMarket>
}

/** Live markets as the gauges read them. */
function* asWorldMarkets(
  views: readonly MarketView[],
  grid: ReadonlyMap<Ticker, GridMarket>,
): Steps<WorldMarket[]> {
  const markets: WorldMarket[] = []
  for (const [place, view] of views.entries()) {
    if (place % AT_ONCE === 0) yield
    if (view.status !== 'active') continue
    markets.push(worldMarketOf(view, grid.get(view.facts.ticker) ?? null, null, null))
  }
  return markets
}

/** Only what is read, so that little is copied to the thread. */
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
})

/** Pairs that are sure enough to be shown, without those that a better one stands for. */
const servedPairs = ({ pairs }: Structure): MarketPair[] =>
  withoutShadowed(pairs.filter(({ confidence }) => confidence >= PAIRING_PRESETS.browse.confidence))

function pairsByTicker(pairs: readonly MarketPair[]): Map<Ticker, MarketPair[]> {
  const byTicker = new Map<Ticker, MarketPair[]>()
  for (const pair of pairs) {
    for (const ticker of [pair.a, pair.b]) {
      const held = byTicker.get(ticker)
      if (held === undefined) byTicker.set(ticker, [pair])
      else held.push(pair)
    }
  }
  return byTicker
}
