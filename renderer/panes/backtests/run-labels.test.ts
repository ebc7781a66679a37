import { expect, it } from 'vitest'
import type { RunReport } from '../../../backend/domain/backtest/report/report.ts'
import { capacityTableOf, intervalRows } from './report-extras.ts'
import {
  dayLabel,
  daysLabel,
  formatGain,
  formatShare,
  isUnfinished,
  rangeLabel,
  sentence,
  stateLabel,
} from './run-labels.ts'
import { refusalOf } from './run-reasons.ts'
import { replayPlan, replaySentence } from './thesis-replay.ts'

it.each([
  ['2026-11-20T00:00:00.000Z', '2026-11-20'],
  ['2026-11-20T09:05:00.000Z', '2026-11-20 09:05'],
])('an instant %s is shown as %s', (at, label) => {
  expect(dayLabel(Date.parse(at))).toBe(label)
})

it('a range names its zone once', () => {
  expect(rangeLabel(Date.parse('2026-11-01'), Date.parse('2026-11-20T12:00:00Z'))).toBe(
    '2026-11-01 to 2026-11-20 12:00 UTC',
  )
})

it.each([
  ['queued', 0.4, 'queued', true],
  ['running', 0.429, '42%', true],
  ['done', 1, 'done', false],
  ['failed', 0, 'failed', false],
] as const)('a run that is %s at %f is labelled %s', (state, progress, text, unfinished) => {
  expect([stateLabel({ state, progress }), isUnfinished(state)]).toEqual([text, unfinished])
})

it.each([
  [12.07, '+$12.07'],
  [-47.06, '−$47.06'],
  [0, '$0.00'],
  [0.004, '$0.00'],
  [0.005, '+$0.01'],
  [null, '–'],
  [undefined, '–'],
])('a gain of %s is %s', (dollars, text) => {
  expect(formatGain(dollars)).toBe(text)
})

it.each([
  [0.5, undefined, '50%'],
  [0.01, undefined, '1%'],
  [0.00994, undefined, '0.99%'],
  [-0.1234, undefined, '−12.3%'],
  [0.1234, 0, '12%'],
  [-0.00001, undefined, '0%'],
  [null, undefined, '–'],
  [undefined, undefined, '–'],
])('a share of %s with %s places is %s', (share, places, text) => {
  expect(formatShare(share, places)).toBe(text)
})

it('a year is named once when both ends share it', () => {
  const label = (from: string, to: string) => daysLabel(Date.parse(from), Date.parse(to))
  expect(label('2026-11-01', '2026-11-20')).toBe('2026-11-01 to 11-20')
  expect(label('2025-12-01', '2026-01-20')).toBe('2025-12-01 to 2026-01-20')
})

it('a note is a sentence', () => {
  expect([sentence(' no trades. '), sentence('No trades')]).toEqual(['No trades.', 'No trades.'])
})

const failure = { code: null, message: 'to: must be after from', retryAfter: null } as const
it.each([
  ['refused', 400, 'to', 'The end must be after the start.'],
  ['refused', 409, 'form', 'To: must be after from.'],
  ['limited', 400, 'form', 'Too many attempts. Try again in a minute.'],
] as const)('%s with %i is beside %s: %s', (kind, status, field, text) => {
  expect(refusalOf({ ...failure, kind, status })).toEqual({ field, text })
})

const extras = (part: object): RunReport => part as unknown as RunReport
it('intervals are listed where the report has them, with their units', () => {
  expect(intervalRows(extras({}))).toEqual([])
  expect(intervalRows(extras({ intervals: { daily: null, perEvent: null } }))).toEqual([])
  const bounds = (low: number, high: number) => ({ low, high })
  const rows = intervalRows(
    extras({
      intervals: {
        daily: { totalReturn: bounds(-0.1, 0.2), sharpe: bounds(0.5, 1.256), sortino: null },
        perEvent: { realised: bounds(-5, 5), entryBrier: bounds(0.1, 0.25) },
      },
    }),
  )
  expect(rows.map(({ name, from, to }) => [name, from, to])).toEqual([
    ['Return', '−10%', '20%'],
    ['Sharpe', '0.5', '1.26'],
    ['Realised', '−$5.00', '+$5.00'],
    ['Entry Brier', '0.1', '0.25'],
  ])
})

it('capacity is listed where it was requested, with the size that halves the profit', () => {
  expect([capacityTableOf(extras({})), capacityTableOf(extras({ capacity: null }))]).toEqual([
    null,
    null,
  ])
  const steps = [{ multiple: 2, profit: 10, trades: 3, contracts: 1_200 }]
  const table = (more: object) => capacityTableOf(extras({ capacity: { steps, ...more } }))
  expect(table({ halvesAt: 3.25 })).toEqual({
    rows: [{ id: '2', cells: ['2 times', '+$10.00', '$5.00', '3', '1,200'] }],
    description: 'Half of the profit is left at 3.3 times the size.',
  })
  expect(table({ halvesAt: null, why: 'there was none' })?.description).toBe(
    'Half of the profit: there was none.',
  )
  expect(table({ halvesAt: null })?.description).toBe('Half of the profit: unknown.')
})

it('a replayed thesis has the price of its market only where one is known', () => {
  const FROM = '2026-11-01T00:00:00.500Z'
  const TO = '2026-11-02T00:00:00.000Z'
  const replay = (...confidence: readonly object[]) =>
    ({ confidence, from: FROM, to: TO }) as unknown as Parameters<typeof replayPlan>[0]
  const seconds = Date.parse('2026-11-01') / 1_000
  const rated = { at: FROM, confidence: 0.4, marketPrice: null }
  const plan = replayPlan(replay(rated, { at: TO, confidence: null, marketPrice: null }))
  expect(plan).toMatchObject({
    times: [seconds, seconds + 86_400],
    window: [seconds, seconds + 86_400],
    lines: [{ name: 'Confidence', values: [40, null], isPrimary: true }],
    range: [0, 100],
  })
  expect(plan.valueText(33.3333)).toBe('33.3')
  const priced = replayPlan(replay(rated, { ...rated, marketPrice: 30 }))
  expect(priced.lines[1]).toEqual({ name: 'Market', values: [null, 30] })
  expect(replaySentence(replay(rated, { ...rated, confidence: 0.55 }))).toBe(
    '2 evaluations; confidence from 40% to 55%',
  )
  expect(replaySentence(replay())).toBe('No evaluations')
})
