import { BIGINT, BOOLEAN, DuckDBDataChunk, INTEGER, UTINYINT, VARCHAR } from '@duckdb/node-api'
import { MINUTE, type Millis } from '../backend/domain/units.ts'
import { IngestPipeline, type IngestTopics } from '../backend/ingest/pipeline.ts'
import { createBus } from '../backend/lib/bus.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { described } from '../backend/testing/venue-events.ts'
import { parseTradesPage } from '../backend/venues/venue-a/parse-tape.ts'
import type { BenchRow } from './bench-row.ts'
import { median, spread } from './rounds.ts'
import {
  adoptTrades,
  inScratch,
  openIn,
  T0,
  TICKS_PER_MARKET,
  type Opened,
} from './scratch-history.ts'

const BATCH = 500
const MARKETS = 200
const ROUNDS = 9
const BATCHES_A_ROUND = 40
/** Rows on disk before the batches arrive. */
const SIZES = [2_000_000, 80_000_000] as const
/** When the live trades begin: after everything that is stored. */
const LIVE = T0 + TICKS_PER_MARKET * MINUTE
const TYPES = [INTEGER, BIGINT, BIGINT, UTINYINT, VARCHAR, INTEGER, BIGINT, UTINYINT, BOOLEAN]

const tickerOf = (market: number): string => `KX-${market}`

/** Text of `GET /markets/trades` as venue_a returns it, five hundred trades a page. */
function pageText(page: number): string {
  const trades = Array.from({ length: BATCH }, (_, row) => {
    const n = page * BATCH + row
    const cents = 1 + ((n * 37) % 98)
    return {
      trade_id: `0f3c${n.toString(16).padStart(28, '0')}`,
      ticker: tickerOf(n % MARKETS),
      count_fp: `${1 + (n % 50)}.00`,
      yes_price_dollars: `0.${String(cents).padStart(2, '0')}00`,
      no_price_dollars: `0.${String(100 - cents).padStart(2, '0')}00`,
      taker_outcome_side: n % 2 === 0 ? 'yes' : 'no',
      taker_side: n % 2 === 0 ? 'yes' : 'no',
      created_time: new Date(LIVE + n * 7).toISOString(),
      is_block_trade: false,
    }
  })
  return JSON.stringify({ trades, cursor: '' })
}

/** The same rows in the engine's own types, ready to be appended. */
function readyColumns(page: number): unknown[][] {
  const rows = Array.from({ length: BATCH }, (_, row) => page * BATCH + row)
  return [
    rows.map((n) => n % MARKETS),
    rows.map((n) => BigInt(LIVE + n * 7)),
    rows.map(() => 40n),
    rows.map(() => 0),
    rows.map((n) => `0f3c${n.toString(16).padStart(28, '0')}`),
    rows.map((n) => 100 * (1 + ((n * 37) % 98))),
    rows.map((n) => BigInt(1_000_000 * (1 + (n % 50)))),
    rows.map((n) => 1 + (n % 2)),
    rows.map(() => false),
  ]
}

interface IngestFigures {
  readonly ours: number
  readonly bare: number
  readonly ratio: number
  readonly spread: number
}

/**
 * Pages of trades from their text to the disk, against a bare appender on the same file,
 * alternating.
 * @param firstPage pages before it were used by an earlier run
 */
async function ingestInto({ history, raw }: Opened, firstPage: number): Promise<IngestFigures> {
  const bus = createBus<IngestTopics>((error) => {
    throw error
  })
  const pipeline = new IngestPipeline({ history, bus, clock: systemClock, log: silentLogger })
  await pipeline.resume([], ['venue_a'])
  await pipeline.accept(
    Array.from({ length: MARKETS }, (_, n) => described(LIVE, { ticker: tickerOf(n) })),
  )
  await pipeline.flush()
  const acceptedBefore = pipeline.stats().accepted
  await raw.run('create table bare as select * from trade_recent limit 0')
  const appender = await raw.createAppender('bare')
  const rates: { ours: number; bare: number }[] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    let [ours, bare] = [0, 0]
    for (let n = 0; n < BATCHES_A_ROUND; n += 1) {
      const page = firstPage + (round + 1) * BATCHES_A_ROUND + n
      const text = pageText(page)
      const ready = readyColumns(page)
      const started = performance.now()
      const context = { origin: 'live', receivedAt: (LIVE + page * BATCH * 7) as Millis } as const
      await pipeline.accept(parseTradesPage(JSON.parse(text), context).events)
      await pipeline.flush()
      const between = performance.now()
      const chunk = DuckDBDataChunk.create(TYPES)
      chunk.setColumns(ready as never)
      appender.appendDataChunk(chunk)
      appender.flushSync()
      bare += performance.now() - between
      ours += between - started
    }
    const rate = (ms: number): number => (BATCH * BATCHES_A_ROUND * 1_000) / ms
    if (round >= 0) rates.push({ ours: rate(ours), bare: rate(bare) })
  }
  appender.closeSync()
  const accepted = pipeline.stats().accepted - acceptedBefore
  const sent = (ROUNDS + 1) * BATCHES_A_ROUND * BATCH
  if (accepted !== sent) throw new Error(`${accepted} of ${sent} trades were taken`)
  await pipeline.close()
  await raw.run('drop table bare')
  const ratios = rates.map((round) => round.ours / round.bare)
  return {
    ours: median(rates.map((round) => round.ours)),
    bare: median(rates.map((round) => round.bare)),
    ratio: median(ratios),
    spread: spread(ratios),
  }
}

/** Live ingest from the venue's text to rows on disk (G9), at two sizes of the history. */
export async function benchIngest(): Promise<BenchRow[]> {
  return inScratch(async (folder) => {
    const figures: (IngestFigures & { stored: number })[] = []
    let [markets, pages] = [0, 0]
    for (const stored of SIZES) {
      const target = Math.ceil(stored / TICKS_PER_MARKET)
      const opened = await openIn(folder)
      await opened.history.marketIds(
        Array.from({ length: target }, (_, n) => ({ venue: 'venue_a', ticker: tickerOf(n) })),
      )
      await adoptTrades(opened.history, folder, markets, target)
      markets = target
      figures.push({ stored, ...(await ingestInto(opened, pages)) })
      pages += (ROUNDS + 1) * BATCHES_A_ROUND
      await opened.close()
    }
    const rows: BenchRow[] = figures.map(({ stored, ours, bare, ratio, spread }) => ({
      name: `ingest: parse, dedupe, durable, batches of ${BATCH}, ${stored / 1e6} M rows stored`,
      ours: Math.round(ours),
      baseline: Math.round(bare),
      unit: 'rows/s',
      ratio,
      goal: '≥ 0.4 × bare chunk appender',
      note: `spread ${Math.round(spread * 100)} %`,
    }))
    const [small, large] = figures
    if (small === undefined || large === undefined) return rows
    rows.push({
      name: `ingest with ${large.stored / 1e6} M rows stored against ${small.stored / 1e6} M`,
      ours: Math.round(large.ours),
      baseline: Math.round(small.ours),
      unit: 'rows/s',
      ratio: large.ratio / small.ratio,
      goal: 'flat: ≥ 0.8 ×',
      note: 'ratio of the ratios to the bare appender of the same minutes',
    })
    return rows
  })
}
