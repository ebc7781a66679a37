import type { WorldChange } from '../../../backend/contract/world-changes.ts'
import { describe, expect, it } from 'vitest'
import type { SalientItem } from '../../../backend/contract/world.ts'
import { endText } from './delta-rows.ts'
import { itemFigures, itemMarkets, tickersOf } from './item-figures.ts'

const NOW = Date.parse('2026-11-20T14:00:00.000Z')
const item = (type: SalientItem['type'], body: SalientItem['body']): SalientItem => ({
  id: 's-4k2m9q',
  rank: 0,
  type,
  label: 'An item',
  score: 0.4,
  pull: [],
  body,
})
const texts = (of: SalientItem) =>
  Object.fromEntries(itemFigures(of, NOW).map(({ name, value }) => [name, value]))

describe('the figures of an item', () => {
  it('have each quantity in its unit, and a dash for unknown ones', () => {
    const residual = item('residual', {
      ticker: 'KX',
      venue: 'venue_a',
      title: 'Will it?',
      price: 52,
      residualVr: 3.3,
      vr: 3.3,
      volume24h: null,
      scheduledCatalyst: null,
    })
    expect(texts(residual)).toEqual({
      Price: '52.0¢',
      'Unexplained surprise': '3.3σ',
      'Volume surprise': '3.3σ',
      'Vol 24h': '–',
    })
  })

  it('show a gauge on its own scale', () => {
    const shift = item('regime_shift', {
      gauge: 'breadth',
      from: -0.2,
      to: 0.45,
      fromLabel: 'Steady',
      toLabel: 'Broad',
      since: '2026-11-20T00:00:00.000Z',
      drivers: [{ ticker: 'KX', title: 'Will it?' }],
    })
    expect(texts(shift)).toMatchObject({ Breadth: '−0.2 → +0.45', Before: 'Steady', Now: 'Broad' })
    expect(itemMarkets(shift)).toEqual([{ ticker: 'KX', name: 'Will it?' }])
  })

  it('name both markets of a divergence, the leading one first', () => {
    const divergence = item('divergence', {
      lhs: { name: 'First', ticker: 'A', delta: 12 },
      rhs: { name: 'Second', ticker: 'B', delta: 0 },
      gap: -12,
      theme: 'oil',
      triggerTicker: 'A',
      laggingTicker: 'B',
      relation: 'theme',
    })
    expect(tickersOf(divergence)).toEqual(['A', 'B'])
    expect(texts(divergence)).toMatchObject({ Leads: '+12.0¢', 'Expected move': '−12.0¢' })
  })
})

describe('values of a change', () => {
  const change = (kind: WorldChange['kind'], after: number | string | null): WorldChange => ({
    kind,
    ticker: null,
    label: '',
    before: null,
    after,
    at: '',
    url: null,
  })
  it.each<[WorldChange['kind'], number | string | null, string]>([
    ['price_move', 52, '52.0¢'],
    ['resolved', 'yes', 'yes'],
    ['gauge', 0.45, '0.45'],
    ['item_added', 0, '#1'],
    ['item_dropped', null, '–'],
  ])('a %s of %s is shown as %s', (kind, after, text) => {
    expect(endText(change(kind, after), 'after')).toBe(text)
  })
})

describe('the parts of an item', () => {
  it('have their names and units', () => {
    const body = {
      change24h: -3,
      cri: 1.5,
      hoursToClose: 2.25,
      siblings: 4,
      consensusPrice: 40,
      deviation: 5,
      relation: 'series_sibling',
      eventTitle: 5,
      unknown: 'x',
    }
    expect(texts(item('novel', body as never))).toEqual({
      '24h': '−3.0¢',
      'Cliff ratio': '1.5',
      'Time to close': '2.3 h',
      'Same event': '4',
      Consensus: '40.0¢',
      'Off consensus': '+5.0¢',
      Relation: 'series sibling',
    })
  })

  it('of an unknown gauge are left out', () => {
    expect(texts(item('regime_shift', { gauge: 'other', from: 1, to: 2 }))).toEqual({})
    expect(texts(item('regime_shift', { gauge: 'geoRisk', from: 1, to: null }))).toEqual({
      'Geo risk': '1 → –',
      Before: '–',
      Now: '–',
    })
  })

  it('a market without a name is its short ticker, each once', () => {
    const body = { ticker: 'KX', drivers: [{ ticker: 'KX' }, { ticker: 'KY', title: 'Y?' }, 5] }
    expect(itemMarkets(item('residual', body as never))).toEqual([
      { ticker: 'KX', name: 'KX' },
      { ticker: 'KY', name: 'Y?' },
    ])
    expect(tickersOf(item('residual', { drivers: 'KX' }))).toEqual([])
  })
})
