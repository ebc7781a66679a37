import type { Feed } from '../../domain/backtest/event-columns.ts'
import { GivingWay } from '../../lib/giving-way.ts'
import { rowBytes, type Column } from '../run-frames.ts'
import { readBytes, readDoubles, readIntegers } from './columns.ts'
import type { ReadPool, Session } from './connections.ts'
import { batchColumns, sourceBytes } from './run-columns.ts'
import { BATCH_ROWS, type Stretch } from './run-messages.ts'
import { boundsOf, planOf, rowsSql, type FeedPlan, type RunPlan } from './run-plan.ts'
import { closed, type StoredReading } from './run-reading.ts'
import type { RunSorter, Sorting } from './run-sorter.ts'
import type { Spans } from './spans.ts'

/** Stretches that a table is dealt into at once. */
const MOST_AT_ONCE = 512

/** What reads of runs need of the history. */
export interface RunSource {
  readonly pool: ReadPool
  readonly spans: Spans
  /** For scratch files. */
  readonly folder: string
}

type Chunk = Parameters<typeof readDoubles>[0]

/**
 * Puts all windows of a reading into the file, of the rows that stand in the history now. Tables are read as
 * they lie, each once; another thread deals their rows into stretches of time and puts each of these in order.
 * @param makeRoom is told how many bytes this takes on the disk before it begins
 */
export async function fillReading(
  { source, sorter }: { readonly source: RunSource; readonly sorter: RunSorter },
  reading: StoredReading,
  makeRoom: (bytes: number) => Promise<void>,
): Promise<void> {
  sorter.start()
  // One transaction, so that a row that moves from one table to another is met once.
  await source.pool.snapshot(async (session) => {
    const plan = await planOf(session, source.spans, reading.query)
    check(reading)
    await makeRoom(2 * plan.feeds.reduce((sum, { feed, rows }) => sum + rows * rowBytes(feed), 0))
    reading.counted(plan.feeds.reduce((sum, { rows }) => sum + rows, 0))
    const stop = new Int32Array(new SharedArrayBuffer(4))
    reading.stop.signal.addEventListener('abort', () => Atomics.store(stop, 0, 1), { once: true })
    for (let first = 0; first < plan.stretches.length; first += MOST_AT_ONCE) {
      const stretches = plan.stretches.slice(first, first + MOST_AT_ONCE)
      const begin = { stretches, places: reading.places, folder: source.folder, stop }
      await fillStretches(sorter, begin, { session, plan, reading })
    }
  })
}

interface Filling {
  readonly session: Session
  readonly plan: RunPlan
  readonly reading: StoredReading
}

async function fillStretches(
  sorter: RunSorter,
  begin: Parameters<RunSorter['sort']>[0],
  { session, plan, reading }: Filling,
): Promise<void> {
  const { file } = reading
  const { stretches } = begin
  const extents: Awaited<ReturnType<typeof file.take>>[] = []
  let stored = 0
  try {
    await sorter.sort(begin, async (sorting) => {
      for (const feed of plan.feeds) await sendFeed(session, feed, { reading, stretches, sorting })
      const lengths = await sorting.lengths()
      for (const bytes of lengths) extents.push(await file.take(bytes))
      check(reading)
      // They are written in their order.
      await sorting.order(
        file.writableFd,
        Float64Array.from(extents, ({ at }) => at),
        (place) => {
          const [stretch, extent] = [stretches[place], extents[place]]
          if (stretch === undefined || extent === undefined) return
          reading.add({ ...stretch, extent, bytes: lengths[place] ?? 0 })
          stored = place + 1
        },
      )
      check(reading)
    })
  } finally {
    // The thread is done with them by now.
    file.give(extents.slice(stored))
  }
}

async function sendFeed(
  session: Session,
  { feed, isMost, largestLag }: FeedPlan,
  told: {
    readonly reading: StoredReading
    readonly stretches: readonly Stretch[]
    readonly sorting: Sorting
  },
): Promise<void> {
  const { reading, stretches, sorting } = told
  const [first, last] = [stretches[0], stretches.at(-1)]
  if (first === undefined || last === undefined) return
  const sql = rowsSql(feed, reading.query, isMost)
  const { markets } = reading.query
  const bounds = { from: first.from, until: last.until, markets, earliest: first.from - largestLag }
  const batches = new Batches(feed, sorting)
  await session.readStream(sql, boundsOf(sql, bounds), (chunk) => {
    check(reading)
    return batches.take(chunk)
  })
  batches.send()
}

/** Rows of a feed as they come, in batches for the thread. */
class Batches {
  readonly #feed: Feed
  readonly #sorting: Sorting
  readonly #kinds: readonly number[]
  readonly #way = new GivingWay()
  #batch: SharedArrayBuffer | null = null
  #columns: readonly Column[] = []
  #count = 0

  constructor(feed: Feed, sorting: Sorting) {
    this.#feed = feed
    this.#sorting = sorting
    this.#kinds = sourceBytes(feed)
  }

  /** Takes the rows of a chunk; a promise where there is no room for them yet. */
  take(chunk: Chunk): Promise<void> | undefined {
    if (this.#batch !== null && this.#count + chunk.rowCount > BATCH_ROWS) this.send()
    if (this.#batch === null) return this.#begin(chunk)
    this.#copy(chunk)
    return undefined
  }

  send(): void {
    if (this.#batch !== null) this.#sorting.send(this.#feed, this.#batch, this.#count)
    this.#batch = null
    this.#count = 0
  }

  async #begin(chunk: Chunk): Promise<void> {
    await this.#way.turn()
    const batch = await this.#sorting.batch(this.#feed)
    this.#batch = batch
    this.#columns = batchColumns(this.#feed, batch)
    this.#copy(chunk)
  }

  #copy(chunk: Chunk): void {
    this.#way.part(() => {
      for (const [place, bytes] of this.#kinds.entries()) {
        const read = bytes === 8 ? readDoubles : bytes === 4 ? readIntegers : readBytes
        this.#columns[place]?.set(read(chunk, place).subarray(0, chunk.rowCount), this.#count)
      }
    })
    this.#count += chunk.rowCount
  }
}

function check({ stop: { signal } }: StoredReading): void {
  if (signal.aborted) throw closed()
}
