import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../backend/lib/clock.ts'
import type { BenchRow } from './bench-row.ts'
import { load } from './http-load.ts'
import { HOT_PATH } from './http-server.ts'
import type { Question, Serving } from './http-server.ts'
import { inTurns, median } from './rounds.ts'

const LOAD = { connections: 32, span: 1_000 }

async function ask<T>(worker: Worker, question: Question): Promise<T> {
  const answered = once(worker, 'message') as Promise<[T]>
  worker.postMessage(question)
  return (await answered)[0]
}

function read(agent: Agent, port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, path, host: '127.0.0.1' }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${path} answered ${String(response.statusCode)}`)),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Requests a second of the hot list against node:http writing the same body, alternating. */
async function hotRoute({ ours, plain }: Serving): Promise<BenchRow[]> {
  const p99: { ours: number; plain: number }[] = []
  const latest = { ours: 0, plain: 0 }
  const figures = await inTurns(
    async () => {
      const result = await load(ours, HOT_PATH, LOAD)
      latest.ours = result.p99
      return result.perSecond
    },
    async () => {
      const result = await load(plain, '/', LOAD)
      latest.plain = result.p99
      p99.push({ ...latest })
      return result.perSecond
    },
  )
  const slow = {
    ours: median(p99.map((round) => round.ours)),
    plain: median(p99.map((round) => round.plain)),
  }
  return [
    {
      name: 'hot JSON route against node:http + JSON.stringify',
      ours: Math.round(figures.ours),
      baseline: Math.round(figures.baseline),
      unit: 'req/s',
      ratio: figures.ratio,
      goal: '≥ 0.45 × (stretch 0.7 ×)',
      note: `32 connections, ratio spread ${(figures.spread * 100).toFixed(0)} %`,
    },
    {
      name: 'hot JSON route, p99',
      ours: slow.ours,
      baseline: slow.plain,
      unit: 'ms',
      ratio: slow.ours / slow.plain,
      goal: '≤ 2 ×',
      note: null,
    },
  ]
}

/** Cold candles over HTTP against the same read inside the serving process. */
async function candles(worker: Worker, { ours, candlePaths }: Serving): Promise<BenchRow> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let round = 0
  const overHttp = async (): Promise<number> => {
    round += 1
    const times: number[] = []
    for (const path of candlePaths) {
      const from = systemClock.monotonic()
      // Another limit makes another address, so that no round hits the previous one's cached bytes.
      await read(agent, ours, `${path}&limit=${500 - round}`)
      times.push(systemClock.monotonic() - from)
    }
    return median(times)
  }
  const inProcess = async () => median(await ask<number[]>(worker, { kind: 'time-candles' }))
  const figures = await inTurns(overHttp, inProcess)
  agent.destroy()
  return {
    name: 'candles over HTTP, p50, cold',
    ours: figures.ours,
    baseline: figures.baseline,
    unit: 'ms',
    ratio: figures.ratio,
    goal: '≤ 1.5 × + 1 ms',
    note: `500 bars; excess over 1.5 × is ${(figures.ours - 1.5 * figures.baseline).toFixed(2)} ms`,
  }
}

/** The HTTP figures: hot route and candles, with the server on a thread of its own. */
export async function benchHttp(): Promise<BenchRow[]> {
  const worker = new Worker(new URL('./http-server.ts', import.meta.url))
  try {
    const [serving] = (await once(worker, 'message')) as [Serving]
    return [...(await hotRoute(serving)), await candles(worker, serving)]
  } finally {
    const ended = once(worker, 'exit')
    worker.postMessage({ kind: 'stop' } satisfies Question)
    await ended
  }
}
