import { expect, it } from 'vitest'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'
import {
  INTENT_STATUSES,
  isMarketable,
  mayTransition,
  transition,
  priceFor,
  priceReached,
  withFill,
  type Intent,
  type IntentStatus,
} from './intent.ts'

const AT = 1_790_000_000_000 as Millis
const intent = (fields: Partial<Intent> = {}): Intent => ({
  id: 'in_1',
  userId: 'usr_1',
  action: 'buy',
  venue: 'venue_a',
  ticker: 'T',
  marketTitle: 'T',
  direction: 'yes',
  targetSize: 10e6 as SizeE6,
  filledSize: 0 as SizeE6,
  maxPrice: 4_500 as PriceE4,
  executionStyle: 'ioc',
  triggerType: 'immediate',
  triggerPrice: null,
  triggerAt: null,
  softCondition: null,
  softState: 'none',
  softJudgedAt: null,
  expireAt: (AT + 1) as Millis,
  status: 'triggered',
  statusReason: null,
  autoExecute: true,
  mode: null,
  exchange: null,
  source: 'agent',
  sourceId: null,
  thesisId: null,
  strategyId: null,
  rationale: null,
  gates: [],
  tickId: null,
  fills: [],
  createdAt: AT,
  updatedAt: AT,
  triggeredAt: null,
  finishedAt: null,
  ...fields,
})

/** The table of the contract, stated again so that a change of either is noticed. */
const BY_CALLER: Readonly<Record<IntentStatus, string>> = {
  pending: 'armed triggered expired cancelled',
  armed: 'triggered expired cancelled',
  triggered: 'executing expired cancelled rejected',
  executing: 'filled expired cancelled rejected',
  partial: 'expired cancelled',
  filled: '',
  expired: '',
  cancelled: '',
  rejected: '',
}
const BY_RUNNER: Readonly<Record<IntentStatus, string>> = {
  ...BY_CALLER,
  executing: 'triggered expired cancelled rejected',
}

it.each(INTENT_STATUSES.flatMap((from) => INTENT_STATUSES.map((to) => [from, to] as const)))(
  '[intents.moves.table] %s to %s is as in the table',
  (from, to) => {
    expect(mayTransition('caller', from, to)).toBe(BY_CALLER[from].split(' ').includes(to))
    expect(mayTransition('runner', from, to)).toBe(BY_RUNNER[from].split(' ').includes(to))
  },
)

it('records when it was first triggered, and when it ended', () => {
  const triggered = transition(intent({ status: 'armed', softCondition: 'x' }), 'triggered', AT)
  expect(triggered).toMatchObject({ triggeredAt: AT, finishedAt: null, softState: 'met' })
  const again = transition(transition(triggered, 'executing', AT), 'triggered', (AT + 5) as Millis)
  expect(again.triggeredAt).toBe(AT)
  expect(transition(again, 'rejected', (AT + 9) as Millis, 'why')).toMatchObject({
    finishedAt: AT + 9,
    statusReason: 'why',
  })
})

it('is partial until a fill completes it', () => {
  const fill = { orderId: 'o', price: 4_100 as PriceE4, cost: 0 as MoneyE6, at: AT }
  const first = withFill(intent(), { ...fill, size: 4e6 as SizeE6 })
  expect([first.status, first.filledSize]).toEqual(['partial', 4e6])
  const second = withFill(first, { ...fill, size: 6e6 as SizeE6 })
  expect([second.status, second.finishedAt]).toEqual(['filled', AT])
})

const BOOK = { bid: 4_000 as PriceE4, ask: 4_300 as PriceE4 }
it.each([
  ['buy', 'yes', 4_300],
  ['buy', 'no', 6_000],
  ['sell', 'yes', 4_000],
  ['sell', 'no', 5_700],
] as const)('%s %s trades at %i of its own side', (action, direction, price) => {
  expect(priceFor(intent({ action, direction }), BOOK)).toBe(price)
})

it.each([
  ['price_below', 4_300, true],
  ['price_below', 4_299, false],
  ['price_above', 4_300, true],
  ['price_above', 4_301, false],
  ['immediate', 4_300, false],
] as const)('%s of %i is reached: %s', (triggerType, price, isReached) => {
  const one = intent({ triggerType, triggerPrice: price as PriceE4 })
  expect(priceReached(one, BOOK)).toBe(isReached)
  expect(priceReached(one, { bid: null, ask: null })).toBe(false)
})

it('accepts prices within its limit', () => {
  const at = (maxPrice: number | null, action: 'buy' | 'sell' = 'buy') =>
    isMarketable(intent({ action, maxPrice: maxPrice as PriceE4 | null }), BOOK)
  expect([at(4_300), at(4_299), at(null)]).toEqual([true, false, true])
  expect([at(4_000, 'sell'), at(4_001, 'sell')]).toEqual([true, false])
})
