import { describe, expect, it, vi } from 'vitest'
import type { Market } from '../../../../backend/contract/market.ts'
import type { ApiFailure } from '../../../api/client.ts'
import type { Command } from '../../../shell/commands/command.ts'
import { parseLine } from '../../../shell/commands/parse.ts'
import {
  bodyOf,
  contractsOf,
  draftOf,
  expectedPrice,
  isLost,
  limitOf,
  orderRequest,
  problemOf,
  refusalOf,
  touchOf,
  typedTime,
  type OrderDraft,
} from './order-draft.ts'
import { blockerText, orderSentence } from './order-labels.ts'
import { previewOf, type OrderAccount } from './order-preview.ts'

const NOW = Date.parse('2026-11-20T10:00:00.000Z')
const market = {
  ticker: 'KX-1',
  title: 'Rate cut?',
  venue: 'venue_a',
  status: 'active',
  category: 'economics',
  topics: ['fed'],
  bestBid: 42,
  bestAsk: 44,
  indicators: { tauDays: 20, adjIy: 1.2, las: 0.05 },
} as unknown as Market
const config = {
  enabled: true,
  executionMode: 'dry-run',
  excludeCategories: [],
  minTauDays: 3,
  minAdjIy: 0,
  maxLas: 1,
  minEdgeCents: 0,
  minThesisConfidence: 0,
  minBalanceCents: 10_000,
  maxSingleOrderCents: 20_000,
  maxTotalExposureCents: 300_000,
  maxPerMarketCents: 100_000,
  maxDailyLossCents: 15_000,
  maxPositions: 20,
  maxOrdersPerTick: 3,
  cooldownAfterLossTicks: 0,
}
const risk = {
  balance: { totalCents: 500_000 },
  exposure: { usedCents: 0 },
  dailyLoss: { usedCents: 0 },
  positions: { used: 0 },
}
const account = (change: object = {}, position: object | null = null): OrderAccount =>
  ({ risk, config: { ...config, ...change }, openPosition: position }) as unknown as OrderAccount

function commandOf(line: string): Command {
  const commands = parseLine(line)
  if ('message' in commands || commands[0] === undefined) throw new Error(line)
  return commands[0]
}
const draft = (line: string, change: Partial<OrderDraft> = {}): OrderDraft => ({
  ...draftOf(commandOf(line), market),
  ...change,
})
const at = { now: NOW, isStale: false }

describe('a draft [terminal.portfolio.orders]', () => {
  it('is filled in by the command, and by the price of its side', () => {
    expect(draft('KX-1 INTENT sell no limit=30.5 size=7')).toMatchObject({
      action: 'sell',
      direction: 'no',
      limit: '30.5',
      size: '7',
    })
    expect(draft('KX-1 INTENT').limit).toBe('44')
    expect(draft('KX-1 INTENT no').limit).toBe('58')
    expect(draft('KX-1 INTENT sell').limit).toBe('42')
    expect(draft('KX-1 INTENT sell no').limit).toBe('56')
    expect(touchOf({ bestBid: null, bestAsk: 44 }, { action: 'sell', direction: 'yes' })).toBeNull()
  })

  it('counts whole contracts for dollars, with their fees', () => {
    expect(
      contractsOf(draft('KX-1 INTENT limit=50', { size: '10', unit: 'dollars' }), market),
    ).toBe(19)
    const sale = draft('KX-1 INTENT sell limit=50', { size: '10', unit: 'dollars' })
    expect(contractsOf(sale, market)).toBe(20)
    const none = { ...market, bestAsk: null }
    const atMarket = draft('KX-1 INTENT', { size: '10', unit: 'dollars', style: 'market' })
    expect(contractsOf(atMarket, none)).toBeNull()
  })

  it('with a size of 1,000 has a thousand contracts', () => {
    expect(contractsOf(draft('KX-1 INTENT', { size: '1,000' }), market)).toBe(1_000)
  })

  it('at the market expects the current price, with a limit the limit', () => {
    const order = draft('KX-1 INTENT limit=50 size=7')
    expect([expectedPrice(order, market), limitOf(order)]).toEqual([50, 50])
    const atMarket: OrderDraft = { ...order, style: 'market' }
    expect([expectedPrice(atMarket, market), limitOf(atMarket)]).toEqual([44, null])
    expect(draft('KX-1 INTENT size=7').unit).toBe('contracts')
    expect(draftOf(commandOf('KX-1 INTENT'), { ...market, bestAsk: null }).limit).toBe('')
  })

  it('of dollars counts no contract at a price of nothing', () => {
    const dollars = (limit: string) =>
      contractsOf(draft('KX-1 INTENT', { size: '10', unit: 'dollars', limit }), market)
    expect([dollars('0'), dollars('x')]).toEqual([null, null])
    // Exactly ten contracts at 50 cents each, of a sale without fees.
    const sale = draft('KX-1 INTENT sell limit=50', { size: '5', unit: 'dollars' })
    expect(contractsOf(sale, market)).toBe(10)
  })

  it.each([
    ['2h', '2026-11-20T12:00:00.000Z'],
    ['30M', '2026-11-20T10:30:00.000Z'],
    ['3 d', '2026-11-23T10:00:00.000Z'],
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01 14:30', '2026-12-01T14:30:00.000Z'],
    ['2026-12-01T14:30Z', '2026-12-01T14:30:00.000Z'],
    ['tomorrow', null],
    ['2026-13-01', null],
    ['2026-02-30', null],
    ['', null],
  ])('reads the time %s', (text, iso) => {
    const time = typedTime(text, NOW)
    expect(time === null ? null : new Date(time).toISOString()).toBe(iso)
  })

  it.each<[Partial<OrderDraft>, string | undefined]>([
    [{ size: '' }, 'size'],
    [{ size: '-3' }, 'size'],
    [{ size: '0.01', unit: 'dollars' }, 'size'],
    [{ size: '0' }, 'size'],
    [{ limit: 'x' }, 'limit'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '0.1' }, undefined],
    [{ limit: '99.9' }, undefined],
    [{ trigger: 'price_above', triggerPrice: '0' }, 'trigger'],
    [{ trigger: 'price_above', triggerPrice: '50' }, undefined],
    [{ trigger: 'time', triggerAt: '2h' }, undefined],
    [{ trigger: 'immediate', triggerPrice: '', triggerAt: '' }, undefined],
    [{ limit: '100' }, 'limit'],
    [{ trigger: 'price_below', triggerPrice: '' }, 'trigger'],
    [{ trigger: 'time', triggerAt: 'soon' }, 'trigger'],
    [{ expires: '' }, 'expires'],
    [{ limit: 'x', style: 'market' }, undefined],
    [{}, undefined],
  ])('%j has its fault beside %s', (change, field) => {
    expect(problemOf(draft('KX-1 INTENT size=10', change), market, NOW)?.field).toBe(field)
  })

  it('is sent as an intent that the service trades on paper', () => {
    expect(bodyOf(draft('KX-1 INTENT no limit=58 size=10'), market, NOW)).toEqual({
      marketId: 'KX-1',
      action: 'buy',
      direction: 'no',
      targetQuantity: 10,
      maxPrice: 58,
      executionStyle: 'limit',
      triggerType: 'immediate',
      expireAt: '2026-11-21T10:00:00.000Z',
      autoExecute: true,
      source: 'manual',
    })
    const timed = { style: 'market', trigger: 'time', triggerAt: '1h' } as const
    const body = bodyOf(draft('KX-1 INTENT size=10', timed), market, NOW)
    expect(body).not.toHaveProperty('maxPrice')
    expect(body).toMatchObject({ executionStyle: 'ioc', triggerAt: '2026-11-20T11:00:00.000Z' })
    const armed = { trigger: 'price_below', triggerPrice: '40,5' } as const
    expect(bodyOf(draft('KX-1 INTENT size=1', armed), market, NOW)).toMatchObject({
      triggerType: 'price_below',
      triggerPrice: 40.5,
    })
  })

  it.each([
    [
      'maxPrice must be on the venue’s tick of 1¢',
      'limit',
      'The limit must be on the venue’s tick of 1¢.',
    ],
    [
      'triggerAt must be before expireAt',
      'trigger',
      'The time of the trigger must be before expireAt.',
    ],
    [
      'at most 1000 intents may be open at once',
      'form',
      'At most 1000 intents may be open at once.',
    ],
  ])('reports “%s” beside %s', (message, field, text) => {
    const failure: ApiFailure = {
      kind: 'refused',
      status: 400,
      code: null,
      message,
      retryAfter: null,
    }
    expect(refusalOf(failure)).toEqual({ field, text })
  })
})

const failure = (change: Partial<ApiFailure>): ApiFailure => ({
  kind: 'refused',
  status: 400,
  code: null,
  message: 'maxPrice is wrong',
  retryAfter: null,
  ...change,
})
it.each<[Partial<ApiFailure>, boolean, string]>([
  [{}, false, 'limit'],
  [{ kind: 'timeout', status: null }, true, 'form'],
  [{ kind: 'unreachable', status: null }, true, 'form'],
  [{ code: 'IN_PROGRESS', status: 409 }, true, 'form'],
  [{ status: 500 }, true, 'form'],
  [{ status: 499 }, false, 'limit'],
  [{ kind: 'limited', status: 429 }, false, 'form'],
])('[terminal.portfolio.order-once] %j may have created the order: %s', (change, lost, field) => {
  const found = failure(change)
  expect(isLost(found)).toBe(lost)
  expect(refusalOf(found).field).toBe(field)
})

it('[terminal.portfolio.order-once] a request is the same for the same draft and account', () => {
  const order = draft('KX-1 INTENT size=10')
  const bodies = vi.fn(() => ({ size: 10 }))
  const first = orderRequest(null, { draft: order, mode: 'paper' }, bodies)
  expect(first.body).toEqual({ size: 10, mode: 'paper' })
  expect(orderRequest(first, { draft: { ...order }, mode: 'paper' }, bodies)).toBe(first)
  expect(bodies).toHaveBeenCalledTimes(1)
  const live = orderRequest(first, { draft: order, mode: 'live' }, bodies)
  expect(live.body).toEqual({ size: 10, mode: 'live' })
  expect(new Set([first.key, live.key]).size).toBe(2)
  expect(live.key).toMatch(/^[0-9a-f]{32}$/)
})

describe('what an order will do [terminal.portfolio.orders]', () => {
  it('is its cost with fees, the largest gain and the largest loss', () => {
    const order = draft('KX-1 INTENT size=10')
    const preview = previewOf(order, market, account(), at)
    expect(preview).toMatchObject({ amount: 440, fee: 18, gain: 542, loss: 458, failedGates: [] })
    expect(preview === null ? null : orderSentence(order, preview, market, NOW)).toMatch(
      /^Paper order: nothing leaves this machine\. Buys 10 YES of “Rate cut\?” at 44\.0¢ or less\. Costs at most \$4\.40 and about \$0\.18 of fees\. If the market resolves YES you gain \$5\.42, else you lose \$4\.58\. The unfilled part is retried until 21 Nov/,
    )
    expect(preview === null ? '' : blockerText(preview)).toBeNull()
  })

  it('names the exchange of a live order', () => {
    const order = draft('KX-1 INTENT size=10')
    const preview = previewOf(order, market, account(), at)
    const sentence = (place: 'live' | 'sample') =>
      preview === null ? null : orderSentence(order, preview, market, NOW, place)
    expect(sentence('live')).toMatch(/^LIVE order with real money: it is sent to the exchange\./)
    expect(sentence('live')).toMatch(/The unfilled part rests there until 21 Nov/)
    expect(sentence('sample')).toMatch(/^LIVE order: .* the SAMPLE exchange, no real money\./)
  })

  it('names the limits that would reject it, by the gates of the service', () => {
    const strict = account({ maxSingleOrderCents: 400, maxLas: 0.01 })
    const preview = previewOf(draft('KX-1 INTENT size=10'), market, strict, at)
    expect(preview?.failedGates.map(({ gate }) => gate)).toEqual(['las', 'single_order'])
    expect(preview === null ? '' : blockerText(preview)).toBe(
      'Your limits would reject it now. Liquidity-adjusted spread: 0.05, limit 0.01; Cost of the order: $4.40, limit $4.00.',
    )
  })

  it('checks the account at the exchange while trading is live', () => {
    const live = account({ executionMode: 'live' })
    const preview = (risk: object) =>
      previewOf(
        draft('KX-1 INTENT size=10'),
        market,
        {
          ...live,
          risk: {
            ...live.risk,
            mode: 'live',
            balance: { totalCents: 100_000, venue_a: 100_000, venue_b: null },
            credentials: { venue_a: true, venue_b: false },
            lastReconcileStatus: 'ok',
            ...risk,
          } as never,
        },
        at,
      )?.failedGates.map(({ gate }) => gate)
    expect(preview({})).toEqual([])
    expect(preview({ lastReconcileStatus: 'mismatch' })).toEqual(['reconcile'])
    expect(preview({ credentials: { venue_a: false, venue_b: true } })).toEqual(['credentials'])
    const poor = { totalCents: 100_100, venue_a: 100, venue_b: 100_000 }
    expect(preview({ balance: poor })).toEqual(['funds'])
    // On paper none of it matters.
    expect(preview({ mode: 'paper', lastReconcileStatus: 'failed' })).toEqual([])
  })

  it('waits while the autopilot is off, is halted or has no current quote', () => {
    const texts = (change: object, isStale = false) =>
      previewOf(draft('KX-1 INTENT size=10'), market, account(change), { now: NOW, isStale })
        ?.waitReasons
    expect(texts({ enabled: false })).toEqual([expect.stringContaining('autopilot is off')])
    expect(texts({ executionMode: 'halted' })).toEqual([expect.stringContaining('halted')])
    expect(texts({}, true)).toEqual([expect.stringContaining('no current quote')])
    expect(texts({})).toEqual([])
  })

  it('of a sale is compared with the average cost, and needs the contracts', () => {
    const position = { direction: 'yes', quantity: 10, avgPriceCents: 40, costCents: 400 }
    const sale = draft('KX-1 INTENT sell size=10')
    const preview = previewOf(sale, market, account({}, position), at)
    expect(preview).toMatchObject({ amount: 420, fee: 18, realized: 2, gain: null, shortfall: 0 })
    expect(preview === null ? '' : orderSentence(sale, preview, market, NOW)).toContain(
      'Returns at least $4.02 after about $0.18 of fees, a realised result of +$0.02.',
    )
    const more = draft('KX-1 INTENT sell size=12')
    const lacking = previewOf(more, market, account({}, position), at)
    expect(lacking).toMatchObject({ shortfall: 2, realized: null })
    expect(lacking === null ? '' : orderSentence(more, lacking, market, NOW)).toContain(
      'You hold 2 fewer, so the sale will be rejected.',
    )
  })

  it('of a buy closes the other side first, which no entry limit rejects', () => {
    const position = { direction: 'no', quantity: 10, avgPriceCents: 40, costCents: 400 }
    const order = draft('KX-1 INTENT size=10')
    const preview = previewOf(order, market, account({ maxLas: 0 }, position), at)
    expect(preview).toMatchObject({ closedContracts: 10, gain: null, failedGates: [] })
    expect(preview === null ? '' : orderSentence(order, preview, market, NOW)).toContain(
      'It first closes your 10 NO.',
    )
  })

  it('of a sale of a part is a share of the cost; of the other side it lacks all', () => {
    const position = { direction: 'yes', quantity: 20, avgPriceCents: 40, costCents: 800 }
    const sale = draft('KX-1 INTENT sell size=10')
    expect(previewOf(sale, market, account({}, position), at)).toMatchObject({
      realized: 2,
      shortfall: 0,
      closedContracts: 0,
    })
    const other = { ...position, direction: 'no' }
    expect(previewOf(sale, market, account({}, other), at)).toMatchObject({
      realized: null,
      shortfall: 10,
      closedContracts: 0,
    })
    expect(previewOf(sale, market, account(), at)).toMatchObject({ realized: null, shortfall: 10 })
  })

  it('of a buy beyond the other side closes what is held of it', () => {
    const position = { direction: 'no', quantity: 4, avgPriceCents: 40, costCents: 160 }
    const order = draft('KX-1 INTENT size=10')
    expect(previewOf(order, market, account({}, position), at)).toMatchObject({
      closedContracts: 4,
      gain: null,
      loss: null,
      shortfall: 0,
    })
    const same = { ...position, direction: 'yes' }
    expect(previewOf(order, market, account({}, same), at)).toMatchObject({
      closedContracts: 0,
      gain: 542,
      realized: null,
    })
  })

  it.each([
    ['balance', { minBalanceCents: 500_001 }],
    ['total_exposure', { maxTotalExposureCents: 400 }],
    ['per_market', { maxPerMarketCents: 400 }],
    ['positions', { maxPositions: 0 }],
    ['tau', { minTauDays: 21 }],
    ['adj_iy', { minAdjIy: 2 }],
    ['category', { excludeCategories: ['fed'] }],
    ['category', { excludeCategories: ['economics'] }],
  ])('is checked against the limit %s', (gate, change) => {
    const preview = previewOf(draft('KX-1 INTENT size=10'), market, account(change), at)
    expect(preview?.failedGates.map((failed) => failed.gate)).toEqual([gate])
  })

  it('counts what the account has used', () => {
    const used = (change: object, position: object | null = null) => {
      const known = account({ maxPositions: 1 }, position)
      const preview = previewOf(
        draft('KX-1 INTENT size=10'),
        market,
        { ...known, risk: { ...known.risk, ...change } },
        at,
      )
      return preview?.failedGates.map(({ gate }) => gate)
    }
    expect(used({})).toEqual([])
    expect(used({ dailyLoss: { usedCents: 15_001 } })).toEqual(['daily_loss'])
    expect(used({ positions: { used: 1 } })).toEqual(['positions'])
    expect(used({ exposure: { usedCents: 300_000 } })).toEqual(['total_exposure'])
    expect(used({ balance: { totalCents: null } })).toContain('balance')
    // More of a position opens no market.
    const held = { direction: 'yes', quantity: 1, avgPriceCents: 40, costCents: 40 }
    expect(used({ positions: { used: 1 } }, held)).toEqual([])
    const full = { ...held, costCents: 100_000 }
    expect(used({}, full)).toEqual(['per_market'])
  })

  it('hides limits that an order by hand always passes', () => {
    const shown = previewOf(draft('KX-1 INTENT size=10'), market, account(), at)?.gates
    const names = shown?.map(({ gate }) => gate)
    expect(names).toContain('single_order')
    for (const hidden of ['orders_per_tick', 'cooldown', 'price_moved', 'reconcile', 'credentials'])
      expect(names).not.toContain(hidden)
  })

  it('is unknown without a size or a price', () => {
    expect(previewOf(draft('KX-1 INTENT', { size: '0' }), market, account(), at)).toBeNull()
    expect(
      previewOf(draft('KX-1 INTENT size=10', { limit: '0' }), market, account(), at),
    ).toBeNull()
    expect(previewOf(draft('KX-1 INTENT'), market, account(), at)).toBeNull()
    const order = draft('KX-1 INTENT size=10', { style: 'market' })
    expect(previewOf(order, { ...market, bestAsk: null }, account(), at)).toBeNull()
  })
})
