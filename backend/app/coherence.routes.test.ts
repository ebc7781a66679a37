import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { createCatalogue } from '../simulator/catalogue/catalogue.ts'
import type { SimMarket } from '../simulator/catalogue/market.ts'
import { truthOf } from '../testing/sample-truth.ts'
import { laddersOf, sharedTitles, sumsOf, twinGapsOf } from '../testing/coherence.ts'
import type { Coherence, Touch } from '../testing/coherence.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

const START = '2026-11-20T14:00:20.000Z'
const SEED = 9
const MARKETS = 300

interface Row {
  readonly ticker: string
  readonly title: string
  readonly bestBid: number | null
  readonly bestAsk: number | null
}

describe('the demo served by the service', () => {
  let demo: DemoService
  let rows: Map<string, Row>
  const from = Date.parse(START) as Millis
  const catalogue = createCatalogue({ seed: SEED, markets: MARKETS, from })

  beforeAll(async () => {
    demo = await startDemoService({ seed: SEED, markets: MARKETS, start: START })
    rows = new Map()
    let cursor: string | null = null
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`
      const answer = await demo.ask(`/api/public/markets?status=active&limit=500${after}`)
      expect(answer.slice(0, 4)).toBe('200 ')
      const page = JSON.parse(answer.slice(4)) as { markets: Row[]; nextCursor: string | null }
      for (const row of page.markets) rows.set(row.ticker, row)
      cursor = page.nextCursor
    } while (cursor !== null)
  })
  afterAll(() => demo.stop())

  const touchOf = ({ id }: SimMarket): Touch => {
    const row = rows.get(id.toUpperCase()) ?? rows.get(id)
    return { bid: row?.bestBid ?? null, ask: row?.bestAsk ?? null }
  }
  const expectCoherent = ({ faults, compared }: Coherence, min: number): void => {
    expect(faults).toEqual([])
    expect(compared).toBeGreaterThan(min)
  }

  it('sums exclusive outcomes to about a dollar', () => {
    expectCoherent(sumsOf(catalogue, demo.clock.now(), touchOf), 2)
  })

  it('keeps ladders in order', () => {
    expectCoherent(laddersOf(catalogue, demo.clock.now(), touchOf), 20)
  })

  it('prices the same question alike on both venues, except for planted gaps', () => {
    expectCoherent(twinGapsOf(truthOf(catalogue, SEED), demo.clock.now(), touchOf), 4)
  })

  it('shows no title twice on a venue', () => {
    const shown = [
      ...catalogue.markets('venue_a', demo.clock.now()),
      ...catalogue.markets('venue_b', demo.clock.now()),
    ].filter(({ id }) => rows.has(id))
    expect(shown.length).toBeGreaterThan(100)
    expect(sharedTitles(shown, ({ id }) => rows.get(id)?.title ?? null)).toEqual([])
  })
})
