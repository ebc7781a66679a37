import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MINUTE, type PriceE4, type SizeE6 } from '../../backend/domain/units.ts'
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
const read = (url: string, authorization: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization } }, (response) => {
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

/** A bare server that reads the rows of a request and answers with what they hold. */
async function startBare(database: DatabaseSync): Promise<Server> {
  const list = database.prepare(
    'SELECT record FROM thesis WHERE user_id = ? ORDER BY updated_at DESC, id LIMIT 51',
  )
  const one = database.prepare('SELECT record FROM thesis WHERE id = ?')
  const evaluations = database.prepare(
    'SELECT record FROM thesis_evaluation WHERE thesis_id = ? ORDER BY evaluated_at DESC LIMIT ?',
  )
  const { user_id: userId } = database.prepare('SELECT user_id FROM thesis').get() as {
    user_id: string
  }
  const rowsOf = (kind: string, id: string): unknown[] => {
    if (kind === 'list') return list.all(userId)
    return [...one.all(id), ...evaluations.all(id, kind === 'get' ? 1 : 30)]
  }
  const server = createServer((incoming, response) => {
    const [, kind = '', id = ''] = (incoming.url ?? '').split('/')
    const rows = rowsOf(kind, id) as { record: string }[]
    const body = JSON.stringify(rows.map(({ record }) => JSON.parse(record) as unknown))
    response.setHeader('content-type', 'application/json')
    response.setHeader('content-length', Buffer.byteLength(body))
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

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
        await heartbeatRow(service),
      ]
    } finally {
      bare.close()
      bare.closeAllConnections()
      database.close()
    }
  } finally {
    agent.destroy()
    await service.stop()
  }
}

async function readRows(
  service: TradingService,
  bare: Server,
  ids: readonly string[],
): Promise<BenchRow[]> {
  const { port } = bare.address() as AddressInfo
  const timed = (urlOf: (id: string) => string) => async (): Promise<number> => {
    const began = processorMs()
    for (const id of ids.slice(0, REQUESTS)) await read(urlOf(id), service.authorization)
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
      timed((id) => `${service.url}${path(id)}`),
      timed((id) => `http://127.0.0.1:${port}/${kind}/${id}`),
      ROUNDS,
    )
    rows.push({
      name: `${name}, against a bare server over the same rows`,
      ours,
      baseline,
      unit: 'ms of processor',
      ratio,
      goal: '≤ 1.5 ×',
      note: `${THESES} theses of ${CONDITIONS} conditions and edges; ${ROUNDS} rounds, ratio spread ${(spread * 100).toFixed(0)} %`,
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
    const began = performance.now()
    const [status] = await service.send('POST', `/api/thesis/${id}/evaluate`, {})
    if (status !== 200) throw new Error(`the evaluation was answered with ${status}`)
    spans.push(performance.now() - began)
  }
  return {
    name: 'evaluation without a model',
    ours: median(spans),
    baseline: null,
    unit: 'ms',
    ratio: null,
    goal: '≤ 50 ms',
    note: `median of ${EVALUATED}, the slowest ${Math.round(Math.max(...spans))} ms`,
  }
}

/** The processor time of an interval in which each heartbeat evaluates, because its markets moved. */
async function heartbeatRow(service: TradingService): Promise<BenchRow> {
  await quoteAll(service, 30)
  const countOf = async (): Promise<number> =>
    (await service.send<{ count: number }>('GET', '/api/feed?hours=720&limit=500'))[1].count
  const before = await countOf()
  const began = processorMs()
  for (let minute = 0; minute < INTERVAL; minute += 1) {
    await service.clock.advance(MINUTE)
    await service.accept([])
  }
  const spent = processorMs() - began
  if ((await countOf()) < before) throw new Error('the heartbeats evaluated nothing')
  return {
    name: `${THESES} theses with heartbeats`,
    ours: (100 * spent) / (INTERVAL * MINUTE),
    baseline: null,
    unit: '% of a core',
    ratio: null,
    goal: '≤ 5 %',
    note: `each evaluated in ${INTERVAL} min; ${Math.round(spent)} ms of processor with all else of the service. At the least interval, 15 min, 16 times as much`,
  }
}
