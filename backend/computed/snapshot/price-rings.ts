import type { Millis } from '../../domain/units.ts'
import type { HistoryColumns } from '../../history/context-store.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import { columnPages } from './column-pages.ts'
import { LATEST, slotPricesOf, type SlotPrices } from './slot-prices.ts'

/** Number of slots that are read again, because rows of the last one often arrive a little late. */
const REREAD_SLOTS = 4

type Reads = Pick<HistoryColumns, 'slots' | 'lateMarkets'> & Pick<HistoryStore, 'numbersAt'>
type Column = 'prices' | 'marks' | 'lasts'
type Columns<C extends Column> = Readonly<Record<C, Float64Array>>

/**
 * Prices of markets at the newest `count` + 1 instants, advanced with time: read completely once,
 * then a few slots at a time, and completely again for markets with late rows or that are new to
 * the reader. The arrays are oldest first and end at the last requested instant.
 */
export class PriceRings<C extends Column> {
  readonly #history: Reads
  readonly #step: Millis
  readonly #count: number
  readonly #columns: readonly C[]
  /** The newest instant of the rings, and when they were read. */
  #at: Millis | null = null
  #knownAt: Millis | null = null
  #rings = new Map<MarketId, Columns<C>>()
  /** Markets that were read, with or without data. */
  #markets: ReadonlySet<MarketId> = new Set()

  constructor(
    history: Reads,
    { step, count, columns }: { step: Millis; count: number; columns: readonly C[] },
  ) {
    this.#history = history
    this.#step = step
    this.#count = count
    this.#columns = columns
  }

  /** Rows arrived late or were corrected: the next read starts over. */
  invalidate(): void {
    this.#at = null
    this.#knownAt = null
    this.#rings = new Map()
    this.#markets = new Set()
  }

  /** Advances these markets to the newest slot at or before `at`, as known at `at`. */
  async moveTo(at: Millis, markets: ReadonlySet<MarketId>): Promise<void> {
    const to = (Math.floor(at / this.#step) * this.#step) as Millis
    const steps = this.#at === null ? this.#count : (to - this.#at) / this.#step
    // Within a step rows of earlier slots may have arrived late.
    if (this.#knownAt === at) return
    const isFresh = steps < 0 || steps + REREAD_SLOTS >= this.#count
    const count = isFresh ? this.#count : steps + REREAD_SLOTS
    const from = (to - count * this.#step) as Millis
    const read = await slotPricesOf(this.#history, { from, step: this.#step, count }, at, [
      ...markets,
    ])
    const wholePrices = isFresh
      ? new Map<MarketId, SlotPrices>()
      : await this.#readWhole(await this.#unread(from, to, at, markets), to, at)
    const rings = new Map<MarketId, Columns<C>>()
    const next = columnPages(Float64Array, this.#count + 1)
    for (const [market, slots] of read) {
      const ring = this.#mapColumns((column) =>
        isFresh
          ? slots[column]
          : this.#shiftRing(next(), this.#rings.get(market), slots, column, steps),
      )
      rings.set(market, ring)
    }
    for (const [market, slots] of wholePrices) {
      rings.set(
        market,
        this.#mapColumns((column) => slots[column]),
      )
    }
    // A market without recent rows keeps its last value.
    if (!isFresh) {
      for (const [market, ring] of this.#rings) {
        if (!markets.has(market) || rings.has(market)) continue
        rings.set(
          market,
          this.#mapColumns((column) => shiftInto(next(), ring[column], steps)),
        )
      }
    }
    this.#rings = rings
    this.#markets = markets
    this.#at = to
    this.#knownAt = at
  }

  /** Oldest first, `count` + 1 of each; undefined when nothing is known of the market. */
  get(market: MarketId): Columns<C> | undefined {
    return this.#rings.get(market)
  }

  #mapColumns(columnOf: (column: C) => Float64Array): Columns<C> {
    return Object.fromEntries(
      this.#columns.map((column) => [column, columnOf(column)]),
    ) as Columns<C>
  }

  /** Markets that are new, or some of whose rows before `from` became known later. */
  async #unread(
    from: Millis,
    to: Millis,
    at: Millis,
    markets: ReadonlySet<MarketId>,
  ): Promise<MarketId[]> {
    // The value before the first slot is carried into it.
    const oldest = (to - this.#count * this.#step - LATEST) as Millis
    const lateMarkets = await this.#history.lateMarkets({ from: oldest, before: from, asOf: at })
    const unread = new Set(lateMarkets)
    for (const market of markets) if (!this.#markets.has(market)) unread.add(market)
    return [...unread].filter((market) => markets.has(market))
  }

  async #readWhole(
    markets: readonly MarketId[],
    to: Millis,
    at: Millis,
  ): Promise<Map<MarketId, SlotPrices>> {
    if (markets.length === 0) return new Map()
    const from = (to - this.#count * this.#step) as Millis
    return slotPricesOf(this.#history, { from, step: this.#step, count: this.#count }, at, markets)
  }

  #shiftRing(
    ring: Float64Array,
    previous: Columns<C> | undefined,
    slots: SlotPrices,
    column: C,
    steps: number,
  ): Float64Array {
    if (previous === undefined) ring.fill(NaN)
    else shiftInto(ring, previous[column], steps)
    // The first instant was read before, from its own slot.
    const currentSlots = slots[column].subarray(1)
    ring.set(currentSlots, ring.length - currentSlots.length)
    return ring
  }
}

/**
 * Fills `target` with the newest values shifted left by `steps`; the last value is carried forward.
 */
function shiftInto(target: Float64Array, ring: Float64Array, steps: number): Float64Array {
  target.set(ring.subarray(steps))
  target.fill(ring.at(-1) ?? NaN, ring.length - steps)
  return target
}

/** Changes from each instant to the next; NaN when one is unknown. */
export function changesOf(ring: Float64Array): Float64Array {
  const changes = new Float64Array(Math.max(0, ring.length - 1))
  for (let i = 0; i < changes.length; i++) changes[i] = (ring[i + 1] ?? NaN) - (ring[i] ?? NaN)
  return changes
}
