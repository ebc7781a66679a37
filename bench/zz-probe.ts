import { existsSync, cpSync, mkdtempSync, writeFileSync, readFileSync } from 'node:fs'
import { startService } from './service.ts'
import { catalogueOf, fillDay } from './context-markets.ts'
import { openHistory } from '../backend/history/duckdb/open.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { mkdirSync } from 'node:fs'
const folder = '/tmp/p99/data'
const COUNT = 5000
if (!existsSync(folder)) {
  mkdirSync(folder)
  const now = systemClock.now()
  writeFileSync('/tmp/p99/now', String(now))
  const history = await openHistory({ path: folder + '/history.duckdb', dataDir: folder, logger: silentLogger })
  await fillDay(history, catalogueOf(COUNT, now), now)
  await history.sortClosedHours(now)
  await history.close()
}
const t0 = performance.now()
const service = await (process.env.NODE_OPTIONS='--import /tmp/p99/gcwatch.mjs', startService)(['--data', folder, '--source', 'none'])
for (;;) { const a = await fetch(service.url + '/api/agent/world'); await a.arrayBuffer(); if (a.ok) break; await new Promise(r => setTimeout(r, 250)) }
console.log('world', (performance.now() - t0).toFixed(0))
await service.rests()
console.log('rests', (performance.now() - t0).toFixed(0), new Date().toISOString())
const now = Number(readFileSync('/tmp/p99/now', 'utf8'))
const every = Math.floor(COUNT / 1200)
const tickers = catalogueOf(COUNT, now as never).filter((_, i) => i % every === 0).map(m => m.ticker)
import { execSync } from 'node:child_process'
const pid = execSync('pgrep -f "main.ts --port 0.*p99/data" | head -1').toString().trim()
for (const round of [1]) {
if (process.env.PROF) process.kill(Number(pid), 'SIGUSR2')

const times: [number, number, number][] = []
for (const [i, t] of tickers.entries()) {
  const s = performance.now()
  const a = await fetch(`${service.url}/api/agent/inspect/${t}`)
  await a.arrayBuffer()
  times.push([i, performance.now() - s, performance.timeOrigin + s])
}
const sorted = times.map(x => x[1]).sort((a, b) => a - b)
console.log('p50', sorted[sorted.length >> 1]!.toFixed(2), 'p95', sorted[Math.floor(sorted.length * .95)]!.toFixed(1), 'p99', sorted[Math.floor(sorted.length * .99)]!.toFixed(1), 'n', sorted.length)
for (const x of times.filter(x => x[1] > 12)) console.log('  slow', x[0], x[1].toFixed(1), x[2].toFixed(0))
}
if (process.env.PROF) { process.kill(Number(pid), 'SIGUSR2'); await new Promise(r => setTimeout(r, 3000)) }
await service.stop()
