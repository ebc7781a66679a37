import { QUARTER_HOUR, quarterHourOf } from '../domain/changes/change-rows.ts'
import { statusAt } from '../domain/market-status.ts'
import type { MarketStatus, Venue } from '../domain/market.ts'
import {
  factsChanges,
  MOVE_STEP,
  priceMoveAt,
  priceMoves,
  type FactsVersion,
  type LastMove,
  type MarketChange,
} from '../domain/prices/price-moves.ts'
import { DAY, roundTo, SECOND, type Cents, type Millis } from '../domain/units.ts'
import type { ChangeRow, ChangesQuery } from '../history/change-events.ts'
import type { HistoryColumns } from '../history/context-store.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { MarketRecord } from '../history/market-rows.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { forEachInSteps, runCooperatively } from '../lib/process/run-cooperatively.ts'
import { centsAt, newestPrices, passingPrices } from './snapshot/slot-prices.ts'
import type { LiveTable } from './board/live-table.ts'
import { pricesOf } from './board/market-view.ts'
import type { ReferencePrices } from './board/reference-prices.ts'

/** History that changes are derived from and stored in. */
type ChangeHistory = HistoryStore & Pick<HistoryColumns, 'slots' | 'lateMarkets'>

/** Changes can be requested this far back, so the first start derives them that far. */
const DERIVED_BACK = (30 * DAY) as Millis
const MARKETS_PER_BATCH = 1_000
/** A timer may fire slightly before its instant by the wall clock. */
const TIMER_TOLERANCE = SECOND
/** Maximum buffered changes when writes are deferred until a read. */
const MAX_UNWRITTEN = 5_000

/**
 * Derives change events of markets (methodology F6): facts as they arrive, prices and time-driven
 * states at each quarter hour. Each event is stored once, when it first holds.
 */
export class ChangeWatch {
  readonly #history: ChangeHistory
  readonly #live: LiveTable
  readonly #reference: ReferencePrices
  readonly #clock: Clock
  readonly #log: Logger
  readonly #writesWhenRead: boolean
  readonly #versions = new Map<MarketId, FactsVersion>()
  readonly #lastMoves = new Map<MarketId, LastMove>()
  #pending: ChangeRow[] = []
  /** The first snapshot instant of this run; earlier changes are derived from history. */
  #readFrom: Millis | null = null
  #reading: Promise<void> = Promise.resolve()
  #pendingWrite: Promise<void> = Promise.resolve()

  constructor(deps: {
    history: ChangeHistory
    live: LiveTable
    reference: ReferencePrices
    clock: Clock
    log: Logger
    /**
     * Whether changes found at a quarter hour are written only on the next read, or when there are
     * many.
     */
    writesWhenRead?: boolean
  }) {
    this.#writesWhenRead = deps.writesWhenRead ?? false
    this.#history = deps.history
    this.#live = deps.live
    this.#reference = deps.reference
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** Resumes where an earlier run stopped. */
  async resume(records: readonly MarketRecord[], now: Millis): Promise<void> {
    for (const { market, facts } of records) {
      this.#versions.set(market, { ...facts, status: statusAt(facts, now) })
    }
    const moves = await this.#storedMoves((now - DAY) as Millis, now, now)
    for (const [market, move] of moves) this.#lastMoves.set(market, move)
  }

  /** The newest price move of each market in (since, to], of those known at `asOf`. */
  async #storedMoves(since: Millis, to: Millis, asOf: Millis): Promise<Map<MarketId, LastMove>> {
    const moves = await this.#history.changes({
      since,
      asOf,
      types: ['price_move'],
      markets: null,
      after: null,
      limit: 1_000_000,
    })
    const newest = new Map<MarketId, LastMove>()
    for (const { market, at, after } of moves) {
      if (typeof after === 'number' && at <= to && !newest.has(market)) {
        newest.set(market, { at, after: after as Cents })
      }
    }
    return newest
  }

  /** Handles new or changed facts of a market. */
  recordFacts({ market, facts, knownAt }: MarketRecord): void {
    const after = { ...facts, status: statusAt(facts, knownAt) }
    this.#pending.push(...this.#changesTo(market, after, knownAt))
  }

  /**
   * Handles imported markets. Their stored changes were imported with them, so only markets whose
   * beginning is among them have further new events.
   */
  async addImported(records: readonly MarketRecord[], now: Millis): Promise<void> {
    await this.write()
    const [startedMarkets, storedMoves] = await Promise.all([
      this.#storedIds({ types: ['new_market'], since: -1 as Millis, asOf: now }),
      this.#storedMoves((now - DAY) as Millis, now, now),
    ])
    for (const [market, move] of storedMoves) {
      if ((this.#lastMoves.get(market)?.at ?? 0) < move.at) this.#lastMoves.set(market, move)
    }
    const changeRows: ChangeRow[] = []
    for (const { market, facts, knownAt } of records) {
      const after = { ...facts, status: statusAt(facts, knownAt) }
      const isStarted = !this.#versions.has(market) && startedMarkets.markets.has(market)
      if (isStarted) this.#versions.set(market, after)
      else changeRows.push(...this.#changesTo(market, after, knownAt))
    }
    if (changeRows.length === 0) return
    const times = changeRows.map(({ at }) => at)
    const since = times.reduce((first, at) => Math.min(first, at), Infinity) - 1
    const { ids } = await this.#storedIds({ types: null, since: since as Millis, asOf: now })
    this.#pending.push(...changeRows.filter(({ id }) => !ids.has(id)))
  }

  async #storedIds(
    query: Pick<ChangesQuery, 'types' | 'since' | 'asOf'>,
  ): Promise<{ ids: ReadonlySet<string>; markets: ReadonlySet<MarketId> }> {
    const all = { markets: null, after: null, limit: 10_000_000 }
    const rows = await this.#history.changes({ ...query, ...all })
    return {
      ids: new Set(rows.map(({ id }) => id)),
      markets: new Set(rows.map(({ market }) => market)),
    }
  }

  /** Runs at each quarter hour until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const newest = () => quarterHourOf((this.#clock.now() + TIMER_TOLERANCE) as Millis)
    const msUntilNext = () => newest() + QUARTER_HOUR - this.#clock.now()
    while (await sleepUnless(signal, this.#clock, msUntilNext())) {
      try {
        await this.readSnapshot(newest())
      } catch (error) {
        this.#log.error({ err: error }, 'changes of the quarter hour could not be computed')
      }
    }
  }

  /** Reads prices and time-driven states of all open markets at a snapshot instant. */
  readSnapshot(instant: Millis): Promise<void> {
    const reading = this.#readSnapshot(instant)
    this.#reading = reading.catch(() => {})
    return reading
  }

  async #readSnapshot(instant: Millis): Promise<void> {
    this.#readFrom ??= instant
    const dayAgo = await this.#reference.dayBefore(instant)
    const { table } = this.#live
    for (const market of table.markets()) {
      const record = table.record(market)
      if (record === null) continue
      const readAt = this.#clock.now()
      const after = { ...record.facts, status: statusAt(record.facts, instant) }
      this.#pending.push(...this.#changesTo(market, after, instant, readAt))
      const now = pricesOf(record, table.numbers(market), instant).price
      const move = priceMoveAt(record.facts.ticker, instant, {
        now,
        dayAgo: dayAgo.get(market) ?? null,
        lastMove: this.#lastMoves.get(market) ?? null,
      })
      if (move === null || now === null) continue
      this.#lastMoves.set(market, { at: instant, after: now })
      this.#pending.push(rowOf(market, move, readAt))
    }
    if (!this.#writesWhenRead || this.#pending.length >= MAX_UNWRITTEN) await this.write()
  }

  /**
   * Derives the price moves of history that was fetched afterwards, or until the signal: for each
   * market those after its newest stored one, up to where this run began to read snapshots. They
   * are known from now on; for a past that was fetched for the first time, from when they
   * happened.
   * @param firstRead venues whose past was fetched for the first time
   */
  async deriveFromHistory(
    now: Millis,
    signal: AbortSignal,
    firstRead: ReadonlySet<Venue>,
  ): Promise<void> {
    // Changes that an earlier attempt found and could not write would be found again.
    await this.write()
    const to =
      this.#readFrom === null ? quarterHourOf(now) : ((this.#readFrom - QUARTER_HOUR) as Millis)
    const from = (to - DERIVED_BACK) as Millis
    const storedMoves = await this.#storedMoves((from - 1) as Millis, to, now)
    const markets = [...this.#versions.keys()].sort((a, b) => a - b)
    // Each move is measured from a day before.
    const start = (from - DAY) as Millis
    const span = { from: start, step: QUARTER_HOUR, count: (to - start) / QUARTER_HOUR }
    const pricesIn = passingPrices(this.#history, span, now)
    for (let first = 0; first < markets.length && !signal.aborted; first += MARKETS_PER_BATCH) {
      const some = markets.slice(first, first + MARKETS_PER_BATCH)
      const derivation = forEachInSteps(await pricesIn(some), 1, ([market, slots]) => {
        const prices = newestPrices(slots)
        if (rangeOf(prices) < MOVE_STEP) return
        const previous = storedMoves.get(market) ?? null
        const since = previous === null ? from : previous.at + QUARTER_HOUR
        const instants: Millis[] = []
        for (let at = since; at <= to; at += QUARTER_HOUR) instants.push(at as Millis)
        const priceAt = (at: Millis) => centsAt(prices, (at - start) / QUARTER_HOUR)
        const { ticker, venue } = this.#history.keyOf(market)
        const moves = priceMoves(ticker, instants, priceAt, previous)
        this.#addMoves(market, moves, firstRead.has(venue))
      })
      await runCooperatively(derivation, () => this.#clock.monotonic())
      await this.write()
    }
  }

  /** @param isFirst whether its past was fetched for the first time */
  #addMoves(market: MarketId, moves: readonly MarketChange[], isFirst: boolean): void {
    for (const move of moves) {
      this.#pending.push(rowOf(market, move, isFirst ? move.at : this.#clock.now()))
    }
    const last = moves.at(-1)
    const isNewer = (this.#lastMoves.get(market)?.at ?? 0) < (last?.at ?? 0)
    if (isNewer && last !== undefined && typeof last.after === 'number') {
      this.#lastMoves.set(market, { at: last.at, after: last.after as Cents })
    }
  }

  /** Stores changes from other sources; those that cannot be written now are kept for later. */
  addRows(changes: readonly ChangeRow[]): Promise<void> {
    this.#pending.push(...changes)
    return this.write()
  }

  /** Resolves when all changes up to now are derived. */
  waitUntilDerived(): Promise<void> {
    return this.#reading
  }

  /**
   * Resolves when all changes up to now can be read; those that cannot be written are kept for
   * later.
   */
  async settle(): Promise<void> {
    await this.#reading
    await this.write().catch(() => {})
  }

  /** Stores buffered changes, one batch at a time. */
  write(): Promise<void> {
    const pendingWrite = this.#pendingWrite.then(() => this.#append())
    this.#pendingWrite = pendingWrite.catch(() => {})
    return pendingWrite
  }

  async #append(): Promise<void> {
    const changes = this.#pending
    if (changes.length === 0) return
    this.#pending = []
    try {
      await this.#history.append({ changes })
    } catch (error) {
      this.#pending = [...changes, ...this.#pending]
      throw error
    }
  }

  #changesTo(
    market: MarketId,
    after: FactsVersion & { status: MarketStatus },
    at: Millis,
    derivedAt = at,
  ): ChangeRow[] {
    const previous = this.#versions.get(market) ?? null
    this.#versions.set(market, after)
    return factsChanges(previous, after, at).map((change) => rowOf(market, change, derivedAt))
  }
}

/** Cents between the lowest and highest known price; -Infinity when none is known. */
function rangeOf(prices: Float64Array): number {
  let [min, greatest] = [Infinity, -Infinity]
  for (const price of prices) {
    if (price < min) min = price
    if (price > greatest) greatest = price
  }
  // Rounded like moves, because a difference of fractional cents is inexact.
  return roundTo(greatest - min, 4)
}

const rowOf = (market: MarketId, change: MarketChange, derivedAt: Millis): ChangeRow => ({
  market,
  ...change,
  ...(derivedAt > change.at && { knownAt: derivedAt }),
})
