import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MINUTE, type PriceE4, type SizeE6 } from '../../backend/domain/units.ts'
import { createHttpApp } from '../../backend/http/app.ts'
import { listen } from '../../backend/http/server.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { described, quoted } from '../../backend/testing/venue-events.ts'
import { startTradingService, type TradingService } from '../../backend/testing/trading-service.ts'
import type { BenchRow } from '../bench-row.ts'
import { inTurns, median } from '../rounds.ts'
import { addTheses, CONDITIONS, tickerOf } from './thesis-rows.ts'

const THESES = 1_000
const ROUNDS = 9
const REQUESTS = 100
const EVALUATED = 40
/** Evaluations that a user may request in a minute. */
const EVALUATED_A_MINUTE = 15
/** Minutes of the default interval of heartbeats. */
const INTERVAL = 240
const TITLE = 'Will the senate pass the shutdown bill by December 31, 2026?'

/** Milliseconds of processor time of this process, which serves and requests. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const read = (url: string, authorization: string | null): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = authorization === null ? {} : { authorization }
    const sent = request(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${response.statusCode} ${url}`)),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

/** Our server with routes that only read the rows of a request and answer with what they hold. */
async function startBare(database: DatabaseSync): Promise<Served> {
  const list = database.prepare(
    'SELECT record FROM thesis WHERE user_id = ? ORDER BY updated_at DESC, id LIMIT 51',
  )
  const byId = database.prepare('SELECT record FROM thesis WHERE id = ?')
  const evaluations = database.prepare(
    'SELECT record FROM thesis_evaluation WHERE thesis_id = ? ORDER BY evaluated_at DESC LIMIT ?',
  )
  const { user_id: userId } = database.prepare('SELECT user_id FROM thesis').get() as {
    user_id: string
  }
  const parsed = (rows: readonly unknown[]): unknown[] =>
    (rows as readonly { record: string }[]).map(({ record }) => JSON.parse(record) as unknown)
  const app = createHttpApp({ logger: silentLogger })
    .get('/bare/list', () => parsed(list.all(userId)))
    .get('/bare/get/:id', ({ params: { id } }) =>
      parsed([...byId.all(id), ...evaluations.all(id, 1)]),
    )
    .get('/bare/context/:id', ({ params: { id } }) =>
      parsed([...byId.all(id), ...evaluations.all(id, 30)]),
    )
  return listen(app, {
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    logger: silentLogger,
    fairUse: 5_000_000_000,
  })
}
type Served = Awaited<ReturnType<typeof listen>>

/** All markets quoted around a price in cents. */
async function quoteAll(service: TradingService, cents: number): Promise<void> {
  await service.clock.advance(1_000)
  const now = service.clock.now()
  const size = 500_000_000 as SizeE6
  await service.accept(
    Array.from({ length: CONDITIONS }, (_, n) =>
      quoted(now, {
        ticker: tickerOf(n),
        bid: ((cents - 1) * 100) as PriceE4,
        ask: ((cents + 1) * 100) as PriceE4,
        bidSize: size,
        askSize: size,
        receivedAt: now,
      }),
    ),
  )
}

/** Reads, evaluations and heartbeats of a service with 1,000 theses. */
export async function serviceRows(): Promise<BenchRow[]> {
  const service = await startTradingService(null)
  try {
    await service.describe({ title: TITLE })
    await service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
    await service.accept(
      Array.from({ length: CONDITIONS }, (_, n) => ({
        ...described(service.clock.now(), {
          ticker: tickerOf(n),
          eventId: `KXBENCH-${n}`,
          title: `Will part ${n} of the bench be done by December 31, 2026?`,
        }),
        receivedAt: service.clock.now(),
      })),
    )
    await quoteAll(service, 50)
    const claim = { rawThesis: 'The senate will pass the shutdown bill by December 31, 2026' }
    const [status] = await service.send('POST', '/api/thesis/create?sync=true', claim)
    if (status !== 200) throw new Error(`the thesis was answered with ${status}`)
    const database = new DatabaseSync(join(service.dataDir, 'state.sqlite'))
    const ids = addTheses(database, THESES - 1, service.clock.now())
    const bare = await startBare(database)
    try {
      return [
        ...(await readRows(service, bare, ids)),
        await evaluationRow(service, ids),
        await heartbeatRow(service, database),
      ]
    } finally {
      await bare.close(0)
      database.close()
    }
  } finally {
    agent.destroy()
    await service.stop()
  }
}

async function readRows(
  service: TradingService,
  bare: Served,
  ids: readonly string[],
): Promise<BenchRow[]> {
  const timed = (urlOf: (id: string) => string, isOwn: boolean) => async (): Promise<number> => {
    const authorization = isOwn ? service.authorization : null
    const began = processorMs()
    for (const id of ids.slice(0, REQUESTS)) await read(urlOf(id), authorization)
    return (processorMs() - began) / REQUESTS
  }
  const kinds = [
    { name: 'thesis list, a page of 50', kind: 'list', path: () => '/api/thesis' },
    { name: 'thesis get', kind: 'get', path: (id: string) => `/api/thesis/${id}` },
    { name: 'thesis context', kind: 'context', path: (id: string) => `/api/thesis/${id}/context` },
  ]
  const rows: BenchRow[] = []
  for (const { name, kind, path } of kinds) {
    const { ours, baseline, ratio, spread } = await inTurns(
      timed((id) => `${service.url}${path(id)}`, true),
      timed((id) => `${bare.url}/bare/${kind}${kind === 'list' ? '' : `/${id}`}`, false),
      ROUNDS,
    )
    rows.push({
      name: `${name}, against a route that only reads the same rows`,
      ours,
      baseline,
      unit: 'ms of processor',
      ratio,
      goal: '≤ 1.5 ×',
      note: `${THESES} theses of ${CONDITIONS} conditions and edges; that route sends whole records; ${ROUNDS} rounds, ratio spread ${(spread * 100).toFixed(0)} %`,
    })
  }
  return rows
}

/** An evaluation without a model of twelve conditions whose markets moved. */
async function evaluationRow(service: TradingService, ids: readonly string[]): Promise<BenchRow> {
  const spans: number[] = []
  for (const [n, id] of ids.slice(0, EVALUATED).entries()) {
    if (n % EVALUATED_A_MINUTE === 0) {
      await service.clock.advance(MINUTE)
      await quoteAll(service, 50 + ((n / EVALUATED_A_MINUTE) % 2) * 10)
    }
    const began = processorMs()
    const [status] = await service.send('POST', `/api/thesis/${id}/evaluate`, {})
    if (status !== 200) throw new Error(`the evaluation was answered with ${status}`)
    spans.push(processorMs() - began)
  }
  return {
    name: 'evaluation without a model',
    ours: median(spans),
    baseline: null,
    unit: 'ms of processor',
    ratio: null,
    goal: '≤ 50 ms',
    note: `median of ${EVALUATED}, the slowest ${Math.round(Math.max(...spans))} ms`,
  }
}

/** The processor time of an interval in which each heartbeat evaluates, because its markets moved. */
async function heartbeatRow(service: TradingService, database: DatabaseSync): Promise<BenchRow> {
  await quoteAll(service, 30)
  const startedAt = service.clock.now()
  const began = processorMs()
  for (let minute = 0; minute < INTERVAL; minute += 1) {
    await service.clock.advance(MINUTE)
    await service.accept([])
  }
  const spent = processorMs() - began
  const { count } = database
    .prepare('SELECT count(*) AS count FROM thesis_evaluation WHERE evaluated_at > ?')
    .get(startedAt) as { count: number }
  if (count === 0) throw new Error('the heartbeats evaluated nothing')
  return {
    name: `${THESES} theses with heartbeats`,
    ours: (100 * spent) / (INTERVAL * MINUTE),
    baseline: null,
    unit: '% of a core',
    ratio: null,
    goal: '≤ 5 %',
    note: `${count} evaluations in ${INTERVAL} min; ${Math.round(spent)} ms of processor with all else of the service. At the least interval, 15 min, 16 times as much`,
  }
}
