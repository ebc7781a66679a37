import { describe, expect, it } from 'vitest'
import {
  adjustedYield,
  cliffRatio,
  impliedYieldNo,
  impliedYieldYes,
  liquidityAdjustedSpread,
  tauAt,
} from './prices/indicators.ts'
import { liquidityScore } from './liquidity/liquidity.ts'
import type { MarketResult, MarketStatus } from './market.ts'
import { pricesAt } from './prices/price.ts'
import { DAY, HOUR } from './units.ts'
import type { Cents, Millis, PriceE4 } from './units.ts'
import { volumeUsd } from './liquidity/volume.ts'

const at = Date.UTC(2026, 10, 20) as Millis

interface Situation {
  readonly status?: MarketStatus
  readonly last?: number | null
  readonly bid?: number | null
  readonly ask?: number | null
  readonly quoteKnown?: boolean
  readonly days?: number | null
  readonly result?: MarketResult
  readonly pays?: number
}

/** Names of the quantities that a market has in a situation. */
function known(situation: Situation): string {
  const { status = 'active', last = 40, bid = 38, ask = 42, days = 30 } = situation
  const prices = pricesAt({
    status,
    at,
    last: last === null ? null : { price: last as Cents, at: (at - HOUR) as Millis },
    quote:
      situation.quoteKnown === false
        ? null
        : { bid: bid as Cents | null, ask: ask as Cents | null, confirmedAt: at },
    settlement: {
      result: situation.result ?? null,
      settlementPrice: (situation.pays ?? null) as PriceE4 | null,
    },
  })
  const tau = tauAt(days === null ? null : ((at + days * DAY) as Millis), at)
  const iyYes = impliedYieldYes(prices.price, tau)
  const las = liquidityAdjustedSpread(prices.price, prices.hasOrderbook ? prices.spread : null)
  const quantities = {
    price: prices.price,
    mark: prices.mark,
    spread: prices.spread,
    iyYes,
    iyNo: impliedYieldNo(prices.price, tau),
    cri: cliffRatio(prices.price),
    las,
    adjIy: adjustedYield(iyYes, las),
    usd: volumeUsd(100, 'contracts', prices.price),
  }
  return Object.entries(quantities)
    .filter(([, value]) => value !== null)
    .map(([name]) => name)
    .join(' ')
}

const ALL = 'price mark spread iyYes iyNo cri las adjIy usd'
const NO_BOOK = 'price mark iyYes iyNo cri usd'

describe('unknown quantities are null', () => {
  it.each<readonly [string, Situation, string]>([
    ['everything known', {}, ALL],
    ['no book', { quoteKnown: false }, NO_BOOK],
    ['an empty book', { bid: null, ask: null }, NO_BOOK],
    ['one side', { ask: null }, NO_BOOK],
    ['a crossed book', { bid: 45 }, NO_BOOK],
    ['paused', { status: 'paused' }, NO_BOOK],
    ['no trade', { last: null }, ALL],
    ['no trade and a wide book', { last: null, bid: 20, ask: 60 }, 'spread'],
    ['no trade and one side', { last: null, ask: null }, ''],
    ['nothing', { last: null, quoteKnown: false }, ''],
    ['upcoming', { status: 'upcoming' }, ''],
    ['past its close', { days: -1 }, 'price mark spread cri las usd'],
    ['at its close', { days: 0 }, 'price mark spread cri las usd'],
    ['without a close', { days: null }, 'price mark spread cri las usd'],
    ['at 100', { last: 100, quoteKnown: false }, 'price mark usd'],
    ['at 0', { last: 0, quoteKnown: false }, 'price mark usd'],
    ['settled yes', { status: 'settled', result: 'yes', days: -1 }, 'price mark usd'],
    ['settled no', { status: 'settled', result: 'no', days: -1 }, 'price mark usd'],
    ['settled void', { status: 'settled', result: 'void', days: -1 }, ''],
    [
      'settled between',
      { status: 'settled', result: 'scalar', pays: 4_000, days: -1 },
      'price mark cri usd',
    ],
    ['settled, value unknown', { status: 'settled', result: 'scalar', days: -1 }, ''],
  ])('with %s', (_, situation, expected) => {
    expect(known(situation)).toBe(expected)
  })

  it('an unknown book is never liquid', () => {
    const nothing = { spread: null, bidDepthUsd: null, askDepthUsd: null, volume24hUsd: null }
    expect(liquidityScore(nothing)).toBe('low')
    expect(volumeUsd(null, 'contracts', 40 as Cents)).toBeNull()
  })
})
