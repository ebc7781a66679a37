import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Damage } from '../../domain/history-damage.ts'
import type { Millis } from '../../domain/units.ts'
import { systemClock } from '../../lib/clock.ts'
import { silentLogger } from '../../lib/logger.ts'
import { tradeColumns } from '../../testing/history-rows.ts'
import { timesOpen } from '../../testing/open-files.ts'
import { openEngine } from '../duckdb/engine/engine.ts'
import type { TradeRow } from '../market-rows.ts'
import { DurableHistory } from './durable-history.ts'

const EVER = { from: 0 as Millis, to: Infinity as Millis, asOf: Infinity as Millis }
const ROWS = 250_000
/** Where blocks lie in a file of the engine. */
const FIRST_BLOCK = 12_288
const BLOCK_BYTES = 262_144

/** The error of another process that opens the file; empty when it can. */
function openElsewhere(path: string): string {
  const script = `import { DuckDBInstance } from '@duckdb/node-api'; await DuckDBInstance.create(${JSON.stringify(path)})`
  const options = { encoding: 'utf8', cwd: import.meta.dirname } as const
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], options).stderr
}

describe('a history whose damage is detected during a read', () => {
  let folder: string
  let damages: Damage[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-mended-'))
    damages = []
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const open = () =>
    DurableHistory.open({
      path: join(folder, 'history.duckdb'),
      dataDir: folder,
      memoryLimitMb: 256,
      logger: silentLogger,
      clock: systemClock,
      wasClean: true,
      onDamage: (damage) => damages.push(damage),
    })

  it.skipIf(process.platform !== 'linux')(
    'keeps its lock on the file through writes: no descriptor of it is closed early',
    async () => {
      const path = join(folder, 'history.duckdb')
      for (const round of [1, 2]) {
        const created = await open()
        // The engine's own checkpoint, and one followed by reading the header after each write.
        expect(timesOpen(path), `opening ${round}`).toBe(2)
        await created.store.marketIds([{ venue: 'venue_a', ticker: `KX${round}` }])
        expect(timesOpen(path)).toBe(2)
        expect(openElsewhere(path)).toMatch(/lock/i)
        await created.store.close()
        expect(timesOpen(path)).toBe(0)
      }
    },
  )

  it.each([
    ['removed', (path: string) => rmSync(path)],
    ['emptied', (path: string) => writeFileSync(path, '')],
  ])('reports once that the records of its writes were %s', async (_, damage) => {
    await (await open()).store.close()
    await (await open()).store.close()
    expect(damages).toEqual([])
    damage(join(folder, 'history.duckdb.writes'))
    const opened = await open()
    expect(damages.map(({ reason }) => reason)).toEqual(['the records of writes are gone'])
    const gaps = await opened.store.gaps({ venue: null, ...EVER, to: 1e15 as Millis, limit: 10 })
    expect(gaps.length).toBeGreaterThan(0)
    await opened.store.close()
    await (await open()).store.close()
    expect(damages).toHaveLength(1)
  })

  it('is repaired behind the same store: stored rows are correct, the rest is a gap', async () => {
    const first = await open()
    const [market = -1] = await first.store.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
    const now = systemClock.now()
    const rows = Array.from({ length: ROWS }, (_, n) => ({
      market,
      ts: now - 2 * ROWS + n,
      tradeId: `trade-${n}-${(n * 7_919_317) % 1_000_003}`,
      price: 100 + (n % 900),
    }))
    await first.store.append({ trades: tradeColumns(rows) })
    await first.store.sortClosedHours((now + 7_200_000) as Millis)
    const before = new Map(
      (await first.store.trades({ market, ...EVER })).map((row) => [row.tradeId, row]),
    )
    await first.withConnection((connection) => connection.run('checkpoint'))
    const block = await first.withConnection(async (connection) => {
      const found = await connection.runAndReadAll(
        `select max(block_id)::integer from pragma_storage_info('trade')
          where column_name = 'trade_id' and row_group_id = 1`,
      )
      return Number(found.getRows()[0]?.[0])
    })
    await first.store.close()

    const path = join(folder, 'history.duckdb')
    const content = readFileSync(path)
    const place = FIRST_BLOCK + block * BLOCK_BYTES + 1_000
    content[place] = (content[place] ?? 0) ^ 0x04
    writeFileSync(path, content)

    const second = await open()
    const after = await expect
      .poll(() => second.store.trades({ market, ...EVER }).catch(() => null), { timeout: 60_000 })
      .not.toBeNull()
      .then(() => second.store.trades({ market, ...EVER }))
    expect(damages).toHaveLength(1)
    const textOf = (row: TradeRow | undefined) => JSON.stringify(row)
    expect(after.filter((row) => textOf(row) !== textOf(before.get(row.tradeId)))).toEqual([])
    const gaps = await second.store.gaps({ ...EVER, venue: 'venue_a', limit: 100 })
    const stored = new Set(after.map(({ tradeId }) => tradeId))
    const missing = [...before.values()].filter(({ tradeId }) => !stored.has(tradeId))
    const unmarked = missing.filter(
      ({ ts }) => !gaps.some(({ from, to }) => from <= ts && ts < (to ?? Infinity)),
    )
    expect(missing.length).toBeGreaterThan(0)
    expect(unmarked).toEqual([])
    await second.store.append({
      trades: tradeColumns([{ market, ts: now, tradeId: 'later', price: 5 }]),
    })
    await second.store.close()
  })
})

describe('a history that was killed during creation', () => {
  it.each([0, 4_096, 8_192])(
    'is created again after %i bytes, and is not damage',
    async (bytes) => {
      const folder = mkdtempSync(join(tmpdir(), 'augury-unborn-'))
      try {
        const path = join(folder, 'history.duckdb')
        writeFileSync(`${path}.new`, await firstBytes(bytes))
        const damages: Damage[] = []
        const durable = await DurableHistory.open({
          path,
          dataDir: folder,
          memoryLimitMb: 256,
          wasClean: false,
          logger: silentLogger,
          clock: systemClock,
          onDamage: (damage) => damages.push(damage),
        })
        expect(await durable.store.marketIds([{ venue: 'venue_a', ticker: 'KX' }])).toHaveLength(1)
        await durable.store.close()
        expect(damages).toEqual([])
        expect(readdirSync(folder)).not.toContain('history.duckdb.new')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )
})

/** Content of a new file when the engine is killed after so many bytes. */
async function firstBytes(bytes: number): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-unborn-'))
  try {
    const path = join(folder, 'whole.duckdb')
    const engine = await openEngine({ path })
    engine.close()
    return readFileSync(path).subarray(0, bytes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
