import { expect, it } from 'vitest'
import { accountDays, curvesSentence, drawdownPlan, equityPlan } from './account-curves.ts'

const NUMBERS = {
  realizedPnlCents: 0,
  unrealizedPnlDeltaCents: 0,
  cashDeltaCents: 0,
  feeCents: 0,
  openFeeDeltaCents: 0,
  slippageCents: 0,
  positionDelta: 0,
  fills: 0,
  settlements: 0,
  entries: 0,
}
const row = (date: string, pnlCents: number) => ({
  ...NUMBERS,
  date,
  keys: {},
  label: null,
  pnlCents,
})
const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const days = accountDays(
  {
    from: '2026-11-17',
    to: '2026-11-20',
    rows: [row('2026-11-17', 5_000), row('2026-11-18', -8_000), row('2026-11-20', 1_000)],
  },
  100_000,
  NOW,
)

it('equity is counted back from now, and drawdown from the highest day so far', () => {
  expect(
    days.map(({ date, equityCents, drawdownCents }) => [date, equityCents, drawdownCents]),
  ).toEqual([
    ['2026-11-17', 107_000, 0],
    ['2026-11-18', 99_000, 8_000],
    ['2026-11-19', 99_000, 8_000],
    ['2026-11-20', 100_000, 7_000],
  ])
  expect(days.map(({ at }) => at)).toEqual([
    Date.parse('2026-11-18'),
    Date.parse('2026-11-19'),
    Date.parse('2026-11-20'),
    NOW,
  ])
  expect(curvesSentence(days)).toBe(
    'Equity $1,070.00 on 2026-11-17, $1,000.00 now; deepest drawdown at the end of a day $80.00',
  )
})

it('fees of open contracts are in the equity of the day that paid them', () => {
  const bought = { ...row('2026-11-19', -300), openFeeDeltaCents: 85 }
  const closed = { ...row('2026-11-20', 1_000), openFeeDeltaCents: -85 }
  const rows = [bought, closed]
  expect(
    accountDays({ from: '2026-11-18', to: '2026-11-20', rows }, 500_700, NOW).map(
      ({ changeCents, equityCents }) => [changeCents, equityCents],
    ),
  ).toEqual([
    [0, 500_000],
    [-385, 499_615],
    [1_085, 500_700],
  ])
})

it('the axis of the drawdown reaches the halt, that of equity is close to its values', () => {
  const drawdown = drawdownPlan(days, { warnCents: 30_000, limitCents: 50_000 })
  expect(drawdown.range).toEqual([0, 525])
  expect(drawdown.lines.map(({ values }) => values[1])).toEqual([80, 300, 500])
  expect(drawdownPlan(days, { warnCents: 1, limitCents: 2 }).range?.[1]).toBeCloseTo(84)
  expect(equityPlan(days).range).toEqual([990 - 10.7, 1070 + 10.7])
})

it('no days are no curve', () => {
  const none = accountDays({ from: '2026-11-20', to: '2026-11-19', rows: [] }, 100, NOW)
  expect([none, curvesSentence(none)]).toEqual([[], 'No days to show'])
})
