import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isoOf } from '../lib/clock.ts'
import { DAY, MINUTE, type Millis } from '../domain/units.ts'
import { VENUES } from '../domain/venue.ts'
import { RESPONSE_BODIES } from '../contract/routes.ts'
import type { RouteName } from '../contract/routes.ts'
import {
  claimsOf,
  contradictionsIn,
  OTHER_FIELDS,
  placesOf,
  QUANTITIES,
} from '../testing/market-claims.ts'
import type { Claim } from '../testing/market-claims.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

const NOW = '2026-11-20T14:00:00.000Z'
const QUARTER = '2026-11-19T09:30:00.000Z'
const BETWEEN = '2026-11-19T09:37:12.000Z'

/** Parts of the service whose answers are not about markets at an instant, or need an account. */
const OTHER_AREAS =
  /^GET \/(?:\.well-known|healthz|readyz|status|api\/(?:admin|alert-\w+|auth|backtests|backups|calibration|dashboard2?|data-keys|doctor|exports|health|imports|intents|keys|portfolio|replay|thesis|watch)\b|api\/public\/(?:calibration|glossary|guide|skills?|theses|thesis|regime\/history)\b)/

/** Parameters with which a route lists as many markets as it can. */
const WIDEST = 'limit=500&format=json&days=365&trend=false'
const NEEDED: Readonly<Record<string, string>> = {
  'GET /api/agent/world/delta': 'since=12h',
  'GET /api/changes': 'since=24h',
  'GET /api/public/newmarkets': 'since=30d',
  'GET /api/public/query': 'q=bitcoin',
  'GET /api/public/scan': 'q=bitcoin',
  'GET /api/public/search': 'q=bitcoin',
  'GET /v1/search': 'q=bitcoin',
}
const WORLD_OPS = ['snapshot', 'catalyst', 'dispersion']
const TOPICS = ['bitcoin', 'fed-rate']
/** Markets of each venue that are read one by one. */
const SINGLE = 3

const ROUTES = (Object.keys(RESPONSE_BODIES) as RouteName[]).filter(
  (route) => route.startsWith('GET ') && !OTHER_AREAS.test(route),
)

describe('answers about the same market at the same instant', () => {
  let demo: DemoService
  /** Claims of the instant at which the demo starts, requested by name. */
  let atNow: Claim[]

  beforeAll(async () => {
    demo = await startDemoService({ seed: 9, markets: 120, start: NOW })
    atNow = await claimsAt(NOW)
  })
  afterAll(() => demo.stop())

  const read = async (path: string): Promise<unknown> => {
    const answer = await demo.ask(path)
    return answer.startsWith('200 ') ? (JSON.parse(answer.slice(4)) as unknown) : null
  }

  /** The requests of a route: one, or one for each of a few markets, topics or operations. */
  const pathsOf = (route: string, tickers: readonly string[]): string[] => {
    const path = route.slice('GET '.length)
    const query = [NEEDED[route], WIDEST].filter((part) => part !== undefined).join('&')
    if (path.includes(':ticker')) return tickers.map((one) => path.replace(':ticker', one))
    if (path.endsWith('screen-by-tickers')) return [`${path}?tickers=${tickers.join()}`]
    if (path.endsWith('microstructure-history')) return [`${path}?ticker=${tickers[0] ?? ''}`]
    if (/:topic|topic\/:slug|world\/\*/.test(path)) {
      return TOPICS.map((topic) => `${path.replace(/:\w+|\*/, topic)}?${query}`)
    }
    if (path.includes(':')) return []
    const ops = path === '/api/agent/world' ? WORLD_OPS : [null]
    return ops.map((op) => `${path}?${query}${op === null ? '' : `&op=${op}`}`)
  }

  /** Claims of all routes for an instant (null: now). */
  const claimsAt = async (asOf: string | null): Promise<Claim[]> => {
    const at = asOf === null ? '' : `asOf=${asOf}`
    const { markets } = (await read(`/api/public/markets?limit=500&${at}`)) as {
      markets: { ticker: string; venue: string }[]
    }
    const tickers = VENUES.flatMap((venue) =>
      markets.filter((market) => market.venue === venue).slice(0, SINGLE),
    ).map(({ ticker }) => ticker)
    const requested = asOf ?? isoOf(demo.clock.now())
    const claims: Claim[] = []
    for (const route of ROUTES) {
      if (asOf !== null && route.startsWith('GET /v1')) continue
      for (const path of pathsOf(route, tickers)) {
        const body = await read(`${path}${path.includes('?') ? '&' : '?'}${at}`)
        const region = TOPICS.find((topic) => path.includes(`/${topic}`)) ?? 'the world'
        claims.push(...claimsOf(route, body, { requested, region }))
      }
    }
    return claims
  }
  const areasOf = (claims: readonly Claim[]) =>
    new Set(claims.map(({ place }) => place.split(' ')[1]))

  // [conventions.answers.agree]
  it('agree in every route, now and when now is named', async () => {
    const live = await claimsAt(null)
    expect(contradictionsIn([...live, ...atNow])).toEqual([])
    expect(live.length).toBeGreaterThan(5_000)
    expect(areasOf(live).size).toBeGreaterThan(25)
  })

  it('agree at a past instant, also between the quarter hours of the context', async () => {
    const [quarter, between] = [await claimsAt(QUARTER), await claimsAt(BETWEEN)]
    expect(contradictionsIn([...quarter, ...between])).toEqual([])
    expect(areasOf(between).size).toBeGreaterThan(18)
  })

  // [conventions.as-of.announced-close]
  it('do not know an unscheduled close before it happened', async () => {
    const { markets } = (await read('/api/public/markets?status=settled&limit=500')) as {
      markets: { ticker: string; openTime: string; closeTime: string }[]
    }
    const unscheduled = markets.filter(({ openTime, closeTime }) => {
      const close = Date.parse(closeTime)
      return close % MINUTE !== 0 && close - Date.parse(openTime) > 2 * DAY
    })
    let early = 0
    for (const { ticker, closeTime } of unscheduled) {
      const before = Date.parse(closeTime) - DAY
      const asOf = isoOf(before as Millis)
      const then = (await read(`/api/public/market/${ticker}?asOf=${asOf}`)) as {
        closeTime: string
        status: string
        indicators: { tau: number | null }
      }
      const announced = Date.parse(then.closeTime)
      expect([then.status, announced % MINUTE]).toEqual(['active', 0])
      if (announced > before) expect(then.indicators.tau).toBeCloseTo((announced - before) / DAY, 6)
      else expect(then.indicators.tau).toBeNull()
      early += announced > Date.parse(closeTime) ? 1 : 0
    }
    expect(early).toBeGreaterThan(0)
    expect(unscheduled.length).toBeGreaterThan(early)
  })

  it('agree minutes after the newest snapshot, whose lists state its time', async () => {
    await demo.advance(3 * MINUTE, 30_000)
    const later = await claimsAt(null)
    expect(contradictionsIn([...later, ...atNow])).toEqual([])
    expect(new Set(later.map(({ at }) => at)).size).toBeGreaterThan(1)
  })
})

describe('fields of markets', () => {
  it('are quantities that are compared, or belong to the entry, in every schema', () => {
    const places = ROUTES.flatMap((route) => placesOf(route, RESPONSE_BODIES[route]))
    const compared = new Set(Object.values(QUANTITIES).flat())
    const routesOf = Map.groupBy(places, ({ field }) => field)
    const shared = [...routesOf].filter(
      ([, found]) => new Set(found.map(({ route, path }) => `${route} ${path}`)).size > 1,
    )
    const unknown = shared
      .map(([field]) => field)
      .filter((field) => !compared.has(field) && OTHER_FIELDS[field] === undefined)
    expect(unknown).toEqual([])
    const table = places.filter(({ field }) => compared.has(field))
    expect(table.length).toBeGreaterThan(300)
  })
})
