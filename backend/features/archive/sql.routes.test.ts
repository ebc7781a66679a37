import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { startArchiveService, type ArchiveService } from '../../testing/archive-service.ts'
import { tradeColumns } from '../../testing/history-rows.ts'

const START = '2026-11-20T12:00:00Z'
const T0 = Date.parse(START) as Millis
const OPEN_END = 'select count(*) from range(1000000) a, range(1000000) b'

let service: ArchiveService
beforeAll(async () => {
  service = await startArchiveService({
    start: START,
    async fill(history) {
      const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: 'KXFED-1' }])
      await history.append({
        trades: tradeColumns([
          { market, ts: T0 - 2_000, tradeId: 'a', price: 4_000 },
          { market, ts: T0 - 1_000, tradeId: 'b', price: 4_150 },
        ]),
      })
    },
  })
})
afterAll(() => service.stop())

const ask = (body: object, authorization?: string | null) =>
  service.ask('POST', '/api/sql', body, authorization)

describe('POST /api/sql', () => {
  // [sql.route.answer]
  it('returns columns with their types, rows in order, and whether rows were left out', async () => {
    const sql = 'select trade_id, price, ts from trades order by ts'
    const { status, text } = await ask({ sql })
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        columns: [
          { name: 'trade_id', type: 'VARCHAR' },
          { name: 'price', type: 'DOUBLE' },
          { name: 'ts', type: 'TIMESTAMP' },
        ],
        rows: [
          ['a', 40, '2026-11-20T11:59:58.000Z'],
          ['b', 41.5, '2026-11-20T11:59:59.000Z'],
        ],
        truncated: false,
      },
    ])
    const cut = JSON.parse((await ask({ sql, maxRows: 1 })).text) as {
      rows: []
      truncated: boolean
    }
    expect([cut.rows.length, cut.truncated]).toEqual([1, true])
  })

  // [sql.route.admins]
  it('is for administrators only', async () => {
    expect((await ask({ sql: 'select 1' }, null)).status).toBe(401)
    expect((await ask({ sql: 'select 1' }, 'Bearer aug_nobody')).status).toBe(401)
  })

  // [sql.route.refused]
  it.each([
    [{}, 'sql is required'],
    [{ sql: 7 }, 'sql must be string'],
    [{ sql: '' }, 'sql must be'],
    [{ sql: 'select 1', maxRows: 0 }, 'maxRows must be'],
    [{ sql: 'select 1', maxRows: 100_001 }, 'maxRows must be'],
    [{ sql: 'select 1\nfrom\n  nosuch' }, /no view "nosuch".*\(line 3, column 3\)/],
    [{ sql: 'selec 1' }, /^sql: syntax error .*\(line 1, column 1\)/],
    [{ sql: 'drop table trade' }, 'Only SELECT'],
  ])('%j is refused', async (body, message) => {
    const { status, text } = await ask(body)
    const { error, code } = JSON.parse(text) as { error: string; code: string }
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(error).toEqual(
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
    )
  })

  // [sql.route.bounds]
  it('is cancelled with its client, and frees its place', async () => {
    const running = (): number => {
      const folder = join(service.dataDir, 'tmp', 'statements')
      return existsSync(folder) ? readdirSync(folder).length : 0
    }
    for (let n = 0; n < 3; n++) {
      const disconnect = new AbortController()
      const left = fetch(`${service.url}/api/sql`, {
        method: 'POST',
        headers: { authorization: service.authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ sql: OPEN_END }),
        signal: disconnect.signal,
      }).catch(() => null)
      await expect.poll(running).toBe(1)
      disconnect.abort()
      expect(await left).toBeNull()
      await expect.poll(running).toBe(0)
    }
    expect((await ask({ sql: 'select 1' })).status).toBe(200)
  })

  // [sql.route.bounds]
  it('times out after ten seconds; the service still answers other statements and requests', async () => {
    const over = new AbortController()
    const long = ask({ sql: OPEN_END }).finally(() => over.abort())
    while (!over.signal.aborted) {
      await service.clock.advance(2_000)
      await nextTurn(10)
    }
    const { status, text } = await long
    expect([status, (JSON.parse(text) as { code: string }).code]).toEqual([503, 'QUERY_TIMEOUT'])
    expect((await ask({ sql: 'select 1' })).status).toBe(200)
    expect((await service.ask('GET', '/api/public/markets')).status).toBe(200)
  })
})
