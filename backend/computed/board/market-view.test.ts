import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import { DAY, MINUTE, type Millis, type SizeE6 } from '../../domain/units.ts'
import { at, marketFacts, NOON } from '../../testing/builders.ts'
import { DescribedMarket } from './described-market.ts'
import { noNumbers, viewOf } from './market-view.ts'

/** Volumes in a view at noon that the venue stated `before` ms earlier. */
function volumesStated(before: number, facts: Partial<MarketFacts> = {}) {
  const known = at('2026-11-01')
  const record = { market: 1, facts: marketFacts(facts), firstSeenAt: known, knownAt: known }
  const activity = {
    volume: 900_000_000 as SizeE6,
    volume24h: 20_000_000 as SizeE6,
    openInterest: null,
    lastPrice: null,
    ts: (NOON - before) as Millis,
  }
  const numbers = { ...noNumbers(1), activity }
  const { volume, volume24h } = viewOf(new DescribedMarket(record), numbers, null, NOON)
  return { volume, volume24h }
}

describe('the volume of the last day', () => {
  it('is the venue’s statement', () => {
    expect(volumesStated(MINUTE)).toEqual({ volume: 900, volume24h: 20 })
    expect(volumesStated(DAY - 1)).toEqual({ volume: 900, volume24h: 20 })
  })

  it('is unknown, not that of another day, once the statement is a day old', () => {
    expect(volumesStated(DAY)).toEqual({ volume: 900, volume24h: null })
    expect(volumesStated(40 * DAY)).toEqual({ volume: 900, volume24h: null })
  })

  it('remains that of its last day for a market that has ended', () => {
    const settled = { status: 'settled', result: 'yes' } as const
    expect(volumesStated(40 * DAY, settled)).toEqual({ volume: 900, volume24h: 20 })
  })
})
