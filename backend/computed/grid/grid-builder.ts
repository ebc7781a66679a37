import { GRID } from '../../domain/change-rows.ts'
import { overround } from '../../domain/indicators.ts'
import type { HourlyChanges, LeadLag } from '../../domain/links/lead-lag.ts'
import type { Ticker } from '../../domain/market.ts'
import { bestPairs, withoutShadowed, type MarketPair } from '../../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { themeOf } from '../../domain/topics.ts'
import type { RegimeLabel } from '../../domain/regime-label.ts'
import { DAY, HOUR, MINUTE, type Cents, type Millis } from '../../domain/units.ts'
import type { ContextStore, HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import { eachOf, inSlices, type Steps } from '../../lib/slices.ts'
import type { MarketStatus } from '../../domain/market.ts'
import { chooseBasket, type BasketMember } from '../../domain/world/geo-basket.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { MarketBoard, MarketView } from '../market-board.ts'
import { worldMarketOf } from '../world/world-markets.ts'
import type { ReferencePrices } from '../reference-prices.ts'
import type { Grid, GridMarket } from './grid.ts'
import { crossVenueEdges, eventEdgesOf, type BooksReader } from './implied-edges.ts'
import { readIndices } from './index-readings.ts'
import { readLinks } from './links-read.ts'
import {
  DAYS_BACK,
  gridMarketOf,
  HOURS_BACK,
  QUARTERS_BACK,
  RESPONSE_HOURS,
} from './market-quantities.ts'
import { changesOf, PriceRings } from './price-rings.ts'
import { PrintLedger } from './print-ledger.ts'
import { slotPricesOf } from './slot-prices.ts'
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
  readonly #hours: PriceRings
  readonly #quarters: PriceRings
  readonly #prints: PrintLedger
  #basket: { readonly at: Millis; readonly members: readonly BasketMember[] } | null = null
  #leadLags: readonly LeadLag[] = []
  /** UTC day for which lead times were looked for. */
  #leadLagDay = -1
  #startsOver = false

  constructor(deps: GridDeps) {
    this.#deps = deps
    const { history } = deps
    this.#hours = new PriceRings(history, { step: HOUR, count: HOURS_BACK, column: 'marks' })
    this.#quarters = new PriceRings(history, {
      step: GRID,
      count: QUARTERS_BACK,
      column: 'prices',
    })
    this.#prints = new PrintLedger(history)
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
    const { history, board, reference } = this.#deps
    if (this.#startsOver) this.#drop()
    const snapshot = await board.at(at)
    const views = [...snapshot.list(null)]
    const ids = new Set(views.map(({ market }) => market))
    await this.#hours.moveTo(at, ids)
    await this.#quarters.moveTo(at, ids)
    await this.#prints.moveTo(at)
    const days = await slotPricesOf(
      history,
      { from: (at - DAYS_BACK * DAY) as Millis, step: DAY, count: DAYS_BACK },
      at,
      [...ids],
    )
    const minutes = await slotPricesOf(
      history,
      { from: (at - HOUR) as Millis, step: MINUTE, count: 60 },
      at,
      [...ids],
    )
    const sixAgo = await reference.pricesAt((at - 6 * HOUR) as Millis)
    // The row of this very instant, if it is stored already, must not stand for the one before.
    const labels = await this.#labelsBefore(at)
    const overrounds = overroundsOf(views)
    const markets = new Map<Ticker, GridMarket>()
    const takeView = (view: MarketView): void => {
      const { market, facts } = view
      const series = {
        days: days.get(market),
        minutes: minutes.get(market),
        hourMarks: this.#hours.of(market),
        quarterPrices: this.#quarters.of(market),
        marks6hAgo: sixAgo.get(market)?.mark ?? null,
        costs: this.#prints.of(market),
        label: labels.get(market) ?? null,
        overround: overrounds.get(eventKey(view)) ?? null,
      }
      markets.set(facts.ticker, gridMarketOf(view, series, at))
    }
    await this.#sliced(eachOf(views, AT_ONCE, takeView))
    const structure = await this.#readStructure(markets, at)
    const booksOf: BooksReader = (some) => board.storedBooks(some, at)
    const served = withoutShadowed(
      structure.pairs.filter(({ confidence }) => confidence >= PAIRING_PRESETS.browse.confidence),
    )
    const links = await this.#sliced(readLinks(structure.links, markets, this.#changesIn(markets)))
    const grid = {
      at,
      markets,
      pairs: served,
      pairOf: bestPairs(served),
      pairsOf: pairsByTicker(served),
      ...links,
      ladders: structure.ladders,
      crossVenue: await crossVenueEdges(served, markets, booksOf),
      eventEdges: await eventEdgesOf(markets, structure.ladders, booksOf),
    }
    const idOf = (ticker: Ticker): MarketId => markets.get(ticker)?.view.market ?? -1
    const indices = await readIndices(
      {
        at,
        markets: await this.#sliced(asWorldMarkets(views, markets)),
        duplicates: served,
        gridMarketOf: (ticker) => markets.get(ticker),
        dayMarksOf: (ticker) => days.get(idOf(ticker))?.marks,
        hourMarksOf: (ticker) => this.#hours.of(idOf(ticker)),
        basket: await this.#basketOf(at),
      },
      history,
    )
    return { ...grid, indices }
  }

  #drop(): void {
    this.#startsOver = false
    this.#hours.forget()
    this.#quarters.forget()
    this.#prints.forget()
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
  #changesIn(markets: ReadonlyMap<Ticker, GridMarket>) {
    const made = new Map<Ticker, Float64Array | undefined>()
    return (ticker: Ticker): Float64Array | undefined => {
      if (made.has(ticker)) return made.get(ticker)
      const ring = this.#hours.of(markets.get(ticker)?.view.market ?? -1)
      const changes = ring === undefined ? undefined : changesOf(ring.subarray(-RESPONSE_HOURS - 1))
      made.set(ticker, changes)
      return changes
    }
  }

  #sliced<Result>(steps: Steps<Result>): Promise<Result> {
    return inSlices(steps, () => this.#deps.clock.monotonic())
  }

  async #labelsBefore(at: Millis): Promise<ReadonlyMap<MarketId, RegimeLabel>> {
    const rows = await this.#deps.history.newestRegimes((at - 1) as Millis)
    return new Map(rows.map(({ market, label }) => [market, label]))
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

  async #readStructure(markets: ReadonlyMap<Ticker, GridMarket>, at: Millis) {
    const day = Math.floor(at / DAY)
    const isNewDay = day !== this.#leadLagDay
    const hourly = isNewDay ? await this.#hourlyBefore((day * DAY) as Millis) : null
    const live = [...markets.values()].filter(({ view }) => view.status === 'active')
    const structure = await this.#deps.structure.read({
      markets: live.map(({ view, theme }) => ({
        facts: structureFacts(view),
        theme,
        mark: view.mark,
        liquidity: view.liquidityScore,
      })),
      hourly,
      leadLags: this.#leadLags,
    })
    this.#leadLags = structure.leadLags
    this.#leadLagDay = day
    return structure
  }
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

const eventKey = ({ facts }: MarketView): string => `${facts.venue}|${facts.eventId}`

/** Overround of each exclusive event (A7). */
function overroundsOf(views: readonly MarketView[]): Map<string, Cents | null> {
  const events = Map.groupBy(
    views.filter(({ facts }) => facts.exclusive),
    eventKey,
  )
  const found = new Map<string, Cents | null>()
  for (const [event, outcomes] of events) {
    const live = outcomes.filter(({ status }) => ['active', 'paused', 'upcoming'].includes(status))
    const quotes = live.map(({ status, bestBid, bestAsk }) => ({
      bid: bestBid,
      ask: bestAsk,
      tradable: status === 'active',
    }))
    found.set(event, overround(true, quotes))
  }
  return found
}

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
