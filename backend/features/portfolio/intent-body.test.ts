import { describe, expect, it } from 'vitest'
import type { MarketView } from '../../computed/board/market-board.ts'
import type { Intent } from '../../domain/portfolio/intent.ts'
import { DAY, HOUR, type Millis } from '../../domain/units.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { changedIntent, namedMarket, newIntent, parseFill } from './intent-body.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const iso = (at: number): string => new Date(at).toISOString()
const facts = marketFacts()
const viewOf = (status = 'active') => ({ facts, status }) as unknown as MarketView

/** The value that is read, or the message of the error. */
function result<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
const BODY = { action: 'buy', direction: 'yes', targetQuantity: 10 }
const created = (more: object = {}, status?: string) =>
  result(() => newIntent({ ...BODY, ...more }, viewOf(status), 'user', NOW))

describe('a new intent', () => {
  it('has defaults for what was not sent', () => {
    expect(created()).toMatchObject({
      userId: 'user',
      action: 'buy',
      venue: facts.venue,
      ticker: facts.ticker,
      marketTitle: facts.title,
      direction: 'yes',
      targetSize: 10_000_000,
      filledSize: 0,
      maxPrice: null,
      triggerType: 'immediate',
      triggerPrice: null,
      triggerAt: null,
      softCondition: null,
      expireAt: NOW + DAY,
      status: 'triggered',
      executionStyle: 'ioc',
      softState: 'none',
      autoExecute: false,
      source: 'agent',
      sourceId: null,
      thesisId: null,
      strategyId: null,
      rationale: null,
      createdAt: NOW,
      updatedAt: NOW,
      triggeredAt: NOW,
      finishedAt: null,
    })
  })

  it('has what was sent, also by other names', () => {
    expect(
      created({
        direction: undefined,
        side: 'no',
        targetQuantity: undefined,
        qty: 0.5,
        priceCents: 41,
        triggerType: 'time',
        triggerAt: iso(NOW + HOUR),
        expireAt: '2h',
        softCondition: 'when it rains',
        marketTitle: 'Mine',
        autoExecute: true,
        rationale: '',
        sourceId: 'x',
      }),
    ).toMatchObject({
      direction: 'no',
      targetSize: 500_000,
      maxPrice: 4_100,
      triggerAt: NOW + HOUR,
      expireAt: NOW + 2 * HOUR,
      softCondition: 'when it rains',
      softState: 'waiting',
      marketTitle: 'Mine',
      autoExecute: true,
      rationale: null,
      sourceId: 'x',
      triggeredAt: null,
    })
  })

  it.each([
    [{ action: undefined }, 'action is required'],
    [{ direction: undefined }, 'direction is required'],
    [{ targetQuantity: undefined }, 'targetQuantity is required'],
    [{ targetQuantity: null }, 'targetQuantity must be a number'],
    [{ targetQuantity: 0 }, 'targetQuantity must be a number above 0 and at most 1000000'],
    [{ targetQuantity: 1_000_001 }, 'targetQuantity must be a number above 0 and at most 1000000'],
    [{ targetQuantity: 1e-7 }, 'targetQuantity must be at least 0.000001'],
    [{ venue: 'venue_b' }, `venue must be venue_a for ${facts.ticker}`],
    [{ maxPrice: 0 }, 'maxPrice must be a number from 0.1 to 99.9'],
    [{ maxPrice: 41.5 }, 'maxPrice must be on the venue’s tick of 1¢'],
    [{ direction: 'no', maxPrice: 41.5 }, 'maxPrice must be on the venue’s tick of 1¢'],
    [{ triggerType: 'price_below' }, 'triggerPrice is required for price_below'],
    [{ triggerType: 'price_above' }, 'triggerPrice is required for price_above'],
    [{ triggerType: 'time' }, 'triggerAt is required for time'],
    [{ triggerType: 'time', triggerAt: iso(NOW) }, 'triggerAt must be in the future'],
    [{ triggerType: 'time', triggerAt: iso(NOW + DAY) }, 'triggerAt must be before expireAt'],
    [{ expireAt: null }, 'expireAt must be an ISO 8601 time or a duration'],
    [{ expireAt: iso(NOW) }, 'expireAt must be in the future'],
    [{ expireAt: iso(NOW + 90 * DAY + 1) }, 'expireAt must be at most 90 days away'],
  ])('is refused: %j', (more, message) => {
    expect(created(more)).toBe(message)
  })

  it.each([
    [{ targetQuantity: 1_000_000 }, { targetSize: 1e12 }],
    [{ targetQuantity: 0.000001 }, { targetSize: 1 }],
    [{ expireAt: iso(NOW + 90 * DAY) }, { expireAt: NOW + 90 * DAY }],
    [
      { triggerType: 'price_below', triggerPrice: 30 },
      { triggerPrice: 3_000, triggeredAt: null },
    ],
    [{ triggerType: 'time', triggerAt: iso(NOW + DAY - 1) }, { triggerAt: NOW + DAY - 1 }],
    [{ marketTitle: '' }, { marketTitle: facts.title }],
    [{ maxPrice: null }, { maxPrice: null }],
  ])('is accepted: %j', (more, expected) => {
    expect(created(more)).toMatchObject(expected)
  })

  it('needs an active market', () => {
    expect(created({}, 'closed')).toBe(
      `marketId must be an active market; ${facts.ticker} is closed`,
    )
  })

  it.each([
    [{ marketId: 'kx-a' }, 'KX-A'],
    [{ ticker: 'kx-a' }, 'KX-A'],
    [{}, 'marketId is required'],
    [{ marketId: null }, 'marketId is required'],
  ])('names its market: %j is %j', (body, expected) => {
    expect(result(() => namedMarket(body))).toBe(expected)
  })
})

describe('a changed intent', () => {
  const later = (NOW + HOUR) as Millis
  const armed = (more: object = {}): Intent => {
    const intent = created({ triggerType: 'price_below', triggerPrice: 30, maxPrice: 40, ...more })
    if (typeof intent === 'string') throw new Error(intent)
    return intent
  }
  const changed = (body: object, intent = armed()) =>
    result(() => changedIntent(body, intent, facts.priceRanges, later))

  it('keeps what was not sent', () => {
    const intent = armed({ softCondition: 'rain', rationale: 'why' })
    expect(changed({}, intent)).toEqual({ ...intent, updatedAt: later })
  })

  it('takes what was sent, where null clears it', () => {
    const intent = armed({ softCondition: 'rain', rationale: 'why' })
    expect(
      changed(
        {
          qty: 5,
          maxPrice: null,
          triggerPrice: 20,
          expireAt: '1h',
          softCondition: null,
          rationale: '',
          autoExecute: true,
        },
        intent,
      ),
    ).toMatchObject({
      targetSize: 5_000_000,
      maxPrice: null,
      triggerPrice: 2_000,
      expireAt: later + HOUR,
      softCondition: null,
      softState: 'none',
      rationale: null,
      autoExecute: true,
    })
    expect(changed({ softCondition: 'snow' }, intent)).toMatchObject({
      softCondition: 'snow',
      softState: 'waiting',
      softJudgedAt: null,
    })
  })

  it('starts over with a condition only where it changed', () => {
    const judged = {
      ...armed({ softCondition: 'rain' }),
      softState: 'met',
      softJudgedAt: NOW,
    } as Intent
    expect(changed({ softCondition: 'rain' }, judged)).toMatchObject({
      softState: 'met',
      softJudgedAt: NOW,
    })
  })

  it('keeps a time that has passed while its condition is judged', () => {
    const triggerAt = NOW + HOUR / 2
    const intent = armed({ triggerType: 'time', triggerAt: iso(triggerAt), softCondition: 'rain' })
    expect(changed({ maxPrice: 35 }, intent)).toMatchObject({ maxPrice: 3_500, triggerAt })
    expect(changed({ triggerAt: iso(triggerAt) }, intent)).toBe('triggerAt must be in the future')
  })

  it.each([
    [{ triggerPrice: null }, 'triggerPrice is required for price_below'],
    [{ targetQuantity: null }, 'targetQuantity must be a number'],
    [{ priceCents: 41.5 }, 'maxPrice must be on the venue’s tick of 1¢'],
    [{ expireAt: iso(later) }, 'expireAt must be in the future'],
  ])('is refused: %j', (body, message) => {
    expect(changed(body)).toBe(message)
  })
})

describe('a fill that was executed elsewhere', () => {
  const fill = { orderId: 'o1', fillQuantity: 2, fillPrice: 41.5 }

  it.each([
    [fill, { orderId: 'o1', size: 2_000_000, price: 4_150, cost: null }],
    [{ ...fill, fillCostCents: 83.5 }, { cost: 835_000 }],
    [
      { ...fill, fillPrice: 0, fillCostCents: 0 },
      { price: 0, cost: 0 },
    ],
  ])('%j is %j', (sent, expected) => {
    expect(parseFill(sent)).toMatchObject(expected)
  })

  it.each([
    [null, 'fill must be an object'],
    [7, 'fill must be an object'],
    [{ ...fill, orderId: undefined }, 'fill.orderId is required'],
    [{ ...fill, fillQuantity: undefined }, 'fill.fillQuantity is required'],
    [{ ...fill, fillQuantity: 1e-7 }, 'fillQuantity must be at least 0.000001'],
    [{ ...fill, fillPrice: null }, 'fill.fillPrice is required'],
    [{ ...fill, fillPrice: 101 }, 'fillPrice must be a number from 0 to 100'],
  ])('is refused: %j', (sent, message) => {
    expect(result(() => parseFill(sent))).toBe(message)
  })
})
