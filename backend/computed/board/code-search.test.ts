import { describe, expect, it } from 'vitest'
import { HOUR, type Millis } from '../../domain/units.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { MarketTable } from './market-table.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z') as Millis
const closeTime = (NOON + HOUR) as Millis

function tableOf(markets: readonly { ticker: string; eventId: string; title?: string }[]) {
  const table = new MarketTable()
  for (const [index, market] of markets.entries()) {
    const facts = marketFacts({ seriesId: 'KXFED', status: 'active', closeTime, ...market })
    table.put({ market: index + 1, firstSeenAt: 0 as Millis, knownAt: 0 as Millis, facts })
  }
  return table.snapshot(NOON, new Map())
}

const board = tableOf([
  { ticker: 'KXFED-26DEC-T4.00', eventId: 'KXFED-26DEC' },
  { ticker: 'KXFED-26DEC-T4.25', eventId: 'KXFED-26DEC' },
  { ticker: 'KXFED-27JAN-T4.00', eventId: 'KXFED-27JAN' },
  { ticker: 'COVID', eventId: 'HEALTH', title: 'Will a covid-19 emergency be declared?' },
])
const find = (query: string, limit = 10) => {
  const { hits, nearest } = board.find(query, null, limit)
  return {
    found: hits.map(({ view }) => view.facts.ticker),
    nearest: nearest.map(({ view, differences: [difference] }) => [
      view.facts.ticker,
      difference?.text,
    ]),
  }
}

describe('a search for a code', () => {
  it('finds the markets of a ticker, an event or a series, in any case', () => {
    const december = ['KXFED-26DEC-T4.00', 'KXFED-26DEC-T4.25']
    expect(find('KXFED-26DEC-T4.25').found).toEqual(['KXFED-26DEC-T4.25'])
    expect(find('kxfed-26dec').found).toEqual(december)
    expect(find('KXFED-26D').found).toEqual(december)
    expect(find('kxfed').found).toEqual([...december, 'KXFED-27JAN-T4.00', 'COVID'])
    expect(find('kxfed', 1).found).toEqual(['KXFED-26DEC-T4.00'])
  })

  it('finds the nearest of the series of an unknown ticker', () => {
    const { found, nearest } = find('KXFED-27JAN-T9.99')
    expect(found).toEqual([])
    expect(nearest[0]).toEqual(['KXFED-27JAN-T4.00', 'has another ticker than KXFED-27JAN-T9.99'])
  })

  it('leaves words that name no code to the question', () => {
    expect(find('covid-19').found).toEqual(['COVID'])
  })
})
