import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BenchRow } from './bench-row.ts'
import { load } from './http-load.ts'
import { KEYED_PATH, OPEN_PATH, type KeyServing } from './keys-server.ts'
import { inTurns } from './rounds.ts'

const LOAD = { connections: 32, span: 1_000 }

/** Requests a second with a data key that is known, against anonymous ones of the same answer. */
export async function benchKeys(): Promise<BenchRow[]> {
  const worker = new Worker(new URL('./keys-server.ts', import.meta.url))
  try {
    const [{ port, key }] = (await once(worker, 'message')) as [KeyServing]
    const authorization = `Bearer ${key}`
    const figures = await inTurns(
      async () => (await load(port, KEYED_PATH, { ...LOAD, authorization })).perSecond,
      async () => (await load(port, OPEN_PATH, LOAD)).perSecond,
    )
    return [
      {
        name: 'request with a known key against an anonymous one',
        ours: Math.round(figures.ours),
        baseline: Math.round(figures.baseline),
        unit: 'req/s',
        ratio: figures.ratio,
        goal: '≥ 0.9 × (stretch 0.97 ×)',
        note: `32 connections, ratio spread ${(figures.spread * 100).toFixed(0)} %`,
      },
    ]
  } finally {
    const ended = once(worker, 'exit')
    worker.postMessage('stop')
    await ended
  }
}
