import { describe, expect, it } from 'vitest'
import type { Fault, WrongValue } from './fault.ts'
import { withCrossedBook, withWrongHash } from './hostile-frames.ts'
import { truncateJson, withDuplicateKeys, withMark, withWrongTypes } from './hostile-bodies.ts'
import { withPagingError } from './paging-faults.ts'
import { parseFault } from './parse-fault.ts'
import { timesInZone } from './zoned-times.ts'

const fault = (body: object): Fault => {
  const parsed = parseFault({ venue: 'venue_a', kind: 'wrong-types', ...body })
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed.fault
}
const TRADES = JSON.stringify({
  trades: [
    { ticker: 'X', price: '0.5000', size: '1.00' },
    { ticker: 'Y', price: '0.6000', size: '2.00' },
  ],
  cursor: 'next',
})

describe('a hostile body', () => {
  it.each([
    ['null', '"price":null'],
    ['object', '"price":{"nested":{"nested":{}}}'],
    ['huge', '"price":123456789012345678901234567890'],
    ['nan-text', '"price":"NaN"'],
    ['1e400', '"price":1e400'],
  ] as [WrongValue, string][])('has %s in place of a field', (becomes, text) => {
    const corrupted = withWrongTypes(TRADES, fault({ field: 'price', becomes }), 0)
    expect(corrupted.body).toContain(text)
    expect(corrupted).toMatchObject({ rows: 1, markets: ['X'] })
    expect(JSON.parse(corrupted.body)).toMatchObject({
      trades: [{ ticker: 'X' }, { price: '0.6000' }],
    })
  })

  it('covers the fields one after another and never changes a name', () => {
    const bodies = [0, 1, 2].map((strike) => withWrongTypes(TRADES, fault({ width: 2 }), strike))
    expect(bodies.map(({ rows }) => rows)).toEqual([2, 2, 2])
    expect(JSON.parse(bodies[0]?.body ?? '')).toMatchObject({
      trades: [
        { ticker: 'X', price: null, size: '1.00' },
        { ticker: 'Y', price: '0.6000', size: null },
      ],
    })
  })

  it('finds the rows of a response at any depth', () => {
    const one = (body: object) =>
      withWrongTypes(JSON.stringify(body), fault({ field: 'a', becomes: 'null' }), 0).body
    expect(one([{ a: 1 }])).toBe('[{"a":null}]')
    expect(one({ market: { a: 1 } })).toBe('{"market":{"a":null}}')
    expect(one({ data: [{ a: 1 }], pagination: { limit: 1 } })).toContain('[{"a":null}]')
  })

  it('repeats keys so that the true value wins, carries a mark, or is invalid JSON', () => {
    const twice = withDuplicateKeys(TRADES).body
    expect(twice).toContain('{"ticker":"twice","ticker":"X"')
    expect(JSON.parse(twice)).toEqual(JSON.parse(TRADES))
    expect(withMark(TRADES).body.charCodeAt(0)).toBe(0xfeff)
    expect(() => JSON.parse(truncateJson(TRADES).body) as unknown).toThrow(SyntaxError)
  })
})

describe('a misleading page', () => {
  const first = new URLSearchParams()
  const second = new URLSearchParams({ cursor: 'here' })
  it('repeats its cursor once there is one', () => {
    const repeating = fault({ kind: 'repeated-cursor' })
    expect(withPagingError(TRADES, first, repeating)).toBeNull()
    expect(JSON.parse(withPagingError(TRADES, second, repeating) ?? '')).toMatchObject({
      cursor: 'here',
    })
  })

  it('promises more without a cursor', () => {
    const lost = fault({ kind: 'lost-cursor' })
    const page = { data: [], pagination: { has_more: false, next_cursor: 'x' } }
    expect(JSON.parse(withPagingError(JSON.stringify(page), first, lost) ?? '')).toMatchObject({
      pagination: { has_more: true, next_cursor: null },
    })
    expect(withPagingError(TRADES, first, lost)).toBeNull()
  })

  it('repeats a row as if the set had moved', () => {
    const moved = withPagingError(TRADES, second, fault({ kind: 'shifting-pages' })) ?? ''
    const { trades } = JSON.parse(moved) as { trades: { ticker: string }[] }
    expect(trades.map(({ ticker }) => ticker)).toEqual(['Y', 'X', 'Y'])
  })
})

describe('a frame', () => {
  it('crosses the book that it changes, or is unchanged', () => {
    const delta = { type: 'orderbook_delta', sid: 1, seq: 2, msg: { side: 'no', delta_fp: '1.00' } }
    expect(JSON.parse(withCrossedBook(JSON.stringify(delta)) ?? '')).toMatchObject({
      seq: 2,
      msg: { side: 'yes', price_dollars: '0.9990' },
    })
    const change = { event_type: 'price_change', price_changes: [{ price: '0.4', hash: 'abc' }] }
    expect(withCrossedBook(JSON.stringify(change))).toContain('"price":"0.999"')
    expect(withWrongHash(JSON.stringify(change))).toContain(`"hash":"${'0'.repeat(40)}"`)
    expect(withCrossedBook('{"type":"trade"}')).toBeNull()
  })
})

describe('times in another zone', () => {
  it.each([
    ['{"close_time":"2026-11-20T14:00:00Z"}', '{"close_time":"2026-11-20T09:00:00-05:00"}'],
    ['{"closedTime":"2026-11-20 02:00:00+00"}', '{"closedTime":"2026-11-19 21:00:00-05:00"}'],
    ['{"endDate":"2026-11-20T14:00:00.000Z"}', '{"endDate":"2026-11-20T09:00:00-05:00"}'],
    ['{"created_time":"2026-11-20T14:00:00Z"}', '{"created_time":"2026-11-20T14:00:00Z"}'],
  ])('name the same instant: %s', (body, expected) => {
    expect(timesInZone(body, -300)).toBe(expected)
  })
})
