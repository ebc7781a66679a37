import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createDoctorService, type ServicePart } from './doctor.service.ts'

const part = (
  name: string,
  status: ServicePart['status'],
  message: string | null = null,
): ServicePart => ({ name, status, message })

function doctorOf(change: {
  parts?: readonly ServicePart[]
  hasHistory?: boolean
  hasState?: boolean
}) {
  const { parts = [], hasHistory = true, hasState = true } = change
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-doctor-service-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const answer = <T>(value: T): Promise<T> =>
    hasHistory ? Promise.resolve(value) : Promise.reject(new Error('the history is closed'))
  return createDoctorService({
    dataDir,
    history: {
      gaps: () => answer([]),
      arrivalLag: () => answer([]),
      size: () => answer({ markets: 1, trades: 2, quotes: 3 } as never),
    },
    isStateReadable: () => Promise.resolve(hasState),
    parts: () => parts,
    health: () => null,
    providers: () => [] as never,
    clock: new FakeClock(),
  })
}

it('names each source as people do, and fails with one that is out', async () => {
  const { ok, checks } = await doctorOf({
    parts: [
      part('venue_a', 'operational', 'Sample data'),
      part('venue_b', 'outage', 'no answer for 4 minutes'),
      part('computed', 'degraded'),
    ],
  }).checks()
  expect(ok).toBe(false)
  expect(checks.filter(({ name }) => name.startsWith('source '))).toMatchObject([
    { name: 'source Kalshi', state: 'ok', detail: 'Sample data' },
    { name: 'source Polymarket', state: 'fail', detail: 'no answer for 4 minutes' },
    { name: 'source computed', state: 'warn', detail: 'degraded' },
  ])
})

it.each([
  [{}, 'ok', 'open: 1 markets, 2 trades, 3 quotes', 'ok', 'open'],
  [{ hasHistory: false }, 'fail', 'the history is closed', 'ok', 'open'],
  [
    { hasState: false },
    'ok',
    'open: 1 markets, 2 trades, 3 quotes',
    'fail',
    'the operational rows cannot be read',
  ],
  [
    { parts: [part('history', 'outage', 'disk full'), part('database', 'outage', 'locked')] },
    'fail',
    'disk full',
    'fail',
    'locked',
  ],
] as const)(
  'checks that both stores answer: %o',
  async (change, historyState, historyDetail, state, detail) => {
    const { ok, checks } = await doctorOf(change).checks()
    const find = (name: string) => checks.find((check) => check.name === name)
    expect(find('history')).toMatchObject({ state: historyState, detail: historyDetail })
    expect(find('state')).toMatchObject({ state, detail })
    expect(ok).toBe(historyState === 'ok' && state === 'ok')
  },
)
