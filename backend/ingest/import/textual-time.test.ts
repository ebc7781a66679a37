import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { instantSql, textualTime } from './textual-time.ts'

afterEach(() => vi.unstubAllEnvs())

const AT = Date.UTC(2026, 6, 10, 20, 25, 46)
const MINUTE = Date.UTC(2026, 6, 10, 20, 25)
const DAY = Date.UTC(2026, 6, 10)

describe('a time written as text', () => {
  it.each([
    ['2026-07-10T20:25:46Z', AT],
    ['2026-07-10T22:25:46+02:00', AT],
    ['2026-07-10 20:25:46 UTC', AT],
    [' 1783715146 ', AT],
    ['1783715146000', AT],
    // As seconds this would be the year 5138.
    ['100000000000', 100_000_000_000],
    ['99999999999', null],
    ['Fri, 10 Jul 2026 20:25:46 GMT', AT],
    ['Fri, 10 Jul 2026 22:25:46 +0200', AT],
    ['10 July 2026', DAY],
    ['Jul 10, 2026', DAY],
    ['Jul 10, 2026 8:25 PM', MINUTE],
    ['10 Jul 2026 20:25', MINUTE],
    ['Jan 1, 1970', null],
    ['10/07/2026', null],
    ['Jul 2026', null],
    ['41 Jul 2026', null],
    ['soon', null],
    ['', null],
  ])('“%s” is %j', (text, at) => {
    // The zone of this machine must not matter.
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date(DAY).getHours()).toBe(20)
    expect(textualTime(text)).toBe(at)
  })
})

it('SQL reads the same instants', async () => {
  const texts = [
    '2026-07-10T20:25:46Z',
    '1783715146',
    '1783715146000',
    'Fri, 10 Jul 2026 20:25:46 GMT',
    'Jul 10, 2026 8:25 PM',
    'Jul 10, 2026',
    '10 Jul 2026',
    '10/07/2026',
    '12',
    'soon',
  ]
  const db = await DuckDBInstance.create(':memory:')
  const connection = await db.connect()
  await connection.run("set timezone = 'UTC'")
  const reader = await connection.runAndReadAll(
    `select ${instantSql('text')} from (select unnest([${texts.map((text) => `'${text}'`).join(', ')}]) as text)`,
  )
  expect(reader.getRows().map(([at]) => (at === null ? null : Number(at)))).toEqual([
    AT,
    AT,
    AT,
    AT,
    MINUTE,
    DAY,
    DAY,
    null,
    null,
    null,
  ])
  connection.closeSync()
  db.closeSync()
})
