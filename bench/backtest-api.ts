import { fileURLToPath } from 'node:url'
import { systemClock } from '../backend/lib/clock.ts'
import { FROM, KEYS, MARKETS, TO } from './backtest-history.ts'
import type { BenchRow } from './bench-row.ts'
import { load } from './http-load.ts'
import { ownerCookie, sendRequest } from './owner-request.ts'
import { inTurns } from './rounds.ts'
import { startService } from './service.ts'

const STRATEGY = fileURLToPath(new URL('./sma-strategy.ts', import.meta.url))
const CONNECTIONS = 4
const SPAN_MS = 2_500
const CHECK_EVERY_MS = 100

/**
 * Effect of a backtest over all markets on readers of candles (G15). @param folder with the history
 * of the bench
 */
export async function benchBesideRun(folder: string): Promise<BenchRow[]> {
  const service = await startService(['--source', 'none', '--data', folder])
  try {
    const { url } = service
    const cookie = await ownerCookie(url, folder)
    const signed = { cookie, origin: url }
    const to = new Date(TO).toISOString()
    const candles = `/api/public/market/${KEYS[7]?.ticker ?? ''}/candles?timeframe=5m&limit=100&asOf=${to}`
    const p99 = async (): Promise<number> => {
      const { port } = new URL(url)
      return (await load(Number(port), candles, { connections: CONNECTIONS, span: SPAN_MS })).p99
    }
    type Reported = { readonly state: string; readonly error: string | null }
    const begin = async (from: number): Promise<string> => {
      const started = await sendRequest(`${url}/api/backtests`, 'POST', signed, {
        strategy: STRATEGY,
        from: new Date(from).toISOString(),
        to,
        // So that it lasts longer than the load.
        params: { markets: MARKETS },
        checks: ['lookahead', 'determinism'],
      })
      if (started.status !== 202) throw new Error(`${started.status} ${started.body.toString()}`)
      return `${url}/api/backtests/${(JSON.parse(started.body.toString()) as { id: string }).id}`
    }
    const stateOf = async (run: string): Promise<string> => {
      const { body } = await sendRequest(run, 'GET', signed)
      const { state, error } = JSON.parse(body.toString()) as Reported
      if (error !== null) throw new Error(error)
      return state
    }
    const beside = async (from: () => number, name: string): Promise<BenchRow> => {
      const paired = await inTurns(async () => {
        const run = await begin(from())
        const figure = await p99()
        const state = await stateOf(run)
        if (state !== 'running') throw new Error(`the run was ${state} before the load was over`)
        await sendRequest(run, 'DELETE', signed)
        return figure
      }, p99)
      return {
        name: `ready candles while a backtest of all markets runs, ${name}, p99`,
        ours: paired.ours,
        baseline: paired.baseline,
        unit: 'ms',
        ratio: paired.ratio,
        goal: '≤ 2 × idle',
        note: `${CONNECTIONS} connections; spread ${paired.spread.toFixed(2)}`,
      }
    }
    await service.whenIdle()
    let earlier = 0
    const first = await beside(() => FROM - ++earlier, 'the first over its range')
    const firstRun = await begin(FROM)
    while ((await stateOf(firstRun)) === 'running') await systemClock.sleep(CHECK_EVERY_MS)
    return [first, await beside(() => FROM, 'over a range that was read before')]
  } finally {
    await service.stop()
  }
}
