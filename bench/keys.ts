import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BenchRow } from './bench-row.ts'
import { load } from './http-load.ts'
import { KEYED_PATH, OPEN_PATH, type KeyServing } from './keys-server.ts'
import { inTurns } from './rounds.ts'

const LOAD = { connections: 32, span: 500 }
const ROUNDS = 15

/**
 * Requests a second with a valid key, recorded as usage, against anonymous ones for the same
 * response.
 */
export async function benchKeys(): Promise<BenchRow[]> {
  const worker = new Worker(new URL('./keys-server.ts', import.meta.url))
  try {
    const [{ port, dataKey, serviceKey }] = (await once(worker, 'message')) as [KeyServing]
    const against = async (name: string, path: string, key: string): Promise<BenchRow> => {
      const authorization = `Bearer ${key}`
      const figures = await inTurns(
        async () => (await load(port, path, { ...LOAD, authorization })).perSecond,
        async () => (await load(port, OPEN_PATH, LOAD)).perSecond,
        ROUNDS,
      )
      return {
        name,
        ours: Math.round(figures.ours),
        baseline: Math.round(figures.baseline),
        unit: 'req/s',
        ratio: figures.ratio,
        goal: '≥ 0.9 × (stretch 0.97 ×)',
        note: `32 connections, ${ROUNDS} rounds, ratio spread ${(figures.spread * 100).toFixed(0)} %`,
      }
    }
    return [
      await against('known service key against nobody, same route', OPEN_PATH, serviceKey),
      await against('known data key against nobody, same answer', KEYED_PATH, dataKey),
    ]
  } finally {
    const ended = once(worker, 'exit')
    worker.postMessage('stop')
    await ended
  }
}
