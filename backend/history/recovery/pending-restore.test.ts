import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openStores } from '../../app/stores.ts'
import { hasPendingRestore, markReady, consumePendingRestore } from './pending-restore.ts'

const TAKE = fileURLToPath(new URL('../../testing/take-restore-until-killed.ts', import.meta.url))
const KEPT = 'before-restore-1970-01-01T000000Z'
let root: string
let data: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'augury-take-'))
  data = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Every file below a folder, with its content. */
const treeOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

const OLD = {
  'history.duckdb': 'old history',
  'history.duckdb.wal': 'old log',
  'state.sqlite': 'old state',
  'state.sqlite-wal': 'old state log',
  'parquet/days.jsonl': 'old days',
  'parquet/trades/a.parquet': 'old trades',
  'run/clean-stop.json': 'old stop',
  'secrets/session.jwk': 'old key',
}
const NEW = {
  'history.duckdb': 'new history',
  'state.sqlite': 'new state',
  'parquet/days.jsonl': 'new days',
  'secrets/session.jwk': 'new key',
}
const OTHER = { 'exports/mine.csv': 'mine', 'run/other.json': 'other' }

const under = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))

/** One process after another, each killed after one step, until one completes. */
function takeByKilled(afterEach: (kills: number) => void): number {
  for (let kills = 1; ; kills += 1) {
    const { status, signal, stderr } = spawnSync(process.execPath, [TAKE, data, '1'])
    if (signal !== 'SIGKILL') {
      expect([status, String(stderr)]).toEqual([0, ''])
      return kills - 1
    }
    afterEach(kills)
    if (kills > 40) throw new Error('it never comes to its end')
  }
}

describe('an interrupted restore', () => {
  it('ends with the complete new content and the old one kept, wherever processes are killed', () => {
    put(data, { ...OLD, ...OTHER })
    put(join(data, 'restore-pending', 'content'), NEW)
    markReady(data, 0 as Millis)
    const whole = { ...NEW, ...OTHER, ...under(KEPT, OLD) }
    const kills = takeByKilled((kill) => {
      const copy = join(root, `copy-${kill}`)
      cpSync(data, copy, { recursive: true })
      if (hasPendingRestore(copy)) expect(consumePendingRestore(copy)).toBe(KEPT)
      rmSync(join(copy, 'restore-pending'), { recursive: true, force: true })
      expect(treeOf(copy), `killed ${kill} times`).toEqual(whole)
    })
    expect(kills).toBeGreaterThan(10)
    rmSync(join(data, 'restore-pending'), { recursive: true, force: true })
    expect(treeOf(data)).toEqual(whole)
  })

  it('is completed by the stores that open next', async () => {
    const counts: number[] = []
    const make = async (folder: string, tickers: readonly string[]): Promise<void> => {
      const stores = await openStores(folder, silentLogger)
      await stores.history.marketIds(tickers.map((ticker) => ({ venue: 'venue_a', ticker })))
      await stores.close()
    }
    await make(data, ['A'])
    await make(join(data, 'restore-pending', 'content'), ['A', 'B', 'C'])
    for (const name of ['run', 'import']) {
      rmSync(join(data, 'restore-pending', 'content', name), { recursive: true, force: true })
    }
    markReady(data, 0 as Millis)
    for (const steps of [1, 7]) {
      const copy = join(root, `copy-${steps}`)
      cpSync(data, copy, { recursive: true })
      expect(spawnSync(process.execPath, [TAKE, copy, String(steps)]).signal).toBe('SIGKILL')
      const stores = await openStores(copy, silentLogger)
      counts.push((await stores.history.size()).markets)
      await stores.close()
      expect(existsSync(join(copy, 'restore-pending'))).toBe(false)
      const kept = await openStores(join(copy, KEPT), silentLogger)
      counts.push((await kept.history.size()).markets)
      await kept.close()
    }
    expect(counts).toEqual([3, 1, 3, 1])
  })
})
