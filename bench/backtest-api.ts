import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { readLaunch } from '../backend/lib/launch-file.ts'
import { FROM, KEYS, MARKETS, TO } from './backtest-history.ts'
import type { BenchRow } from './bench-row.ts'
import { load } from './http-load.ts'
import { inTurns } from './rounds.ts'
import { startService } from './service.ts'

const STRATEGY = fileURLToPath(new URL('./sma-strategy.ts', import.meta.url))
const CONNECTIONS = 4
const SPAN_MS = 2_500

const ask = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ status: number; text: string; cookie: string }> =>
  new Promise((resolve, reject) => {
    const typed = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url, { method, headers: { ...typed, ...headers } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? '' : JSON.stringify(body))
  })

/** What readers of candles notice of a run over all markets (G15). @param folder with the history of the bench */
export async function benchBesideRun(folder: string): Promise<BenchRow[]> {
  const service = await startService(['--source', 'none', '--data', folder])
  try {
    const { url } = service
    const secret = readLaunch(folder)?.secret ?? ''
    const issued = await ask(`${url}/api/auth/local`, 'POST', { authorization: `Launch ${secret}` }, {}) // prettier-ignore
    const { ticket } = JSON.parse(issued.text) as { ticket: string }
    const { cookie } = await ask(`${url}/api/auth/exchange`, 'POST', {}, { ticket })
    const signed = { cookie, origin: url }
    const to = new Date(TO).toISOString()
    const candles = `/api/public/market/${KEYS[7]?.ticker ?? ''}/candles?timeframe=5m&limit=100&asOf=${to}`
    const p99 = async (): Promise<number> => {
      const { port } = new URL(url)
      return (await load(Number(port), candles, { connections: CONNECTIONS, span: SPAN_MS })).p99
    }
    await service.rests()
    const beside = await inTurns(async () => {
      const started = await ask(`${url}/api/backtests`, 'POST', signed, {
        ...{ strategy: STRATEGY, from: new Date(FROM).toISOString(), to },
        params: { markets: MARKETS },
      })
      if (started.status !== 202) throw new Error(`${started.status} ${started.text}`)
      const run = `${url}/api/backtests/${(JSON.parse(started.text) as { id: string }).id}`
      const figure = await p99()
      const { text } = await ask(run, 'GET', signed)
      const { state, error } = JSON.parse(text) as { state: string; error: string | null }
      if (error !== null) throw new Error(error)
      if (state !== 'running') throw new Error(`the run was ${state} before the load was over`)
      await ask(run, 'DELETE', signed)
      return figure
    }, p99)
    return [
      {
        name: 'ready candles while a backtest of all markets runs, p99',
        ...{ ours: beside.ours, baseline: beside.baseline, unit: 'ms', ratio: beside.ratio },
        goal: '≤ 2 × idle',
        note: `${CONNECTIONS} connections; spread ${beside.spread.toFixed(2)}`,
      },
    ]
  } finally {
    await service.stop()
  }
}
