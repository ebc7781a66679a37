import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MINUTE } from '../backend/domain/units.ts'
import { openHistory } from '../backend/history/duckdb/open.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns } from './rounds.ts'

const MAIN = fileURLToPath(new URL('../backend/main.ts', import.meta.url))
const BARE = fileURLToPath(new URL('./start-bare.ts', import.meta.url))
const MARKETS = 500
const SIZES = [20_000, 2_000_000] as const

/** A data folder with so many trades in it. */
async function folderWith(trades: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-start-'))
  const path = join(folder, 'history.duckdb')
  const history = await openHistory({ path, dataDir: folder, logger: silentLogger })
  const keys = Array.from({ length: MARKETS }, (_, index) => ({
    venue: 'venue_a' as const,
    ticker: `KXBENCH-${index}`,
  }))
  const ids = await history.marketIds(keys)
  const batch = Math.min(trades, 100_000)
  const rows = Array.from({ length: batch }, (_, row) => row)
  for (let written = 0; written < trades; written += batch) {
    await history.append({
      trades: {
        market: Int32Array.from(rows, (row) => ids[row % MARKETS] ?? 0),
        ts: Float64Array.from(rows, (row) => 1_780_000_000_000 + (written + row) * (MINUTE / 100)),
        lag: new Float64Array(batch),
        origin: new Uint8Array(batch),
        tradeId: rows.map((row) => String(written + row)),
        price: Int32Array.from(rows, (row) => 4_000 + (row % 500)),
        size: new Float64Array(batch).fill(1_000_000),
        taker: new Uint8Array(batch),
        isBlock: new Uint8Array(batch),
      },
    })
  }
  await history.sortClosedHours(2_000_000_000_000 as Parameters<typeof history.sortClosedHours>[0])
  await history.close()
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Milliseconds from starting a process to its first 200. */
async function toFirst200(script: string, folder: string): Promise<number> {
  const port = await freePort()
  const flags = ['--source', 'none', '--port', String(port), '--data', folder]
  const started = performance.now()
  const child = spawn(process.execPath, [script, ...flags], { stdio: 'ignore' })
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/api/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) break
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`)
  }
  const took = performance.now() - started
  child.kill('SIGTERM')
  await once(child, 'exit')
  return took
}

/** Start to first 200 against a script that imports the same modules and opens the same file. */
export async function benchStart(): Promise<BenchRow[]> {
  const folders = await Promise.all(SIZES.map(folderWith))
  const [small = '', large = ''] = folders
  try {
    const against = await inTurns(
      () => toFirst200(MAIN, large),
      () => toFirst200(BARE, large),
    )
    const growth = await inTurns(
      () => toFirst200(MAIN, large),
      () => toFirst200(MAIN, small),
    )
    const row = { unit: 'ms', note: null }
    return [
      { ...row, name: 'start to first 200', ...against, goal: '≤ 2 × the same imports and file' },
      {
        ...row,
        name: `start, ${SIZES[1]} rows against ${SIZES[0]}`,
        ...growth,
        goal: 'flat: ≤ 1.2 ×',
      },
    ]
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}
