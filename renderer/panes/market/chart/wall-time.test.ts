import { describe, expect, it } from 'vitest'
import { instantOfWallTime } from './wall-time.ts'

const iso = (text: string, timeZone: string): string | null => {
  const at = instantOfWallTime(text, { timeZone })
  return at === null ? null : new Date(at).toISOString()
}

describe('a wall time', () => {
  it.each([
    ['2026-11-20T08:00', 'UTC', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00', 'America/New_York', '2026-11-20T13:00:00.000Z'],
    ['2026-07-20T08:00:30', 'America/New_York', '2026-07-20T12:00:30.000Z'],
    ['2026-01-01T00:30', 'Asia/Kolkata', '2025-12-31T19:00:00.000Z'],
    ['2026-12-31T23:30', 'America/New_York', '2027-01-01T04:30:00.000Z'],
  ])('%s in %s is an instant', (text, zone, instant) => {
    expect(iso(text, zone)).toBe(instant)
  })

  it('that occurs twice is the first one', () => {
    expect(iso('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
    expect(iso('2026-11-01T02:00', 'America/New_York')).toBe('2026-11-01T07:00:00.000Z')
  })

  it('that the clocks skip is counted from before the change', () => {
    expect(iso('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z')
    expect(iso('2026-03-08T01:59', 'America/New_York')).toBe('2026-03-08T06:59:00.000Z')
    expect(iso('2026-03-08T03:00', 'America/New_York')).toBe('2026-03-08T07:00:00.000Z')
  })

  it('that is none has no instant', () => {
    expect(iso('', 'UTC')).toBeNull()
    expect(iso('2026-13-01T00:00', 'UTC')).toBeNull()
  })
})
