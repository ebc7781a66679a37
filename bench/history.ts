import { BIGINT, BOOLEAN, DuckDBDataChunk, INTEGER, UTINYINT, VARCHAR } from '@duckdb/node-api'
import { HOUR, MINUTE, type Millis } from '../backend/domain/units.ts'
import type { TradeColumns } from '../backend/history/history-batch.ts'
import {
  adoptTrades,
  inScratch,
  openIn,
  T0,
  TICKS_PER_MARKET,
  type Opened,
} from './scratch-history.ts'

export interface Spread {
  readonly p50: number
  readonly p99: number
}
const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]
  return { p50: quantile(0.5) ?? NaN, p99: quantile(0.99) ?? NaN }
}

/** Generated trades of `markets` markets, spread evenly in time. */
function tradesFor(rows: number, markets: number, firstId: number): TradeColumns {
  const each = <A extends { [index: number]: number }>(
    into: A,
    value: (i: number) => number,
  ): A => {
    for (let i = 0; i < rows; i++) into[i] = value(i)
    return into
  }
  return {
    market: each(new Int32Array(rows), (i) => i % markets),
    ts: each(new Float64Array(rows), (i) => T0 + (firstId + i) * 7),
    lag: each(new Float64Array(rows), (i) => 40 + (i % 13)),
    origin: new Uint8Array(rows),
    tradeId: Array.from({ length: rows }, (_, i) => `trade-${firstId + i}`),
    price: each(new Int32Array(rows), (i) => 100 + ((i * 37) % 9_000)),
    size: each(new Float64Array(rows), (i) => 1_000_000 * (1 + (i % 50))),
    taker: each(new Uint8Array(rows), (i) => i % 3),
    isBlock: new Uint8Array(rows),
  }
}

export interface AppendFigures {
  readonly batch: number
  readonly rows: number
  /** Rows a second, durable after each batch. */
  readonly port: number
  readonly bare: number
  readonly ratio: number
}

/** Durable appends of trades through the port against a bare chunk appender on the same file. */
export async function benchAppend(batch = 500, batches = 200): Promise<AppendFigures> {
  return inScratch(async (folder) => {
    const { history, raw, close } = await openIn(folder)
    await history.marketIds(
      Array.from({ length: 200 }, (_, n) => ({ venue: 'venue_a', ticker: `KX-${n}` })),
    )
    await raw.run('create table bare as select * from trade_recent')
    const appender = await raw.createAppender('bare')
    const types = [INTEGER, BIGINT, BIGINT, UTINYINT, VARCHAR, INTEGER, BIGINT, UTINYINT, BOOLEAN]
    let [port, bare] = [0, 0]
    for (let n = 0; n < batches; n++) {
      const columns = tradesFor(batch, 200, n * batch)
      // The baseline receives values in the engine's own types; converting them is not timed.
      const ready = [
        columns.market,
        columns.ts,
        columns.lag,
        columns.origin,
        columns.tradeId,
        columns.price,
        columns.size,
        columns.taker,
        columns.isBlock,
      ].map((values, index) =>
        Array.from(values as ArrayLike<number | string>, (value) =>
          types[index] === BIGINT ? BigInt(value) : types[index] === BOOLEAN ? value === 1 : value,
        ),
      )
      const started = performance.now()
      await history.append({ trades: columns })
      const between = performance.now()
      for (let from = 0; from < batch; from += 2048) {
        const chunk = DuckDBDataChunk.create(types)
        chunk.setColumns(ready.map((values) => values.slice(from, from + 2048)))
        appender.appendDataChunk(chunk)
      }
      appender.flushSync()
      bare += performance.now() - between
      port += between - started
    }
    appender.closeSync()
    await close()
    const rate = (ms: number) => Math.round((batch * batches * 1000) / ms)
    return { batch, rows: batch * batches, port: rate(port), bare: rate(bare), ratio: bare / port }
  })
}

const WIDTH = (5 * MINUTE) as Millis
const LIMIT = 500
const RAW_CANDLES = `
  select (ts // ${WIDTH} * ${WIDTH})::double as bucket,
         arg_min(price, (ts, trade_id)) filter (where not is_block),
         max(price) filter (where not is_block), min(price) filter (where not is_block),
         arg_max(price, (ts, trade_id)) filter (where not is_block), sum(size)::double
    from trade
   where market = $market::integer and ts between $from and $to and ts + lag <= $to
   group by bucket order by bucket`

export interface CandleFigures {
  readonly rows: number
  /** Milliseconds. */
  readonly raw: Spread
  readonly port: Spread
  readonly ratio: number
  /** Ms to import all rows, and rows a second. */
  readonly adoptMs: number
  readonly adoptRowsPerSecond: number
  /** Ms from a closed file to the first answer. */
  readonly openMs: number
  /** Ms for the newest numbers of all markets, now and in the middle of the history. */
  readonly numbersNowMs: number
  readonly numbersPastMs: number
  readonly rssMb: number
}

/** The newest 500 five-minute bars of random markets, the port against the same SQL, by history size. */
export async function benchCandles(
  sizes: readonly number[],
  rounds = 60,
): Promise<CandleFigures[]> {
  return inScratch(async (folder) => {
    const figures: CandleFigures[] = []
    let [markets, adoptMs] = [0, 0]
    for (const size of sizes) {
      const target = Math.ceil(size / TICKS_PER_MARKET)
      const grown = await openIn(folder)
      await grown.history.marketIds(
        Array.from({ length: target }, (_, n) => ({ venue: 'venue_a', ticker: `KX-${n}` })),
      )
      adoptMs += await adoptTrades(grown.history, folder, markets, target)
      markets = target
      await grown.close()

      const opening = performance.now()
      const opened = await openIn(folder)
      const end = T0 + TICKS_PER_MARKET * (MINUTE / 2)
      await opened.history.candles({
        market: 0,
        width: WIDTH,
        asOf: end as Millis,
        before: end as Millis,
        limit: LIMIT,
      })
      const openMs = performance.now() - opening
      figures.push({
        rows: size,
        ...(await candleArms(opened, markets, end, rounds)),
        adoptMs: Math.round(adoptMs),
        adoptRowsPerSecond: Math.round((markets * TICKS_PER_MARKET * 1000) / adoptMs),
        openMs: Math.round(openMs),
        numbersNowMs: await elapsed(() => opened.history.numbersAt((end + HOUR) as Millis, null)),
        numbersPastMs: await elapsed(() =>
          opened.history.numbersAt((T0 + 13.5 * HOUR) as Millis, null),
        ),
        rssMb: Math.round(process.memoryUsage.rss() / 1e6),
      })
      await opened.close()
    }
    return figures
  })
}

async function candleArms(
  { history, raw }: Opened,
  markets: number,
  end: number,
  rounds: number,
): Promise<Pick<CandleFigures, 'raw' | 'port' | 'ratio'>> {
  const statement = await raw.prepare(RAW_CANDLES)
  const times: { raw: number[]; port: number[] } = { raw: [], port: [] }
  for (let round = -5; round < rounds; round++) {
    const market = ((round + 5) * 7_919) % markets
    const before = end - ((round + 5) % 3) * HOUR
    const arms = {
      raw: async () => {
        statement.bind({ market, from: BigInt(before - LIMIT * WIDTH), to: BigInt(before) })
        await (await statement.run()).fetchAllChunks()
      },
      port: async () => {
        await history.candles({
          market,
          width: WIDTH,
          asOf: before as Millis,
          before: before as Millis,
          limit: LIMIT,
        })
      },
    }
    for (const arm of round % 2 === 0 ? (['raw', 'port'] as const) : (['port', 'raw'] as const)) {
      const ms = await elapsed(arms[arm])
      if (round >= 0) times[arm].push(ms)
    }
  }
  statement.destroySync()
  const ratios = times.port.map((ms, index) => ms / (times.raw[index] ?? NaN))
  return { raw: spreadOf(times.raw), port: spreadOf(times.port), ratio: spreadOf(ratios).p50 }
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
