import { afterEach, expect, it, vi } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { at } from '../../testing/builders.ts'
import type { ReplayControl } from './replay.control.ts'
import { createReplay } from './replay.service.ts'

afterEach(() => vi.unstubAllEnvs())

const seeksOf = (to: string): Promise<Millis[]> => {
  const seeks: Millis[] = []
  const position = {
    state: 'paused',
    now: at('2026-11-20T00:00:00Z'),
    from: at('2026-11-20T00:00:00Z'),
    to: at('2026-11-21T00:00:00Z'),
    speed: 'max',
  } as const
  const control: Partial<ReplayControl> = {
    seek: (instant) => {
      seeks.push(instant)
      return Promise.resolve(position)
    },
  }
  const replay = createReplay(control as ReplayControl, null)
  return replay.seek({ to }).then(() => seeks)
}

it.each([
  ['2026-11-20', '2026-11-20T00:00:00Z'],
  ['2026-11-20T12:30:00+02:00', '2026-11-20T10:30:00Z'],
  // Like every instant of the service, one without a zone is in UTC and not in that of the machine.
  ['2026-11-20T12:30:00', '2026-11-20T12:30:00Z'],
])('seeks to %s as %s', async (to, instant) => {
  vi.stubEnv('TZ', 'America/New_York')
  expect(await seeksOf(to)).toEqual([at(instant)])
})

it.each(['2026-02-30T00:00:00Z', 'tomorrow', '2026-11'])('refuses %s', async (to) => {
  await expect(seeksOf(to)).rejects.toThrow('to must be an instant in ISO 8601')
})
