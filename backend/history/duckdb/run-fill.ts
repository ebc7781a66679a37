import { setImmediate } from 'node:timers/promises'
import type { Feed } from '../../domain/backtest/event-columns.ts'
import type { Steps } from '../../lib/slices.ts'
import { frameBytes, layFrame, rowBytes, type Column } from '../run-frames.ts'
import type { ReadPool, Session } from './connections.ts'
import type { Numbers } from './run-columns.ts'
import { Dealer, type Stretch } from './run-deal.ts'
import { inRunOrder } from './run-order.ts'
import { boundsOf, planOf, rowsSql, type FeedPlan, type RunPlan } from './run-plan.ts'
import { closed, type StoredReading } from './run-reading.ts'
import { openScratch, type RunScratch } from './run-scratch.ts'
import type { Spans } from './spans.ts'

/** Stretches that a table is dealt into at once. */
const MOST_AT_ONCE = 512

/** What reads of runs need of the history. */
export interface RunSource {
  readonly pool: ReadPool
  readonly spans: Spans
  /** For scratch files; null for a history in memory. */
  readonly folder: string | null
}

/**
 * Puts all windows of a reading into the file, of the rows that stand in the history now. Rows are dealt into
 * stretches in one pass over each table as it lies, and put in order stretch by stretch.
 * @param makeRoom is told how many bytes this takes on the disk before it begins
 */
export async function fillReading(
  source: RunSource,
  reading: StoredReading,
  makeRoom: (bytes: number) => Promise<void>,
): Promise<void> {
  // One transaction, so that a row that moves from one table to another is met once.
  await source.pool.snapshot(async (session) => {
    const plan = await planOf(session, source.spans, reading.query)
    reading.stop.signal.throwIfAborted()
    await makeRoom(2 * plan.feeds.reduce((sum, { feed, rows }) => sum + rows * rowBytes(feed), 0))
    reading.counted(plan.feeds.reduce((sum, { rows }) => sum + rows, 0))
    for (let first = 0; first < plan.stretches.length; first += MOST_AT_ONCE) {
      const stretches = plan.stretches.slice(first, first + MOST_AT_ONCE)
      const scratch = await openScratch(source.folder)
      try {
        const dealers = await deal(session, { reading, plan, stretches, scratch })
        const spares = new Spares()
        for (const [place, stretch] of stretches.entries()) {
          reading.stop.signal.throwIfAborted()
          await store(reading, { place, stretch, dealers, spares })
        }
      } finally {
        await scratch.close()
      }
    }
  })
}

interface Dealing {
  readonly reading: StoredReading
  readonly plan: RunPlan
  readonly stretches: readonly Stretch[]
  readonly scratch: RunScratch
}

async function deal(session: Session, dealing: Dealing): Promise<Map<Feed, Dealer>> {
  const { reading, plan, stretches, scratch } = dealing
  const dealers = new Map<Feed, Dealer>()
  for (const feed of plan.feeds) {
    const dealer = new Dealer(feed.feed, stretches, reading.places, scratch)
    dealers.set(feed.feed, dealer)
    await dealFeed(session, feed, dealing, dealer)
  }
  await scratch.settled()
  return dealers
}

async function dealFeed(
  session: Session,
  { feed, isMost, largestLag }: FeedPlan,
  { reading: { query, stop }, stretches, scratch }: Dealing,
  dealer: Dealer,
): Promise<void> {
  const [first, last] = [stretches[0], stretches.at(-1)]
  if (first === undefined || last === undefined) return
  const sql = rowsSql(feed, query, isMost)
  const { markets } = query
  const bounds = { from: first.from, until: last.until, markets, earliest: first.from - largestLag }
  await session.readStream(sql, boundsOf(sql, bounds), (chunk) => {
    if (stop.signal.aborted) throw closed()
    dealer.take(chunk)
    return scratch.isFull ? scratch.room() : undefined
  })
  dealer.end()
}

/** Memory that stretches are read into and put in order in, one after another. */
class Spares {
  readonly rows = new Map<Feed, Numbers>()
  frame = new ArrayBuffer(0)
}

async function store(
  reading: StoredReading,
  { place, stretch, dealers, spares }: {
    readonly place: number
    readonly stretch: Stretch
    readonly dealers: ReadonlyMap<Feed, Dealer>
    readonly spares: Spares
  }, // prettier-ignore
): Promise<void> {
  const counts = { trades: 0, quotes: 0, books: 0, bars: 0 }
  for (const [feed, dealer] of dealers) counts[feed] = dealer.rowsOf(place)
  const bytes = frameBytes(counts)
  if (spares.frame.byteLength < bytes) spares.frame = new ArrayBuffer(Math.ceil(bytes * 1.25))
  const window = layFrame(spares.frame, stretch.until, counts)
  for (const [feed, dealer] of dealers) {
    if (counts[feed] === 0) continue
    const rows = await dealer.read(place, spares.rows.get(feed) ?? null)
    const into = window[feed] as unknown as Readonly<Record<string, Column>>
    await inTurns(inRunOrder(rows, stretch, into))
    spares.rows.set(feed, rows.numbers)
  }
  const extent = await reading.file.take(bytes)
  try {
    await reading.file.write(new Uint8Array(spares.frame, 0, bytes), extent.at)
  } catch (error) {
    reading.file.give([extent])
    throw error
  }
  reading.add({ ...stretch, extent, bytes })
}

/** Does the steps and lets others in after each: a step takes a millisecond or two. */
async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}
