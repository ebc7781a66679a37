import fc, { scaled } from '../../scripts/properties.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

/** Shortly before a quarter hour, at which changes are computed. */
const START = '2026-11-20T14:14:30.000Z'
/** Number of repeated reads. */
const PROBES = scaled(60)
const DEMO = { seed: 11, markets: 150, start: START }
const PAST = '2026-11-19T09:30:00.000Z'

/** Paths of lists and of reads of single markets, at an instant or now. */
function pathsFor(tickers: readonly string[], asOf: string | null): string[] {
  const lists = [
    '/api/public/markets',
    '/api/public/markets?limit=500&sort=closeTime',
    '/api/public/markets?depth=true&limit=10',
    '/api/public/markets?status=settled&sort=newest',
    '/api/public/newmarkets?since=30d',
    '/api/public/search?q=bitcoin',
    '/api/public/scan?q=fed',
    '/api/public/screen?limit=200',
    '/api/public/screen?sort=tau&tau_max_days=30',
    '/api/public/live-tickers',
    '/api/changes?since=24h&limit=500',
    `/api/public/screen-by-tickers?tickers=${tickers.join()}`,
  ]
  const single = tickers.flatMap((ticker) => [
    `/api/public/market/${ticker}?depth=true`,
    `/api/public/market/${ticker}/candles?tf=1h`,
    `/api/public/market/${ticker}/history`,
    `/api/public/market-microstructure-history?ticker=${ticker}`,
  ])
  const all = [...lists, ...single]
  if (asOf === null) return all
  return all.map((path) => `${path}${path.includes('?') ? '&' : '?'}asOf=${asOf}`)
}

/** Tickers of some open markets, of both venues. */
async function tickersOf(demo: DemoService): Promise<string[]> {
  const named = async (venue: string) => {
    const answer = await demo.ask(`/api/public/markets?limit=2&venue=${venue}`)
    const page = JSON.parse(answer.slice(4)) as { markets: { ticker: string }[] }
    return page.markets.map(({ ticker }) => ticker)
  }
  return [...(await named('venue_a')), ...(await named('venue_b'))]
}

/** Lists with a cursor, which contains the requested instant and so differs between two reads. */
const isPaged = (path: string): boolean =>
  /\/(markets|screen)\?|\/markets$|\/api\/changes/.test(path)

const at = (path: string, instant: number): string =>
  `${path}${path.includes('?') ? '&' : '?'}asOf=${new Date(instant).toISOString()}`

describe('two services over demos of one seed and clock', () => {
  let first: DemoService
  let second: DemoService
  beforeAll(async () => {
    ;[first, second] = await Promise.all([startDemoService(DEMO), startDemoService(DEMO)])
  })
  afterAll(async () => {
    await first.stop()
    await second.stop()
  })

  // [service.replay.same-answers]
  it('return byte-equal responses', async () => {
    const tickers = await tickersOf(first)
    expect(tickers).toHaveLength(4)
    for (const path of [...pathsFor(tickers, null), ...pathsFor(tickers, PAST)]) {
      const answer = await first.ask(path)
      expect([path, answer.slice(0, 4)]).toEqual([path, '200 '])
      expect([path, await second.ask(path)]).toEqual([path, answer])
    }
  })

  // [conventions.as-of.never-changes]
  it('return the same later for a past instant', async () => {
    const tickers = await tickersOf(first)
    const paths = pathsFor(tickers, null)
    const random = fc.sample(fc.nat(), { seed: 7, numRuns: 10_000 }).values()
    const below = (bound: number): number => (random.next().value ?? 0) % bound
    const probes: { path: string; answer: string }[] = []
    while (probes.length < PROBES) {
      await first.advance(below(6_000))
      const acceptedBefore = first.accepted()
      const answered: typeof probes = []
      for (let round = 0; round < 10; round += 1) {
        const path = paths[below(paths.length)] ?? ''
        const now = first.clock.now()
        const isNow = round % 2 === 0
        const instant = isNow ? now : now - below(3 * 86_400_000)
        // A response without asOf must equal the later response with asOf.
        const answer = await first.ask(isNow && !isPaged(path) ? path : at(path, instant))
        answered.push({ path: at(path, instant), answer })
      }
      // Data that arrived during the reads is known at their instants: those responses do not
      // count.
      await first.untilQuiet()
      if (first.accepted() === acceptedBefore) probes.push(...answered)
    }
    await first.advance(45_000)
    for (const { path, answer } of probes) {
      expect([path, await first.ask(path)]).toEqual([path, answer])
    }
  })
})
