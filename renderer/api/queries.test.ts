import { describe, expect, it } from 'vitest'
import type { Command } from '../shell/commands/command.ts'
import { parseLine } from '../shell/commands/parse.ts'
import { MAX_WATCHED } from '../shell/window/watchlist.svelte.ts'
import { changes, market, movers, newMarkets, scan, watchedMarketsQuery } from './queries.ts'
import { candlesPath } from './series-queries.ts'

const command = (line: string): Command => {
  const [first] = parseLine(line) as readonly Command[]
  if (first === undefined) throw new Error(line)
  return first
}
const scanPath = (line: string): string => {
  const question = scan(command(line))
  return typeof question === 'string' ? question : question.path
}

describe('queries', () => {
  it.each([
    ['SCAN', '/api/public/markets?nextActions=off&limit=500'],
    ['oil', '/api/public/markets?topic=oil&nextActions=off&limit=500'],
    [
      'SCAN fed cut price=20..60 vol24h>1k @k',
      '/api/public/scan?q=fed+cut&limit=50&venue=venue_a&price_min=20&price_max=60&vol24h_min=1000&nextActions=off',
    ],
    [
      'SCAN price>90 days<30',
      '/api/public/screen?nextActions=off&price_min=90&tau_max_days=30&sort=volume&limit=200',
    ],
    [
      'SCAN brent topic=oil',
      '/api/public/screen?keyword=brent&topic=oil&nextActions=off&sort=volume&limit=200',
    ],
    [
      'SCAN temperature status=settled @k',
      '/api/public/markets?q=temperature&venue=venue_a&status=settled&nextActions=off&limit=500',
    ],
    ['SCAN status=settled price>50', 'price can be used with active markets only'],
    ['SCAN x', 'Type at least two characters to search'],
    ['SCAN vol24h<10', 'Volume accepts a lower bound only, such as vol24h>1000'],
    ['SCAN vol>10', 'vol can be used only with search text and without a topic'],
  ])('answers “%s” by %s', (line, path) => expect(scanPath(line)).toBe(path))

  it('requests both ends of the movers', () => {
    const [up, down] = movers(command('MOV iran @p'))
    expect(up.path).toContain('sort=change24h&order=desc&topic=iran&venue=venue_b')
    expect(down.path).toContain('order=asc')
    expect(up.path).toContain('price_min=3&price_max=97&vol24h_min=100')
    expect(movers(command('MOV -thin'))[0].path).not.toContain('_min')
  })

  it('covers a day by default', () => {
    expect(newMarkets(command('NEW')).path).toContain('since=24h')
    expect(changes(command('CHG 6h type=resolved'), null).path).toBe(
      '/api/changes?since=6h&type=resolved&limit=200',
    )
  })

  it('requests all watched markets at once', () => {
    expect(watchedMarketsQuery(['A', 'B']).path).toBe(
      `/api/public/markets?tickers=A%2CB&limit=${MAX_WATCHED}&nextActions=off`,
    )
  })

  it('encodes tickers', () => {
    expect(market('A/B').path).toContain('/api/public/market/A%2FB?')
    expect(candlesPath('T', '1h', { before: '2026-01-01T00:00:00.000Z', asOf: null })).toContain(
      'before=2026-01-01T00%3A00%3A00.000Z',
    )
  })
})
