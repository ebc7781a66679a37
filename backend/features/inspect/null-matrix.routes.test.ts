import { describe, expect, it } from 'vitest'
import { DescribedMarket } from '../../computed/board/described-market.ts'
import { noNumbers, viewOf } from '../../computed/board/market-view.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { HOUR, priceOfCents } from '../../domain/units.ts'
import type { Cents, Millis, PriceE4 } from '../../domain/units.ts'
import { at, marketFacts, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { testApp } from '../../testing/test-app.ts'

interface Situation {
  readonly facts?: Partial<MarketFacts>
  readonly last?: number | null
  readonly bid?: number | null
  readonly ask?: number | null
  readonly hasQuote?: boolean
  /** Whether the snapshot has series of the market. */
  readonly hasHistory?: boolean
}
const stored = (price: number | null) => (price === null ? null : priceOfCents(price as Cents))

/** The market as the board builds it from the available data. */
function viewIn({ facts, last = 40, bid = 38, ask = 42, hasQuote = true }: Situation) {
  const price = stored(last)
  const record = {
    market: 1,
    facts: marketFacts({ ticker: 'KXNULL', ...facts }),
    firstSeenAt: at('2026-11-01'),
    knownAt: at('2026-11-01'),
  }
  const numbers = {
    ...noNumbers(1),
    last: price === null ? null : { price, ts: (NOON - HOUR) as Millis },
    quote: hasQuote
      ? {
          bid: stored(bid),
          ask: stored(ask),
          bidSize: null,
          askSize: null,
          ts: NOON,
          knownAt: NOON,
        }
      : null,
  }
  return viewOf(new DescribedMarket(record), numbers, 35 as Cents, NOON)
}

const WORDS = new Set(['eeSource', 'hasThesis', 'hasOrderbook', 'lastComputedAt', 'tauDays', 'iy'])

/** Names of the numeric indicators that are known, and of further known fields of the dossier. */
async function knownIn(situation: Situation): Promise<string> {
  const view = viewIn(situation)
  const other = marketView({ price: 36, facts: { ticker: '0xother', venue: 'venue_b' } })
  const app = testApp({ views: [view, other] })
  const series = {
    rates: { iar: 0.5, rv: 100 },
    surprise: { vr: 1, expectedVr: 0.5, residualVr: 0.5 },
    daysToEvent: 3,
  }
  const { hasHistory = true } = situation
  const mayTrade = ['active', 'paused', 'upcoming'].includes(view.status)
  const known = mayTrade ? [marketQuantities({ view, ...(hasHistory ? series : {}) })] : []
  const pairs = hasHistory && mayTrade ? [marketPair({ a: 'KXNULL', b: '0xother' })] : []
  app.context.snapshots = [
    contextSnapshotOf([...known, marketQuantities({ view: other })], { pairs }),
  ]
  const body = (await (await app.get('/api/agent/inspect/KXNULL')).json()) as {
    price: number | null
    spread: number | null
    indicators: Record<string, unknown>
    regime: { asScore: number | null }
    crossVenue: unknown[]
    diff24h: { price: { from: number | null; delta: number | null } }
  }
  const { price, spread, indicators, regime, crossVenue, diff24h } = body
  const quantities: Record<string, unknown> = {
    price,
    spread,
    ...indicators,
    asScore: regime.asScore,
    match: crossVenue[0] ?? null,
    delta: diff24h.price.delta,
  }
  return Object.entries(quantities)
    .filter(([name, value]) => value !== null && !WORDS.has(name))
    .map(([name]) => name)
    .join(' ')
}

const SERIES = 'daysToEvent rv vr iar expectedVr residualVr'
const ALL = `price spread iyYes iyNo adjIy cri las cvr tau ${SERIES} asScore match delta`
const NO_BOOK = `price iyYes iyNo cri cvr tau ${SERIES} asScore match delta`
const NO_PRICE = `tau ${SERIES} asScore match`
/** Without ratios: the price is at an end of its scale. */
const AT_END = `price tau ${SERIES} asScore match delta`

describe('unknown values of a market are null in its dossier, never 0', () => {
  // [inspect.dossier.null-matrix]
  it.each<readonly [string, Situation, string]>([
    ['everything known', {}, ALL],
    ['no book', { hasQuote: false }, NO_BOOK],
    ['an empty book', { bid: null, ask: null }, NO_BOOK],
    ['one side', { ask: null }, NO_BOOK],
    ['a crossed book', { bid: 45 }, NO_BOOK],
    ['a locked book', { bid: 42 }, NO_BOOK],
    ['no trade', { last: null }, ALL],
    ['no trade and a wide book', { last: null, bid: 20, ask: 60 }, `spread ${NO_PRICE}`],
    ['no trade and one side', { last: null, ask: null }, NO_PRICE],
    ['nothing but its listing', { last: null, hasQuote: false }, NO_PRICE],
    [
      'no history',
      { hasHistory: false },
      'price spread iyYes iyNo adjIy cri las tau asScore delta',
    ],
    ['no close time', { facts: { closeTime: null } }, ALL.replace(/iyYes iyNo adjIy |tau /g, '')],
    ['a price of 0', { last: 0, hasQuote: false }, AT_END],
    ['a price of 100', { last: 100, hasQuote: false }, AT_END],
    ['trading paused', { facts: { status: 'paused' } }, NO_BOOK.replace('asScore ', '')],
    [
      'an opening ahead',
      { facts: { status: 'upcoming', openTime: (NOON + HOUR) as Millis } },
      'match',
    ],
    ['its close behind it', { facts: { closeTime: (NOON - HOUR) as Millis } }, 'price delta'],
    ['an end without a result', { facts: { status: 'resolving' } }, 'price delta'],
    ['a result of YES', { facts: { status: 'settled', result: 'yes' } }, 'price delta'],
    ['a result of NO', { facts: { status: 'settled', result: 'no' } }, 'price delta'],
    [
      'a result between',
      { facts: { status: 'settled', result: 'scalar', settlementPrice: 4_000 as PriceE4 } },
      'price delta',
    ],
    ['a result between, unknown', { facts: { status: 'settled', result: 'scalar' } }, ''],
    ['no result: void', { facts: { status: 'settled', result: 'void' } }, ''],
  ])('with %s', async (_, situation, expected) => {
    expect(await knownIn(situation)).toBe(expected)
  })
})
