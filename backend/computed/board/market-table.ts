import type { MarketStatus, Venue } from '../../domain/market.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { statusAt } from '../../domain/market-status.ts'
import type { MarketReading } from '../../domain/finder/reading.ts'
import type { Steps } from '../../domain/cooperative-steps.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { MarketNumbers, MarketRecord } from '../../history/market-rows.ts'
import type { BoardView, MarketView, SearchHit, SearchScope } from './market-board.ts'
import { codeScore } from '../../domain/finder/codes.ts'
import { findByCode, nearestOfSeries } from './code-search.ts'
import { MarketSearch } from './market-search.ts'
import { describeMarket, type DescribedMarket } from './described-market.ts'
import { noNumbers, viewOf } from './market-view.ts'
import { searchInputsAt } from './searched-market.ts'

type MutableNumbers = { -readonly [K in keyof MarketNumbers]: MarketNumbers[K] }

/**
 * Facts and newest numbers of a set of markets, indexed by ticker, alias and event. The live board
 * keeps one up to date; a past instant gets its own from history.
 */
export class MarketTable {
  readonly #describedMarkets = new Map<MarketId, DescribedMarket>()
  readonly #numbers = new Map<MarketId, MutableNumbers>()
  readonly #byName = new Map<string, MarketId>()
  readonly #byEvent = new Map<string, Set<MarketId>>()
  readonly #search = new MarketSearch(() => this.records())

  get size(): number {
    return this.#describedMarkets.size
  }

  /** Adds a market or replaces its facts. */
  put(record: MarketRecord): void {
    const existing = this.#describedMarkets.get(record.market)
    if (existing !== undefined) this.#dropNames(existing)
    const description = describeMarket(record)
    const { facts } = record
    this.#describedMarkets.set(record.market, description)
    this.#byName.set(facts.ticker, record.market)
    for (const alias of facts.aliases) this.#byName.set(canonicalTicker(alias), record.market)
    const event = eventKey(facts.venue, facts.eventId)
    const family = this.#byEvent.get(event)
    if (family === undefined) this.#byEvent.set(event, new Set([record.market]))
    else family.add(record.market)
    this.#search.put(record)
  }

  remove(market: MarketId): void {
    const existing = this.#describedMarkets.get(market)
    if (existing === undefined) return
    this.#dropNames(existing)
    this.#describedMarkets.delete(market)
    this.#numbers.delete(market)
    this.#search.remove(market)
  }

  record(market: MarketId): MarketRecord | null {
    return this.#describedMarkets.get(market)?.record ?? null
  }

  /** Prepares the search step by step; otherwise the first search does all of it. */
  prepareSearch(): Steps<void> {
    return this.#search.prepare()
  }

  *records(): Generator<MarketRecord> {
    for (const { record } of this.#describedMarkets.values()) yield record
  }

  markets(): Iterable<MarketId> {
    return this.#describedMarkets.keys()
  }

  /** The mutable numbers of a market. */
  numbers(market: MarketId): MutableNumbers {
    let numbers = this.#numbers.get(market)
    if (numbers === undefined) {
      numbers = noNumbers(market)
      this.#numbers.set(market, numbers)
    }
    return numbers
  }

  setNumbers(numbers: MarketNumbers): void {
    this.#numbers.set(numbers.market, { ...numbers })
  }

  find(name: string): MarketId | null {
    return this.#byName.get(canonicalTicker(name)) ?? null
  }

  /** A view of this table at `asOf`; `pricesDayAgo` are the headline prices 24 h before. */
  snapshot(asOf: Millis, pricesDayAgo: ReadonlyMap<MarketId, Cents | null>): BoardView {
    const views = new Map<MarketId, MarketView>()
    const view = (market: MarketId, describedMarket: DescribedMarket): MarketView => {
      const newView = views.get(market)
      if (newView !== undefined) return newView
      const numbers = this.#numbers.get(market) ?? noNumbers(market)
      const currentView = viewOf(describedMarket, numbers, pricesDayAgo.get(market) ?? null, asOf)
      views.set(market, currentView)
      return currentView
    }
    const viewsOf = (markets: Iterable<MarketId>): MarketView[] => {
      const matchingViews: MarketView[] = []
      for (const market of markets) {
        const description = this.#describedMarkets.get(market)
        if (description !== undefined) matchingViews.push(view(market, description))
      }
      return matchingViews
    }
    const namedView = (market: MarketId): MarketView | null => viewsOf([market])[0] ?? null
    const readingOf = (market: MarketId): MarketReading => {
      const description = this.#describedMarkets.get(market)
      if (description === undefined) throw new Error(`No market ${market} in the table`)
      return description.reading
    }
    const candidatesIn = (scope: SearchScope) => {
      const keep = typeof scope === 'function' ? scope : null
      const scopeVenue = venueOf(scope)
      return (market: MarketId) => {
        const description = this.#describedMarkets.get(market)
        if (description === undefined) return null
        if (scopeVenue !== null && description.record.facts.venue !== scopeVenue) return null
        const searchInputs = searchInputsAt(description, this.#numbers.get(market) ?? null, asOf)
        return keep === null || keep(searchInputs) ? searchInputs : null
      }
    }
    return {
      asOf,
      get: (name) => viewsOf([this.find(name) ?? -1])[0] ?? null,
      list: (statuses: ReadonlySet<MarketStatus> | null) => {
        if (statuses === null) return viewsOf(this.#describedMarkets.keys())
        const matchingViews: MarketView[] = []
        for (const [market, describedMarket] of this.#describedMarkets) {
          if (statuses.has(statusAt(describedMarket.record.facts, asOf)))
            matchingViews.push(view(market, describedMarket))
        }
        return matchingViews
      },
      marketsOfEvent: (venue, eventId) =>
        viewsOf(this.#byEvent.get(eventKey(venue, eventId)) ?? []),
      search: (query, scope, limit): readonly SearchHit[] =>
        this.#search.rank(
          query,
          this.find(query.trim()),
          candidatesIn(scope),
          namedView,
          limit,
          venueOf(scope),
        ),
      find: (query, scope, limit) => {
        const marketOf = candidatesIn(scope)
        const byCode = findByCode(query, this.records(), marketOf, namedView, limit)
        if (byCode.length > 0) {
          return {
            hits: byCode,
            nearest: [],
            matchesQuestion: ({ facts }) => codeScore(facts, query.trim()) > 0,
          }
        }
        const searchHits = this.#search.find(
          query,
          this.find(query.trim()),
          { marketOf, readingOf, viewOf: namedView },
          { asOf, limit, venue: venueOf(scope) },
        )
        if (searchHits.hits.length > 0) return searchHits
        const nearest = nearestOfSeries(query, this.records(), marketOf, namedView)
        return nearest.length === 0 ? searchHits : { ...searchHits, nearest }
      },
    }
  }

  #dropNames({ record }: DescribedMarket): void {
    const { facts, market } = record
    for (const name of [facts.ticker, ...facts.aliases.map(canonicalTicker)]) {
      if (this.#byName.get(name) === market) this.#byName.delete(name)
    }
    const event = eventKey(facts.venue, facts.eventId)
    const family = this.#byEvent.get(event)
    family?.delete(market)
    if (family?.size === 0) this.#byEvent.delete(event)
  }
}

const venueOf = (scope: SearchScope): Venue | null => (typeof scope === 'string' ? scope : null)
const eventKey = (venue: Venue, eventId: string): string => `${venue}:${eventId}`
