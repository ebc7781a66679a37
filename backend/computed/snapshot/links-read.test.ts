import { expect, it } from 'vitest'
import { runToCompletion } from '../../domain/cooperative-steps.ts'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import type { Cents } from '../../domain/units.ts'
import { marketView } from '../../testing/builders.ts'
import { marketQuantities } from '../../testing/snapshot-builders.ts'
import type { MarketQuantities } from './context-snapshot.ts'
import { readLinks } from './links-read.ts'

const LINK: MarketLink = {
  i: 'KXA',
  j: '0xb',
  kind: 'cross_venue',
  sign: 1,
  priorBeta: 1,
  confidence: 0.99,
}

/** One question whose price on venue_a rose by 9¢ in six hours. */
function gapsWith(lagging: Partial<MarketQuantities>) {
  const noise = { '1h': 0.5, '6h': 0.5, '24h': 0.5, '3d': 0.5 }
  const of = (ticker: string, mark: number, before: number, fields: Partial<MarketQuantities>) => {
    const view = marketView({ price: mark, bid: mark - 1, ask: mark + 1, facts: { ticker } })
    const then = before as Cents
    const marksAgo = { '1h': then, '6h': then, '24h': then, '3d': then }
    return [
      ticker,
      marketQuantities({ view, marksAgo, volatilityBefore: noise, ...fields }),
    ] as const
  }
  const markets = new Map([of('KXA', 29, 20, {}), of('0xb', 20, 20, lagging)])
  return runToCompletion(readLinks([LINK], [], markets, () => undefined))
    .gaps('6h')
    .map(({ trigger, gap, direction }) => [trigger, gap, direction])
}
const QUOTED = { '1h': true, '6h': true, '24h': true, '3d': true }

it('reports the gap to a price that a book confirms at both ends of the window', () => {
  expect(gapsWith({ idleHours: 46, quotedAgo: QUOTED })).toEqual([['KXA', 9, 'lagging']])
})

it('does not take a price without a trade or a book for an unchanged one', () => {
  expect(gapsWith({ idleHours: 46 })).toEqual([])
  expect(gapsWith({ idleHours: 6 })).toEqual([])
  expect(gapsWith({ idleHours: 5 })).toEqual([['KXA', 9, 'lagging']])
})

it('measures noise over the week before the window', () => {
  const moved = { '1h': 0.5, '6h': 2, '24h': 0.5, '3d': 0.5 }
  expect(gapsWith({ volatilityBefore: moved })).toEqual([])
  expect(gapsWith({ volatility: 9 })).toHaveLength(1)
})
