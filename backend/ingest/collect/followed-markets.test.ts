import { describe, expect, it } from 'vitest'
import type { Ticker } from '../../domain/market.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import { FollowedMarkets } from './followed-markets.ts'

const page = (volumes: Readonly<Record<string, number | null>>): VenueEvent[] =>
  Object.entries(volumes).flatMap(([ticker, volume24h]) => [
    { type: 'market_described', ticker } as unknown as VenueEvent,
    { type: 'activity_reported', ticker, volume24h } as unknown as VenueEvent,
  ])
const followed = (volumes: Readonly<Record<string, number | null>>, isReadByMarket = true) => {
  const markets = new FollowedMarkets({ limit: 2, isReadByMarket })
  markets.addPage(page(volumes))
  return markets
}
const t = (...tickers: string[]) => tickers

describe('the followed markets of a venue', () => {
  it('are the most active ones, by ticker where the activity is equal or unknown', () => {
    expect(followed({ C: 5, B: 9, A: 5 }).settle()).toEqual(['B', 'A'])
    expect(followed({ B: null, A: 0, C: null }).mostActive()).toEqual(['A', 'B'])
  })

  it('keep the activity of a known market that is added', () => {
    const markets = followed({ A: 5, B: 9, C: 7 })
    markets.add(t('C')[0] as Ticker)
    markets.add(t('D')[0] as Ticker)
    expect(markets.mostActive()).toEqual(['B', 'C'])
  })

  it('lose one that ended, whose trades are read a last time', () => {
    const markets = followed({ A: 9, B: 5, C: 1 })
    markets.settle()
    markets.end(t('A')[0] as Ticker)
    expect(markets.settle()).toEqual(['B', 'C'])
    expect(markets.dueTickers(t('Z', 'B'))).toEqual({
      tickers: t('Z', 'B', 'A', 'C'),
      left: t('A'),
    })
    markets.markRead(t('A'))
    expect(markets.dueTickers()).toEqual({ tickers: t('B', 'C'), left: [] })
  })

  it('read those that are no longer among the most active a last time', () => {
    const markets = followed({ A: 9, B: 5, C: 1 })
    markets.settle()
    markets.addPage(page({ C: 7 }))
    expect(markets.settle()).toEqual(['A', 'C'])
    expect(markets.dueTickers().left).toEqual(['B'])
  })

  it('leave nothing to read when trades are not read by market, or the market was not followed', () => {
    const whole = followed({ A: 9, B: 5, C: 1 }, false)
    whole.settle()
    whole.end(t('A')[0] as Ticker)
    expect(whole.dueTickers()).toEqual({ tickers: t('B', 'C'), left: [] })
    const single = followed({ A: 9, B: 5, C: 1 })
    single.settle()
    single.end(t('C')[0] as Ticker)
    expect(single.dueTickers()).toEqual({ tickers: t('A', 'B'), left: [] })
  })
})
