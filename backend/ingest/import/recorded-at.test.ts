import { describe, expect, it } from 'vitest'
import { recordedAt, unwrap } from './recorded-at.ts'
import { NO_NOTES } from './recording.ts'

const at = (iso: string): number => Date.parse(iso)

describe('recordedAt', () => {
  it('prefers the time of the collector', () => {
    const { body, notes } = unwrap({
      _metadata: { recorded_at: '2026-01-12T22:08:10.600Z', ticker: 'KXA', period_interval: 60 },
      response: { market: { updated_time: '2026-01-01T00:00:00Z' } },
    })
    expect(notes).toEqual({
      recordedAt: at('2026-01-12T22:08:10.600Z'),
      ticker: 'KXA',
      periodMinutes: 60,
    })
    expect(recordedAt(body, notes, '/x/2026-03.json')).toBe(at('2026-01-12T22:08:10.600Z'))
  })

  it('uses the newest update time of the payload, and no closing time', () => {
    const body = [
      { updatedAt: '2026-03-01T10:00:00Z', endDate: '2030-01-01T00:00:00Z' },
      { nested: { last_updated_ts: '2026-03-01T12:00:00Z' }, created_time: '0001-01-01T00:00:00Z' },
    ]
    expect(recordedAt(body, NO_NOTES, '/x.json')).toBe(at('2026-03-01T12:00:00Z'))
  })

  it.each([
    ['1784958701198', 1_784_958_701_198],
    [1_784_958_701, 1_784_958_701_000],
  ])('reads the number %s as seconds or milliseconds by its size', (timestamp, expected) => {
    expect(recordedAt({ timestamp }, NO_NOTES, '/x.json')).toBe(expected)
  })

  it.each([
    ['/a/dump_2026-03-01.json', '2026-03-01T23:59:59.999Z'],
    ['/a/dump_2024-02.json', '2024-02-29T23:59:59.999Z'],
  ])('falls back to the end of what %s names', (path, iso) => {
    expect(recordedAt({}, NO_NOTES, path)).toBe(at(iso))
  })

  it('is null without any source', () => {
    expect(recordedAt({ a: 1 }, NO_NOTES, '/2024-02/dump.json')).toBeNull()
  })
})
