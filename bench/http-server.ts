import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import { HOUR, MINUTE, type Millis } from '../backend/domain/units.ts'
import { marketsRoutes } from '../backend/features/markets/markets.routes.ts'
import { openHistory } from '../backend/history/duckdb/open.ts'
import type { HistoryStore } from '../backend/history/history-store.ts'
import { createHttpApp } from '../backend/http/app.ts'
import { listen } from '../backend/http/server.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { marketView } from '../backend/testing/builders.ts'
import { FakeBoard } from '../backend/testing/fake-board.ts'
import { FakeContext } from '../backend/testing/snapshot-builders.ts'

/** Markets and trades of each in the history that the candles are read from. */
const MARKETS = 50
const TRADES = 10_000
export const HOT_PATH = '/api/public/markets?limit=2&nextActions=off'

/** Message of the worker when it is ready. */
export interface Serving {
  readonly ours: number
  readonly plain: number
  readonly candlePaths: readonly string[]
}
/** Requests that the worker times the same candle reads in its own process, ms each. */
export type Question = { readonly kind: 'time-candles' } | { readonly kind: 'stop' }

const tickerOf = (index: number) => `KXBENCH-${index}`

async function fill(history: HistoryStore, until: Millis): Promise<void> {
  const keys = Array.from({ length: MARKETS }, (_, i) => ({
    venue: 'venue_a' as const,
    ticker: tickerOf(i),
  }))
  const ids = await history.marketIds(keys)
  for (const [index, market] of ids.entries()) {
    const rows = Array.from({ length: TRADES }, (_, row) => row)
    await history.append({
      trades: {
        market: new Int32Array(TRADES).fill(market),
        ts: Float64Array.from(rows, (row) => until - (TRADES - row) * 30_000 - index),
        lag: new Float64Array(TRADES),
        origin: new Uint8Array(TRADES).fill(3),
        tradeId: rows.map((row) => `${index}-${row}`),
        price: Int32Array.from(rows, (row) => 3_000 + ((row * 37 + index) % 4_000)),
        size: new Float64Array(TRADES).fill(1_000_000),
        taker: new Uint8Array(TRADES),
        isBlock: new Uint8Array(TRADES),
      },
    })
  }
  await history.sortClosedHours(until)
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const clock = systemClock
  const now = clock.now()
  const history = await openHistory({
    path: ':memory:',
    memoryLimitMb: 500,
    logger: silentLogger,
  })
  await fill(history, now)
  const urls = { baseUrl: 'http://b', dataUrl: 'http://b', appUrl: 'http://b', wsUrl: 'ws://b' }
  const board = new FakeBoard(
    Array.from({ length: 10 }, (_, i) => marketView({ facts: { ticker: tickerOf(i) } })),
  )
  const app = createHttpApp({ logger: silentLogger }).use(
    marketsRoutes({ board, history, context: new FakeContext(), clock, urls }),
  )
  const served = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    clock,
    logger: silentLogger,
    fairUse: 5_000_000_000,
  })
  const body: unknown = await (await fetch(served.url + HOT_PATH)).json()
  const plain = createServer((_request, response) => {
    const text = JSON.stringify(body)
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Content-Length', Buffer.byteLength(text))
    response.end(text)
  })
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))

  // Each read ends at another time, so that no response is cached.
  const reads = Array.from({ length: 150 }, (_, i) => ({
    ticker: tickerOf(i % MARKETS),
    before: (now - HOUR - i * MINUTE) as Millis,
  }))
  const timeCandles = async (): Promise<number[]> => {
    const times: number[] = []
    for (const { ticker, before } of reads) {
      const market = history.marketIdOf(ticker)?.market ?? -1
      const from = clock.monotonic()
      await history.candles({
        market,
        width: (5 * MINUTE) as Millis,
        asOf: clock.now(),
        before,
        limit: 501,
      })
      times.push(clock.monotonic() - from)
    }
    return times
  }
  port.on('message', (question: Question) => {
    if (question.kind === 'time-candles') {
      void timeCandles().then((times) => port.postMessage(times))
      return
    }
    plain.closeAllConnections()
    plain.close()
    void served
      .close(0)
      .then(() => history.close())
      .then(() => port.close())
  })
  const serving: Serving = {
    ours: served.port,
    plain: (plain.address() as AddressInfo).port,
    candlePaths: reads.map(
      ({ ticker, before }) =>
        `/api/public/market/${ticker}/candles?timeframe=5m&before=${new Date(before).toISOString()}`,
    ),
  }
  port.postMessage(serving)
}

if (parentPort !== null) await serve(parentPort)
