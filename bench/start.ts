import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchRow } from './bench-row.ts'
import { inTurns } from './rounds.ts'
import { adoptTrades, openIn, TICKS_PER_MARKET } from './scratch-history.ts'

const SETUP = fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url))
/** The service as `npm start` and the installed app run it. */
const MAIN = fileURLToPath(new URL('../dist/backend/main.js', import.meta.url))
const BARE = fileURLToPath(new URL('./start-bare.ts', import.meta.url))
/** Trades on disk. */
const SIZES = [20_000_000, 80_000_000] as const

/** A data folder with so many trades in it. */
async function folderWith(trades: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-bench-start-'))
  const { history, close } = await openIn(folder)
  const markets = Math.ceil(trades / TICKS_PER_MARKET)
  await history.marketIds(
    Array.from({ length: markets }, (_, n) => ({ venue: 'venue_a', ticker: `KX-${n}` })),
  )
  await adoptTrades(history, folder, 0, markets)
  await close()
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

/**
 * Start to first 200 against a script that imports the same modules and opens the same file, by the
 * size of the history.
 */
export async function benchStart(sizes: readonly number[] = SIZES): Promise<BenchRow[]> {
  execFileSync(process.execPath, [SETUP, '--service'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const rows: BenchRow[] = []
  const folders: { readonly path: string; readonly size: string }[] = []
  try {
    for (const trades of sizes) {
      const folder = { path: await folderWith(trades), size: `${trades / 1e6} M trades` }
      folders.push(folder)
      const { spread, ...figures } = await inTurns(
        () => toFirst200(MAIN, folder.path),
        () => toFirst200(BARE, folder.path),
      )
      rows.push({
        ...figures,
        name: `start to first 200, ${folder.size}`,
        unit: 'ms',
        goal: '≤ 2 × the same imports and file',
        note: `ratio spread ${(spread * 100).toFixed(0)} %`,
      })
    }
    const [small, large] = [folders[0], folders.at(-1)]
    if (small === undefined || large === undefined) return rows
    const { spread, ...growth } = await inTurns(
      () => toFirst200(MAIN, large.path),
      () => toFirst200(MAIN, small.path),
    )
    rows.push({
      ...growth,
      name: `start, ${large.size} against ${small.size}`,
      unit: 'ms',
      goal: 'flat: ≤ 1.2 ×',
      note: `ratio spread ${(spread * 100).toFixed(0)} %`,
    })
    return rows
  } finally {
    for (const { path } of folders) rmSync(path, { recursive: true, force: true })
  }
}
