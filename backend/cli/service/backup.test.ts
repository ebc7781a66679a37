import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openStores } from '../../app/stores.ts'
import { quoteColumns } from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { environmentOf, runIn } from '../../testing/command-line.ts'
import { acquireService } from './private-service.ts'

// Each call starts separate processes.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const T0 = Date.parse('2026-01-01T00:00:00Z')
const ROWS = 3

let [home, data] = ['', '']
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'augury-cli-backup-')))
  data = join(home, 'data')
  const stores = await openStores(data, silentLogger)
  const [market = -1] = await stores.history.marketIds([{ venue: 'venue_a', ticker: 'KX-A' }])
  const times = Array.from({ length: ROWS }, (_, n) => T0 + n)
  await stores.history.append({
    facts: [{ market, knownAt: T0 as Millis, facts: marketFacts({ ticker: 'KX-A' }) }],
    quotes: quoteColumns(times.map((ts) => ({ market, ts, bid: 4_000, ask: 4_100 }))),
  })
  await stores.close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const augury = (dataDir: string, ...args: string[]) => runIn(environmentOf(home, dataDir), args)

/** Content of the history of a data folder that no process has open. */
async function quotesIn(dataDir: string): Promise<number> {
  const stores = await openStores(dataDir, silentLogger)
  const { quotes } = await stores.history.size()
  await stores.close()
  return quotes
}

describe('augury backup and restore', () => {
  it('back up a running service, and put the backup into an empty folder', async () => {
    const service = await acquireService(data, environmentOf(home, data), () => {})
    try {
      const created = await augury(data, 'backup', '--out', 'kept', '--json')
      expect([created.exit, created.err]).toEqual([0, ''])
      expect(JSON.parse(created.out)).toMatchObject({ state: 'done', out: join(home, 'kept') })
      const again = await augury(data, 'backup', '--out', 'kept')
      expect([again.exit, again.out]).toEqual([8, ''])
      expect(again.err).toContain('folder exists and is not empty')
      expect((await augury(data, 'backup', '--out', 'kept', '--force', '--quiet')).exit).toBe(0)
    } finally {
      await service.release()
    }
    const copy = join(home, 'copy')
    const restored = await augury(copy, 'restore', 'kept', '--json')
    expect([restored.exit, JSON.parse(restored.out)]).toEqual([
      0,
      expect.objectContaining({ ok: true, state: 'done' }),
    ])
    expect(await quotesIn(copy)).toBe(ROWS)
  })

  it('wait for a running service, and are taken over when it starts again', async () => {
    const backup = await augury(data, 'backup', '--out', 'other')
    expect(backup.err).toContain('starting a private one')
    expect([backup.exit, backup.out]).toEqual([0, expect.stringContaining(join(home, 'other'))])
    const busy = join(home, 'busy')
    const service = await acquireService(busy, environmentOf(home, busy), () => {})
    try {
      const pending = await augury(busy, 'restore', 'other', '--force')
      expect([pending.exit, pending.out]).toEqual([0, expect.stringContaining('state: pending')])
      expect(readdirSync(busy)).toContain('restore-pending')
    } finally {
      await service.release()
    }
    expect(await quotesIn(busy)).toBe(ROWS)
    expect(readdirSync(busy).filter((name) => name.startsWith('before-restore-'))).toHaveLength(1)
  })
})
