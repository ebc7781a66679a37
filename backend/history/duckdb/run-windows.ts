import { setImmediate } from 'node:timers/promises'
import type {
  BarRows,
  BookRows,
  EventWindow,
  Feed,
  QuoteRows,
  TradeRows,
} from '../../domain/backtest/event-columns.ts'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import type { Steps } from '../../lib/slices.ts'
import type { RunQuery, RunReading } from '../run-reads.ts'
import { storeFailure, type ReadPool, type Session } from './connections.ts'
import { cutAt } from './cut-window.ts'
import type { Numbers } from './run-columns.ts'
import { Dealer, type Stretch } from './run-deal.ts'
import { inRunOrder } from './run-order.ts'
import { boundsOf, planOf, rowsSql, type FeedPlan, type RunPlan } from './run-plan.ts'
import { openScratch, type RunScratch } from './run-scratch.ts'
import type { Spans } from './spans.ts'

/** Stretches that a table is dealt into at once. */
const MOST_AT_ONCE = 512
/** Deals that are kept for the next one who plays them. */
const MOST_KEPT = 3

/** What reads of runs need of the history. */
export interface RunSource {
  readonly pool: ReadPool
  readonly spans: Spans
  /** For scratch files; null for a history in memory. */
  readonly folder: string | null
}

/** Some neighbouring stretches whose rows were dealt in one pass over the tables. */
interface Deal {
  readonly stretches: readonly Stretch[]
  readonly dealers: ReadonlyMap<Feed, Dealer>
  readonly scratch: RunScratch
}

/** Counts what a query holds; its rows are read when they are first asked for. */
export async function openReading(source: RunSource, query: RunQuery): Promise<RunReading> {
  const plan = await source.pool.with((session) => planOf(session, source.spans, query))
  return new DealtReading(source, query, plan)
}

/** The windows of a query, once. */
export async function* runWindows(
  source: RunSource,
  query: RunQuery,
): AsyncGenerator<EventWindow, void, undefined> {
  const reading = await openReading(source, query)
  try {
    yield* reading.windows()
  } finally {
    await reading.close()
  }
}

/**
 * Rows are dealt into stretches in one pass over each table as it lies, and put in order stretch by
 * stretch, the next one while the one before is played.
 */
class DealtReading implements RunReading {
  readonly #source: RunSource
  readonly #query: RunQuery
  readonly #plan: RunPlan
  /** By the number of their first stretch, the oldest first. */
  readonly #deals = new Map<number, Promise<Deal>>()
  readonly #busy = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(source: RunSource, query: RunQuery, plan: RunPlan) {
    this.#source = source
    this.#query = query
    this.#plan = plan
  }

  get rows(): number {
    return this.#plan.feeds.reduce((sum, { rows }) => sum + rows, 0)
  }

  async *windows(to: Millis = this.#query.to): AsyncGenerator<EventWindow, void, undefined> {
    const spares = new SpareColumns()
    const stretches = this.#plan.stretches.filter(({ from }) => from < to)
    const start = (i: number): Promise<EventWindow> | null => {
      if (i >= stretches.length) return null
      const window = this.#track(this.#window(i, spares))
      // Whoever stops listening does not hear of its failure either.
      window.catch(() => {})
      return window
    }
    let next = start(0)
    for (let i = 0; next !== null; i++) {
      const window = await next
      next = start(i + 1)
      yield window.until > to ? cutAt(window, to) : window
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#busy)
    const deals = [...this.#deals.values()]
    this.#deals.clear()
    for (const deal of deals) await deal.then(({ scratch }) => scratch.close()).catch(() => {})
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const tracked = work.finally(() => this.#busy.delete(tracked))
    this.#busy.add(tracked)
    return tracked
  }

  async #window(place: number, spares: SpareColumns): Promise<EventWindow> {
    const first = Math.floor(place / MOST_AT_ONCE) * MOST_AT_ONCE
    const { stretches, dealers } = await this.#dealFrom(first)
    const stretch = stretches[place - first] as Stretch
    try {
      const ordered = async (feed: Feed): Promise<object | null> => {
        const dealer = dealers.get(feed)
        const count = dealer?.rowsOf(place - first) ?? 0
        if (dealer === undefined || count === 0) return null
        const rows = await dealer.read(place - first, spares.take(feed))
        const columns = await inTurns(inRunOrder(rows, stretch))
        spares.giveBack(feed, rows.numbers)
        return columns
      }
      return {
        until: stretch.until as Millis,
        trades: (await ordered('trades')) as TradeRows | null,
        quotes: (await ordered('quotes')) as QuoteRows | null,
        books: (await ordered('books')) as BookRows | null,
        bars: (await ordered('bars')) as BarRows | null,
      }
    } catch (error) {
      throw storeFailure(error, 'read the events of a run')
    }
  }

  #dealFrom(first: number): Promise<Deal> {
    const known = this.#deals.get(first)
    if (known !== undefined) return known
    if (this.#isClosed) return Promise.reject(closed())
    const deal = this.#deal(this.#plan.stretches.slice(first, first + MOST_AT_ONCE))
    this.#deals.set(first, deal)
    this.#dropOldest()
    return deal
  }

  /** Those who still play a deal that goes have read on for long: one of them is asked for at a time. */
  #dropOldest(): void {
    if (this.#deals.size <= MOST_KEPT) return
    const [oldest] = this.#deals
    if (oldest === undefined) return
    this.#deals.delete(oldest[0])
    void this.#track(oldest[1].then(({ scratch }) => scratch.close()).catch(() => {}))
  }

  async #deal(stretches: readonly Stretch[]): Promise<Deal> {
    const { pool, folder } = this.#source
    const scratch = await openScratch(folder)
    try {
      const dealers = new Map<Feed, Dealer>()
      // One transaction, so that a row that moves from one table to another is met once.
      await pool.snapshot(async (session) => {
        for (const plan of this.#plan.feeds) {
          const dealer = new Dealer(plan.feed, stretches, this.#plan.places, scratch)
          dealers.set(plan.feed, dealer)
          await this.#dealFeed(session, plan, stretches, dealer, scratch)
        }
      })
      await scratch.settled()
      return { stretches, dealers, scratch }
    } catch (error) {
      await scratch.close().catch(() => {})
      throw storeFailure(error, 'read the events of a run')
    }
  }

  async #dealFeed(
    session: Session,
    { feed, isMost, largestLag }: FeedPlan,
    stretches: readonly Stretch[],
    dealer: Dealer,
    scratch: RunScratch,
  ): Promise<void> {
    const [first, last] = [stretches[0], stretches.at(-1)]
    if (first === undefined || last === undefined) return
    const sql = rowsSql(feed, this.#query, isMost)
    const { markets } = this.#query
    const bounds = { from: first.from, until: last.until, markets, earliest: first.from - largestLag } // prettier-ignore
    await session.readStream(sql, boundsOf(sql, bounds), (chunk) => {
      if (this.#isClosed) throw closed()
      dealer.take(chunk)
      return scratch.isFull ? scratch.room() : undefined
    })
    dealer.end()
  }
}

const closed = (): StoreFailed => new StoreFailed('The reading of a run was closed')

/** Does the steps and lets others in after each: a step takes a millisecond or two. */
async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}

/** What stretches were read into, for the next ones of the same feed. */
class SpareColumns {
  readonly #spare = new Map<Feed, Numbers>()

  take(feed: Feed): Numbers | null {
    const found = this.#spare.get(feed)
    this.#spare.delete(feed)
    return found ?? null
  }

  giveBack(feed: Feed, numbers: Numbers): void {
    this.#spare.set(feed, numbers)
  }
}
