import { expect, it } from 'vitest'
import { formatMoment } from '../../../lib/format.ts'
import type { OrderDraft } from './order-draft.ts'
import {
  blockerText,
  filledText,
  intentText,
  orderSentence,
  reasonText,
  stateText,
  triggerText,
} from './order-labels.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
/** In the time zone of the machine. */
const NOON = formatMoment('2026-11-20T12:00:00.000Z', NOW)
const draft: OrderDraft = {
  action: 'buy',
  direction: 'yes',
  size: '10',
  unit: 'contracts',
  style: 'limit',
  limit: '44',
  trigger: 'immediate',
  triggerPrice: '',
  triggerAt: '',
  expires: '24h',
}
const preview = {
  contracts: 10,
  price: 44,
  amount: 440,
  fee: 18,
  gain: 542,
  loss: 458,
  realized: null,
  closedContracts: 0,
  shortfall: 0,
  waitReasons: [],
  gates: [],
  failedGates: [],
}
const sentence = (change: Partial<OrderDraft>, effect: Partial<typeof preview> = {}) =>
  orderSentence({ ...draft, ...change }, { ...preview, ...effect }, { title: 'Cut?' }, NOW)

it.each<[Partial<OrderDraft>, string]>([
  [{}, 'Buys 10 YES of “Cut?” at 44.0¢ or less. Costs at most $4.40 and'],
  [{ style: 'market' }, 'at the market, now 44.0¢. Costs about $4.40 and'],
  [
    { action: 'sell' },
    'Sells 10 YES of “Cut?” at 44.0¢ or more. Returns at least $4.22 after about',
  ],
  [{ action: 'sell', style: 'market' }, 'Returns about $4.22 after about $0.18 of fees.'],
  [{ trigger: 'time', triggerAt: '2h' }, `or less from ${NOON}`],
  [{ trigger: 'time', triggerAt: 'soon' }, 'or less from –.'],
  [{ trigger: 'price_below', triggerPrice: '40,5' }, 'or less once YES costs 40.5¢ or less. Costs'],
  [
    { trigger: 'price_above', triggerPrice: '50', direction: 'no', action: 'sell' },
    'once NO sells for 50.0¢ or more. Returns',
  ],
  [{ expires: '2h' }, `The unfilled part is retried until ${NOON}`],
  [{ expires: 'never' }, 'The unfilled part is retried until .'],
])('%j: %s', (change, text) => {
  expect(sentence(change)).toContain(text)
})

it('a sale has a result and lacks contracts only when it does', () => {
  expect(sentence({ action: 'sell' })).not.toMatch(/realised|fewer/)
  expect(sentence({ action: 'sell' }, { shortfall: 1 })).toContain('You hold 1 fewer')
})

it('a buy that closes the other side names it', () => {
  expect(sentence({}, { closedContracts: 4 })).toContain('It first closes your 4 NO.')
  expect(sentence({ direction: 'no' }, { closedContracts: 4 })).toContain('your 4 YES.')
})

it('a limit order rests at the exchange, one at the market is retried', () => {
  const waits = (style: OrderDraft['style']) =>
    orderSentence({ ...draft, style }, preview, { title: 'Cut?' }, NOW, 'live')
  expect(waits('limit')).toContain('The unfilled part rests there')
  expect(waits('market')).toContain('The unfilled part is retried')
})

const failed = { gate: 'balance', passed: false, value: 100, limit: 200, note: null } as const
it.each([
  [[], [], null],
  [['Wait.'], [], 'Wait.'],
  [[], [failed], 'Your limits would reject it now. Balance left: $1.00, limit $2.00.'],
])('obstacles %j %j: %s', (waitReasons, failedGates, text) => {
  expect(blockerText({ ...preview, waitReasons, failedGates })).toBe(text)
})

const intent = { action: 'buy', targetQuantity: 10, direction: 'yes', maxPrice: 40 } as const
it.each([
  [{}, 'buy 10 YES at 40.0¢ or less'],
  [{ action: 'sell' }, 'sell 10 YES at 40.0¢ or more'],
  [{ maxPrice: null, direction: 'no' }, 'buy 10 NO at the market'],
] as const)('an intent %j: %s', (change, text) => {
  expect(intentText({ ...intent, ...change })).toBe(text)
})

it.each([
  [{ triggerType: 'immediate' }, 'immediately'],
  [{ triggerType: 'immediate', softCondition: 'rates fall' }, 'immediately, if rates fall'],
  [{ triggerType: 'time', triggerAt: '2026-11-20T12:00:00.000Z' }, `from ${NOON}`],
  [{ triggerType: 'price_below', triggerPrice: 41 }, 'YES costs 41.0¢ or less'],
  [{ triggerType: 'price_above', triggerPrice: 41 }, 'YES costs 41.0¢ or more'],
])('it starts %j: %s', (change, text) => {
  const trigger = { triggerPrice: null, triggerAt: null, softCondition: null }
  expect(triggerText({ ...intent, ...trigger, ...change } as never, NOW)).toBe(text)
})

it.each([
  [null, [], ''],
  ['RISK_GATE_FAIL:las', [], 'Rejected by your limit. Liquidity-adjusted spread'],
  ['RISK_GATE_FAIL:balance', [failed], 'Rejected by your limit. Balance left: $1.00, limit $2.00'],
  ['RISK_GATE_FAIL:las', [failed], 'Rejected by your limit. Liquidity-adjusted spread'],
  ['EXCHANGE_REJECT: price', [], 'Rejected by the broker: price'],
  ['STALE_PRICE', [], 'The newest quote was too old'],
  ['no offers', [], 'No offers'],
])('its reason %s: %j is “%s”', (statusReason, gates, text) => {
  expect(reasonText({ statusReason, gates: [...gates] })).toBe(text)
})

it.each([
  [0, null, '–'],
  [4, null, '4 of 10'],
  [4, 44, '4 of 10 at 44.0¢'],
])('%i filled at %s: %s', (filledQuantity, avgFillPrice, text) => {
  expect(filledText({ filledQuantity, targetQuantity: 10, avgFillPrice })).toBe(text)
})

it('states are named in words', () => {
  expect([stateText({ status: 'armed' }), stateText({ status: 'executing' })]).toEqual([
    'waiting for trigger',
    'working',
  ])
})
