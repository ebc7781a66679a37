import type { Venue } from '../../domain/market.ts'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { isTrading, reschedule } from '../catalogue/market.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { secondListing } from '../catalogue/second-listing.ts'
import { tradesWithin } from '../tape/trade-feed.ts'
import type { SimTrade } from '../tape/sim-trade.ts'
import type { World } from '../world.ts'
import { SUDDEN_KINDS } from './fault.ts'
import type { Fault } from './fault.ts'
import type { ActiveFault, Faults } from './faults.ts'

const VENUES: readonly Venue[] = ['venue_a', 'venue_b']
/** Events of an instant are published after it, even to a reader that is up to date. */
const AFTER = 1
/** Minimum age of a trade before it is corrected, so that it was certainly published. */
const SETTLED_TRADE = 20_000

/**
 * Unscheduled events at the venues: markets that close early, reopen, disappear or return, trades
 * corrected or printed late, pauses, wrong clocks. They change the catalogue and the trades, so
 * REST and socket agree on them.
 */
export class VenueIncidents {
  readonly #world: World
  readonly #faults: Faults
  #until: number
  #withdrawn: { readonly market: SimMarket; readonly until: number }[] = []
  #lateTrades: { readonly trade: SimTrade; readonly until: number }[] = []
  /** Pauses whose span is already removed from the trades, and wrong clocks that are recorded. */
  readonly #startedFaults = new Set<number>()

  constructor(world: World, faults: Faults, now: number) {
    this.#world = world
    this.#faults = faults
    this.#until = now
  }

  /** Applies everything that is due by a real time; times never go back. */
  advance(now: number): void {
    if (now < this.#until) return
    for (const venue of VENUES) {
      this.#recordSkew(venue)
      this.#pause(venue)
      this.#delayTrades(venue, now)
      for (
        let active = this.#faults.firstActive(venue, SUDDEN_KINDS);
        active !== null && this.#apply(active, this.nowOf(venue, now));
      )
        active = this.#faults.firstActive(venue, SUDDEN_KINDS)
    }
    this.#recover(now)
    this.#until = now
  }

  /** The time of a venue: its clock may be wrong, and a pause stops its markets. */
  nowOf(venue: Venue, now: number): number {
    const pause = this.#faults.firstActive(venue, ['pause'])
    return (pause?.from ?? now) + this.#skewOf(venue)
  }

  /** The venue's own clock, also during a pause. */
  clockOf(venue: Venue, now: number): number {
    return now + this.#skewOf(venue)
  }

  isPaused(venue: Venue): boolean {
    return this.#faults.firstActive(venue, ['pause']) !== null
  }

  #skewOf(venue: Venue): number {
    return this.#faults.firstActive(venue, ['clock-skew'])?.fault.milliseconds ?? 0
  }

  #recordSkew(venue: Venue): void {
    const skew = this.#faults.firstActive(venue, ['clock-skew'])
    if (skew === null || this.#startedFaults.has(skew.id)) return
    this.#startedFaults.add(skew.id)
    skew.record('venue')
  }

  #pause(venue: Venue): void {
    const pause = this.#faults.firstActive(venue, ['pause'])
    if (pause === null || this.#startedFaults.has(pause.id)) return
    this.#startedFaults.add(pause.id)
    const from = pause.from + this.#skewOf(venue)
    this.#world.tape.edits.removeTrades(venue, null, from, from + (pause.fault.forMs ?? 0))
    pause.record('venue')
  }

  /** Removes trades as they happen; `#recover` prints them later. */
  #delayTrades(venue: Venue, now: number): void {
    const [from, to] = [this.nowOf(venue, this.#until), this.nowOf(venue, now)]
    const { catalogue, tape } = this.#world
    const delaysTrades = this.#faults.firstActive(venue, ['late-trade']) !== null
    if (!delaysTrades || to <= from) return
    const trades = catalogue
      .markets(venue, to)
      .filter((market) => market.closeAt > from)
      .flatMap((market) => tradesWithin(market, from, to, tape))
      .sort((a, b) => a.at - b.at || a.market.key - b.market.key)
    for (const trade of trades) {
      const active = this.#faults.firstActive(venue, ['late-trade'], (fault) =>
        names(fault, trade.market),
      )
      if (active === null) continue
      active.record('trade', [trade.market.id])
      tape.edits.remove(trade)
      this.#lateTrades.push({ trade, until: now + active.fault.milliseconds })
    }
  }

  #recover(now: number): void {
    const { tape, catalogue } = this.#world
    const dueTrades = this.#lateTrades.filter(({ until }) => until <= now)
    for (const { trade } of dueTrades)
      tape.edits.restore(trade, this.nowOf(trade.market.venue, now) + AFTER)
    this.#lateTrades = this.#lateTrades.filter(({ until }) => until > now)
    for (const { market, until } of this.#withdrawn) if (until <= now) catalogue.readmit(market)
    this.#withdrawn = this.#withdrawn.filter(({ until }) => until > now)
  }

  /** Returns false when nothing exists yet to which it applies, so that it waits. */
  #apply(active: ActiveFault, now: number): boolean {
    const { fault } = active
    if (fault.kind === 'correct-trade') return this.#correct(active, now)
    const market = this.#choose(fault, now)
    if (market === null) return false
    active.record('market', [market.id])
    switch (fault.kind) {
      case 'delist':
        this.#delist(market, fault, now)
        break
      case 'close-early':
        this.#close(market, now)
        break
      case 'reopen':
        this.#reopen(market, now, fault.forMs ?? HOUR)
        break
      case 'relist':
        this.#world.catalogue.add(secondListing(market, now as Millis))
    }
    return true
  }

  /** A named market in the right state, otherwise the busiest one. */
  #choose(fault: Fault, now: number): SimMarket | null {
    const isCandidate = (market: SimMarket): boolean => {
      if (!names(fault, market) || market.placeholder) return false
      if (fault.kind === 'reopen') return now >= market.closeAt && now < market.determinedAt
      if (fault.kind === 'relist')
        return now >= market.settledAt && now < market.settledAt + 60 * DAY
      return isTrading(market, now)
    }
    const candidates = this.#world.catalogue.markets(fault.venue, now).filter(isCandidate)
    return candidates.reduce<SimMarket | null>(
      (best, market) => (best === null || market.tradesPerDay > best.tradesPerDay ? market : best),
      null,
    )
  }

  /** An unlisted market has no trades. */
  #delist(market: SimMarket, { forMs }: Fault, now: number): void {
    const { catalogue, tape } = this.#world
    catalogue.withdraw(market)
    if (forMs === null) return
    tape.edits.removeTrades(market.venue, market, now, now + forMs)
    this.#withdrawn.push({ market, until: this.#until + forMs })
  }

  #close(market: SimMarket, now: number): void {
    const { tape } = this.#world
    const hour = Math.floor(now / HOUR)
    tape.pin(market, hour)
    tape.edits.removeTrades(market.venue, market, now, (hour + 1) * HOUR)
    const closeAt = now + AFTER
    const shift = closeAt - market.closeAt
    reschedule(market, {
      closeAt: closeAt as Millis,
      determinedAt: (market.determinedAt + shift) as Millis,
      settledAt: (market.settledAt + shift) as Millis,
    })
  }

  #reopen(market: SimMarket, now: number, span: number): void {
    const { tape, announcements } = this.#world
    tape.pin(market, Math.floor(market.closeAt / HOUR))
    tape.edits.removeTrades(market.venue, market, market.closeAt, now)
    const closeAt = now + span
    const shift = closeAt - market.closeAt
    reschedule(market, {
      endAt: closeAt as Millis,
      closeAt: closeAt as Millis,
      determinedAt: (market.determinedAt + shift) as Millis,
      settledAt: (market.settledAt + shift) as Millis,
    })
    const message = { at: now + AFTER, market: market.id }
    const close_ts = Math.floor(closeAt / 1_000)
    announcements.push({ ...message, type: 'close_date_updated', details: { close_ts } })
    announcements.push({ ...message, type: 'activated', details: { is_deactivated: false } })
  }

  #correct(active: ActiveFault, now: number): boolean {
    const { catalogue, tape } = this.#world
    const candidates = catalogue
      .markets(active.fault.venue, now)
      .filter((market) => names(active.fault, market) && isTrading(market, now))
      .flatMap((market) => tradesWithin(market, now - HOUR, now - SETTLED_TRADE, tape))
      .filter((trade) => !trade.isBlock)
      .sort((a, b) => b.at - a.at || a.market.key - b.market.key)
    const trade = candidates[active.effectCount]
    if (trade === undefined) return false
    const price = trade.price > 5_000 ? trade.price - 100 : trade.price + 100
    tape.edits.correct(trade, { price, size: trade.size * 2 }, now + AFTER)
    active.record('trade', [trade.market.id])
    return true
  }
}

const names = ({ markets }: Fault, { id, tokens }: SimMarket): boolean =>
  markets === null || markets.has(id) || tokens.some((token) => markets.has(token))
