import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Feed } from '../../../domain/backtest/event-columns.ts'
import { CooperativeYield } from '../../../lib/process/cooperative-yield.ts'
import type { Column } from '../../event-frames.ts'
import { readBytes, readDoubles, readIntegers } from '../engine/columns.ts'
import type { ReadPool, Session } from '../engine/connections.ts'
import type { Spans } from '../ticks/spans.ts'
import { closedError, type CachedStream } from './cached-stream.ts'
import { BATCH_ROWS, batchColumns, sourceBytes } from './columns.ts'
import type { Extent } from './frame-file.ts'
import { planStream, type FeedPlan, type StreamPlan } from './plan.ts'
import { boundsFor, scanSql } from './queries.ts'
import type { TimeSpan } from './sort-messages.ts'
import type { Sort, SortThread } from './sort-thread.ts'

/** Spans of one sort; a stream with more spans scans the tables again for each group. */
const MAX_SPANS = 512

export interface ScanSource {
  readonly pool: ReadPool
  readonly spans: Spans
  /** Folder of scratch files. */
  readonly folder: string
  readonly thread: SortThread
}

/**
 * Writes all frames of a stream into its file, from the rows that the history holds now. Each table
 * is scanned once in storage order; the sort thread partitions the rows by time and sorts each
 * part.
 * @param reserve called with the disk space in bytes that this needs, before anything is written
 */
export async function fillStream(
  source: ScanSource,
  stream: CachedStream,
  reserve: (bytes: number) => Promise<void>,
): Promise<void> {
  source.thread.start()
  // One transaction, so that a row that moves from one table to another is read once.
  await source.pool.snapshot(async (session) => {
    const plan = await planStream(session, source.spans, stream.query)
    checkWanted(stream)
    await reserve(bytesNeeded(plan))
    stream.setRowCount(plan.feeds.reduce((sum, { rows }) => sum + rows, 0))
    for (let first = 0; first < plan.spans.length; first += MAX_SPANS) {
      const spans = plan.spans.slice(first, first + MAX_SPANS)
      await sortSpans(session, source, stream, { spans, feeds: plan.feeds })
    }
  })
}

/** In the scratch file and in frames. */
const bytesNeeded = ({ feeds }: StreamPlan): number =>
  feeds.reduce((sum, { feed, rows }) => sum + 2 * rows * rowBytes(feed), 0)

const rowBytes = (feed: Feed): number =>
  sourceBytes(feed).reduce<number>((sum, bytes) => sum + bytes, 0)

async function sortSpans(
  session: Session,
  { thread, folder }: ScanSource,
  stream: CachedStream,
  { spans, feeds }: StreamPlan,
): Promise<void> {
  const { file, indexByMarket, stop } = stream
  const cancelFlag = new Int32Array(new SharedArrayBuffer(4))
  stop.signal.addEventListener('abort', () => Atomics.store(cancelFlag, 0, 1), { once: true })
  const extents: Extent[] = []
  let publishedRows = 0
  try {
    await thread.sort({ spans, indexByMarket, folder, cancelled: cancelFlag }, async (sort) => {
      for (const feed of feeds) await sendRows(session, stream, feed, { spans, sort })
      const lengths = await sort.lengths()
      for (const bytes of lengths) extents.push(await file.allocate(bytes))
      checkWanted(stream)
      const positions = Float64Array.from(extents, ({ at }) => at)
      await sort.write(file.writableFd, positions, (location) => {
        const [span, extent] = [spans[location], extents[location]]
        if (span === undefined || extent === undefined) return
        stream.add({ ...span, extent, bytes: lengths[location] ?? 0 })
        publishedRows = location + 1
      })
      checkWanted(stream)
    })
  } finally {
    // The thread has stopped writing.
    file.release(extents.slice(publishedRows))
  }
}

async function sendRows(
  session: Session,
  stream: CachedStream,
  { feed, filter, largestLag }: FeedPlan,
  { spans, sort }: { readonly spans: readonly TimeSpan[]; readonly sort: Sort },
): Promise<void> {
  const [first, last] = [spans[0], spans.at(-1)]
  if (first === undefined || last === undefined) return
  const { from } = first
  const bounds = boundsFor(filter, { from, until: last.until, earliest: from - largestLag })
  const batches = new BatchWriter(feed, sort)
  await session.readStream(scanSql(feed, filter), bounds, (chunk) => {
    checkWanted(stream)
    return batches.add(chunk)
  })
  batches.flush()
}

/** Collects the rows of a feed in batches for the sort thread. */
class BatchWriter {
  readonly #feed: Feed
  readonly #sort: Sort
  readonly #sizes: readonly number[]
  readonly #yield = new CooperativeYield()
  #batch: SharedArrayBuffer | null = null
  #columns: readonly Column[] = []
  #count = 0

  constructor(feed: Feed, sort: Sort) {
    this.#feed = feed
    this.#sort = sort
    this.#sizes = sourceBytes(feed)
  }

  /** Adds the rows of a chunk; returns a promise when it waits for a free batch. */
  add(chunk: DuckDBDataChunk): Promise<void> | undefined {
    if (this.#batch !== null && this.#count + chunk.rowCount > BATCH_ROWS) this.flush()
    if (this.#batch === null) return this.#begin(chunk)
    this.#copy(chunk)
    return undefined
  }

  flush(): void {
    if (this.#batch !== null) this.#sort.send(this.#feed, this.#batch, this.#count)
    this.#batch = null
    this.#count = 0
  }

  async #begin(chunk: DuckDBDataChunk): Promise<void> {
    await this.#yield.yieldIfBusy()
    const batch = await this.#sort.batch(this.#feed)
    this.#batch = batch
    this.#columns = batchColumns(this.#feed, batch)
    this.#copy(chunk)
  }

  #copy(chunk: DuckDBDataChunk): void {
    this.#yield.part(() => {
      for (const [index, size] of this.#sizes.entries()) {
        const read = size === 8 ? readDoubles : size === 4 ? readIntegers : readBytes
        this.#columns[index]?.set(read(chunk, index).subarray(0, chunk.rowCount), this.#count)
      }
    })
    this.#count += chunk.rowCount
  }
}

function checkWanted({ stop: { signal } }: CachedStream): void {
  if (signal.aborted) throw closedError()
}
