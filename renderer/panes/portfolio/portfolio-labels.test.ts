import { expect, it } from 'vitest'
import {
  attributionName,
  autopilotText,
  entryText,
  gateValue,
  hasLiveRows,
  limitUses,
  modeText,
  money,
  orderText,
  outcomeText,
  profit,
  staleText,
  tickText,
  toneOf,
} from './portfolio-labels.ts'
import { tradeRows, tradeSums } from './trade-rows.ts'

it.each([
  [120_450, '$1,204.50', '+$1,204.50', 'up'],
  [-300, '−$3.00', '−$3.00', 'down'],
  [0, '$0.00', '$0.00', 'flat'],
  [1, '$0.01', '+$0.01', 'up'],
  [null, '–', '–', 'flat'],
])('%s cents are %s, as a profit %s, coloured %s', (cents, text, signed, tone) => {
  expect([money(cents), profit(cents), toneOf(cents)]).toEqual([text, signed, tone])
})

it('an unknown amount has no text but a dash', () => {
  expect([money(undefined), profit(undefined)]).toEqual(['–', '–'])
})

it.each([
  [-5, 100, 0],
  [50, 100, 0.5],
  [150, 100, 1],
  [0, -1, 1],
])('%i of a limit of %i is a share of %f', (used, limit, share) => {
  const none = { usedCents: 0, limitCents: 1 }
  const [exposure] = limitUses({
    exposure: { usedCents: used, limitCents: limit, perMarket: [] },
    dailyLoss: none,
    drawdown: { ...none, warnCents: 30_000 },
    positions: { used: 0, limit: 1 },
  } as never)
  expect(exposure?.share).toBe(share)
})

it('the accounts of rows are named once one of them is live', () => {
  expect([modeText('live'), modeText('paper'), modeText(null)]).toEqual(['LIVE', 'paper', '–'])
  expect(hasLiveRows([{ mode: 'paper' }, { mode: null }])).toBe(false)
  expect(hasLiveRows([{ mode: 'paper' }, { mode: 'live' }])).toBe(true)
})

it.each([
  [[], 'not known'],
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a; and 2 more'],
])('stale data %j: %s', (reasons, text) => {
  expect(staleText(reasons)).toBe(text)
})

it.each([
  [{ enabled: false }, 'The autopilot is off'],
  [{ enabled: true }, 'The autopilot is on'],
  [
    { enabled: true, cooldown: { active: true, required: 4, ticksSinceLoss: 2 } },
    'The autopilot is on; no entries for 2 more ticks after a loss',
  ],
  [
    { enabled: true, cooldown: { active: true, required: 1, ticksSinceLoss: null } },
    'The autopilot is on; no entries for 1 more tick after a loss',
  ],
  [{ halted: { reason: 'drawdown' } }, 'Trading is halted: the drawdown reached its limit'],
  [{ halted: { reason: 'user' } }, 'Trading is halted'],
])('%j: %s', (change, text) => {
  const state = { enabled: true, halted: null, cooldown: { active: false }, ...change }
  expect(autopilotText(state as never)).toBe(text)
})

it.each([
  [{}, 'completed'],
  [{ haltTriggered: true }, 'completed, halted trading'],
  [{ error: 'no data', haltTriggered: true }, 'completed: no data'],
  [{ status: 'skipped', skipReason: 'overlap' }, 'skipped: another tick was running'],
  [{ status: 'skipped', skipReason: 'other' }, 'skipped: other'],
])('a tick %j: %s', (change, text) => {
  const tick = { status: 'completed', skipReason: null, error: null, haltTriggered: false }
  expect(tickText({ ...tick, ...change } as never)).toBe(text)
})

it.each([
  [{}, 'buy 40 YES at 44.0¢'],
  [{ action: null }, '–'],
  [{ quantity: null }, '–'],
])('the order of a decision %j: %s', (change, text) => {
  const order = { action: 'buy', quantity: 40, direction: 'yes', limitPriceCents: 44 }
  expect(orderText({ ...order, ...change } as never)).toBe(text)
})

it.each([
  [{ outcome: 'partial' }, 'partly filled: 4 at 44.0¢'],
  [{ outcome: 'filled' }, 'filled: 4 at 44.0¢'],
  [{ outcome: 'resting' }, 'resting'],
  [{ outcome: 'not_filled', error: null }, 'not filled'],
  [{ outcome: 'rejected_by_venue', error: 'code' }, 'rejected by the venue'],
  [{ kind: 'hold', outcome: 'none', error: 'x' }, '–'],
  [{ outcome: 'none', error: 'x' }, 'not sent: x'],
])('the result of a decision %j: %s', (change, text) => {
  const decision = { kind: 'entry', error: null, filledQuantity: 4, avgFillPriceCents: 44 }
  expect(outcomeText({ ...decision, ...change } as never)).toBe(text)
})

it('values of gates have their units', () => {
  expect(gateValue('balance', 100)).toBe('$1.00')
  expect(gateValue('positions', 100)).toBe('100')
  expect(gateValue('reconcile', 'ok')).toBe('ok')
  expect(gateValue('tau', null)).toBe('–')
})

it.each([
  [{}, 'fill: buy 10 YES at 44.0¢'],
  [{ quantity: null, priceCents: null, result: 'yes' }, 'fill: buy YES result yes'],
  [{ action: null, quantity: null, direction: null, priceCents: null }, 'fill'],
  [{ payload: { corrects: 'le_0', reversal: false } }, 'corrected fill: buy 10 YES at 44.0¢'],
  [{ payload: { reversal: true } }, 'fill: buy 10 YES at 44.0¢'],
])('an entry %j: %s', (change, text) => {
  const entry = {
    eventType: 'fill',
    action: 'buy',
    quantity: 10,
    direction: 'yes',
    priceCents: 44,
    result: null,
    note: null,
    payload: {},
  }
  expect(entryText({ ...entry, ...change } as never)).toBe(text)
})

it.each([
  [{ keys: { venue: null } }, 'No venue'],
  [{ keys: { strategyId: 'st_1' } }, 'st_1'],
  [{ keys: { viewId: 'vw_1' } }, 'vw_1'],
  [{ keys: {}, label: 'Named', date: '2026-11-20' }, 'Named'],
  [{ keys: {} }, 'Unattributed'],
])('a row of an attribution %j: %s', (change, text) => {
  expect(attributionName({ label: null, ...change } as never)).toBe(text)
})

const trade = {
  id: 'trd_1',
  marketId: 'KX',
  marketTitle: 'KX?',
  direction: 'buy_yes',
  quantity: 5,
  entryPriceCents: 40,
  exitPriceCents: null,
  feesCents: 17,
  realizedPnlCents: null as number | null,
  exitReason: null as string | null,
  status: 'open',
  intentId: null as string | null,
  tickId: null as string | null,
  rationale: null,
  openedAt: '2026-11-20T10:00:00.000Z',
}
const rowsOf = (by: string, ...changes: readonly Partial<typeof trade>[]) =>
  tradeRows(
    changes.map((change, index) => ({ ...trade, id: String(index), ...change })) as never,
    by,
  )

it('trades are of the one who made them, newest first', () => {
  const made = [
    { tickId: 'pt_1' },
    { intentId: 'in_1', tickId: 'pt_1', openedAt: '2026-11-20T11:00:00.000Z' },
    { openedAt: '2026-11-20T12:00:00.000Z' },
  ]
  const sources = (by: string) => rowsOf(by, ...made).map(({ source }) => source)
  expect(sources('both')).toEqual(['you', 'intent', 'autopilot'])
  expect(sources('intents')).toEqual(['intent'])
  expect(sources('autopilot')).toEqual(['autopilot'])
})

it.each([
  [{}, 'open', 'YES'],
  [{ status: 'closed' }, 'closed', 'YES'],
  [{ status: 'closed', exitReason: 'manual', direction: 'buy_no' }, 'a sale', 'NO'],
])('a trade %j is %s, of %s', (change, ended, side) => {
  expect(rowsOf('both', change)[0]).toMatchObject({ endedText: ended, side, reason: '' })
})

it('sums count closed trades, and fees of all', () => {
  const rows = rowsOf(
    'both',
    { realizedPnlCents: 100 },
    { realizedPnlCents: 0 },
    { realizedPnlCents: -40 },
    { realizedPnlCents: null },
  )
  expect(tradeSums(rows)).toEqual({ result: 60, fees: 68, ended: 3, won: 1 })
})
