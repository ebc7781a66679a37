import { describe, expect, it } from 'vitest'
import { hasRecordings, recordingPath, WITHOUT_RECORDINGS } from '../../../bench/recordings.ts'
import { SAMPLE_TAG, type MarketFacts, type MarketResult } from '../../domain/market.ts'
import { DAY, HOUR, priceOfCents } from '../../domain/units.ts'
import type { Cents, Millis, MoneyE6 } from '../../domain/units.ts'
import type { Settlement } from '../../history/settlements.ts'
import { createHttpApp } from '../../http/app.ts'
import { silentLogger } from '../../lib/logger.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { fakeHistory } from '../../testing/fake-history.ts'
import { openImportFolder } from '../../testing/import-folder.ts'
import { checkAnswer } from '../../testing/test-app.ts'
import { calibrationRoutes } from './calibration.routes.ts'
import { createCalibrationService, type CalibrationDeps } from './calibration.service.ts'

interface Answer {
  readonly sample: number
  readonly buckets: readonly { readonly n: number; readonly [name: string]: unknown }[]
  readonly [name: string]: unknown
}

function appOver(deps: Omit<CalibrationDeps, 'board' | 'hidesSamples'>, hidesSamples = false) {
  const board = { ready: true }
  const reads = createCalibrationService({ ...deps, board, hidesSamples: () => hidesSamples })
  const app = createHttpApp({ logger: silentLogger }).use(calibrationRoutes(reads))
  const get = async (path: string): Promise<Response> => {
    const response = await app.handle(new Request(`http://localhost${path}`))
    await checkAnswer(app.routes, path, response.clone())
    return response
  }
  const ask = async (query = ''): Promise<Answer> =>
    (await (await get(`/api/public/calibration?${query}`)).json()) as Answer
  return { app, board, reads, get, ask }
}

/**
 * A market that was listed for ten days, closed an hour before it settled, and had these prices.
 */
interface Case {
  readonly daysAgo?: number
  readonly result?: MarketResult
  readonly dayBefore?: number | null
  readonly atClose?: number | null
  readonly facts?: Partial<MarketFacts>
  readonly listedDays?: number
}

function store(cases: readonly Case[]) {
  const views = cases.map(({ facts }, i) =>
    marketView({ facts: { ticker: `KX${i}`, eventId: `E${i}`, category: 'weather', ...facts } }),
  )
  const closeOf = (one: Case): Millis => (NOON - (one.daysAgo ?? 2) * DAY - HOUR) as Millis
  const settlements = cases.map((one, i): Settlement => {
    const closeTime = closeOf(one)
    const listed = (closeTime - (one.listedDays ?? 10) * DAY) as Millis
    const view = views[i] ?? marketView()
    return {
      market: view.market,
      listing: { ...view.facts, openTime: listed, closeTime, firstSeenAt: listed },
      result: one.result ?? 'yes',
      closeTime,
      settledKnownAt: (closeTime + HOUR) as Millis,
      resultKnownAt: (closeTime + HOUR) as Millis,
    }
  })
  const history = fakeHistory({
    views,
    settlements,
    prices: {
      activity: {
        volume: 500_000_000 as MoneyE6,
        volume24h: null,
        openInterest: null,
        lastPrice: priceOfCents(40 as Cents),
        ts: NOON,
      },
    },
    pricesAt(market, at) {
      const i = views.findIndex((view) => view.market === market)
      const one = cases[i] ?? {}
      const isClose = at === closeOf(one)
      const cents = isClose ? (one.atClose ?? null) : (one.dayBefore ?? null)
      const price = cents === null ? null : priceOfCents(cents as Cents)
      return { last: price === null ? null : { price, ts: at as Millis }, quote: null }
    },
  })
  return { history, clock: new FakeClock(NOON + 60_000) }
}

/** The worked example of methodology G2, in tenths. */
const PRICES = [10, 10, 30, 30, 70, 70, 90, 90, 90, 50]
const OUTCOMES = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1]
const worked = PRICES.map((dayBefore, i): Case => ({
  dayBefore,
  atClose: OUTCOMES[i] === 1 ? 90 : 10,
  result: OUTCOMES[i] === 1 ? 'yes' : 'no',
  facts: i < 4 ? { venue: 'venue_b', category: 'sports', title: 'Will oil rise?' } : {},
}))

describe('/api/public/calibration', () => {
  // [calibration.scores.brier] [calibration.scores.buckets] [calibration.scores.groups]
  it('scores prices a day before against outcomes', async () => {
    const answer = await appOver(store(worked)).ask()
    expect(answer).toMatchObject({
      source: 'all',
      period: '30d',
      category: null,
      topic: null,
      minVolumeUsd: 0,
      sample: 10,
      coveragePct: 100,
      brier: 0.146,
      brierAtClose: 0.01,
      hitRate: 0.7778,
      verdict: null,
      horizonHours: 24,
      from: '2026-10-21T14:00:00.000Z',
      to: '2026-11-20T14:00:00.000Z',
      byVenue: [
        { venue: 'venue_a', n: 6, hitRate: 0.8 },
        { venue: 'venue_b', n: 4, hitRate: 0.75 },
      ],
      byCategory: [
        { category: 'weather', n: 6 },
        { category: 'sports', n: 4 },
      ],
    })
    expect(answer.buckets.map(({ n }) => n)).toEqual([0, 2, 0, 2, 0, 1, 0, 2, 0, 3])
    expect(answer.buckets[3]).toEqual({
      from: 30,
      to: 40,
      n: 2,
      predictedMean: 30,
      realizedRate: 50,
      deviation: -20,
      brier: 0.29,
    })
    expect(answer.buckets[0]).toMatchObject({ n: 0, predictedMean: null, brier: null })
  })

  // [calibration.scores.coverage] [calibration.scores.verdict]
  it('counts markets with a price, and scores from thirty on', async () => {
    const many = [...worked, ...worked, ...worked].map((one, i) => ({
      ...one,
      facts: { ...one.facts, ticker: `KXM${i}` },
    }))
    expect(await appOver(store(many)).ask()).toMatchObject({ sample: 30, verdict: 'good' })
    const bare = [...worked, { dayBefore: null }, { dayBefore: null }]
    expect(await appOver(store(bare)).ask()).toMatchObject({ sample: 12, coveragePct: 83.33 })
  })

  // [calibration.sample.final]
  it('leaves out void, scalar and parlay markets, and those listed for under 48 hours', async () => {
    const { ask } = appOver(
      store([
        { dayBefore: 60, atClose: 90 },
        { result: 'void', dayBefore: 1 },
        { result: 'scalar', dayBefore: 1 },
        { dayBefore: 1, facts: { ticker: 'KXMVE-1' } },
        { dayBefore: 1, atClose: 70, listedDays: 1.9 },
      ]),
    )
    // The price at the close does not need a price a day before, so both markets count for it.
    expect(await ask()).toMatchObject({ sample: 1, brier: 0.16, brierAtClose: 0.05 })
  })

  // [calibration.sample.filtered]
  it('filters by source, period, category, topic and volume', async () => {
    const { ask } = appOver(store([...worked, { dayBefore: 50, daysAgo: 60 }]))
    const sampleOf = async (query: string) => (await ask(query)).sample
    expect(await sampleOf('source=VENUE_B')).toBe(4)
    expect(await sampleOf('period=7d')).toBe(10)
    expect(await sampleOf('period=90d')).toBe(11)
    expect(await sampleOf('category=Sports')).toBe(4)
    expect(await sampleOf('category=none')).toBe(0)
    expect(await sampleOf('topic=oil')).toBe(4)
    // 500 contracts at 40 cents on venue_a, 500 dollars on venue_b.
    expect(await sampleOf('min_volume=200')).toBe(10)
    expect(await sampleOf('min_volume=201')).toBe(4)
    expect(await ask('period=all')).toMatchObject({ sample: 11, from: '2026-09-21T14:00:00.000Z' })
  })

  // [calibration.scores.none] [calibration.scores.as-of]
  it('is empty without settled markets, and uses only what was known then', async () => {
    const { ask } = appOver(store(worked))
    const before = await ask('asOf=2026-11-18T13:59:00Z')
    expect(before).toMatchObject({
      sample: 0,
      coveragePct: null,
      brier: null,
      brierAtClose: null,
      hitRate: null,
      verdict: null,
      byVenue: [],
      byCategory: [],
      to: '2026-11-18T13:45:00.000Z',
    })
    expect(before.buckets).toHaveLength(10)
    expect((await ask('asOf=2026-11-18T14:00:00Z')).sample).toBe(10)
  })

  it('excludes sample markets when real ones are served', async () => {
    const cases = [{ dayBefore: 60 }, { dayBefore: 60, facts: { tags: [SAMPLE_TAG] } }]
    expect((await appOver(store(cases)).ask()).sample).toBe(2)
    expect((await appOver(store(cases), true).ask()).sample).toBe(1)
  })

  it.each([
    ['period=1d', 'period must be 7d, 30d, 90d or all'],
    ['source=other', 'source must be venue_a or venue_b'],
    ['min_volume=-1', 'min_volume must be at least 0'],
    ['asOf=2030-01-01T00:00:00Z', 'asOf is in the future'],
  ])('refuses %s', async (query, error) => {
    const response = await appOver(store([])).get(`/api/public/calibration?${query}`)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error, code: 'VALIDATION_ERROR' },
    ])
  })

  // [calibration.routes.access] [calibration.routes.cached]
  it('has a public path, and one with a private cache for callers with credentials', () => {
    const { routes } = appOver(store([])).app
    const wordsOf = (path: string) => routes.find((route) => route.path === path)?.hooks
    expect(wordsOf('/api/public/calibration')).toMatchObject({
      auth: 'none',
      rate: 'calibration',
      cache: 300,
    })
    expect(wordsOf('/api/calibration')).toMatchObject({
      auth: 'required',
      cache: { seconds: 300, scope: 'private' },
    })
  })

  // [calibration.routes.once]
  it('is computed once a quarter hour per query, until the past changes', async () => {
    const deps = store(worked)
    let reads = 0
    const history: CalibrationDeps['history'] = {
      ...deps.history,
      settlements(query) {
        reads += 1
        return deps.history.settlements(query)
      },
    }
    const { ask, reads: service } = appOver({ ...deps, history })
    await Promise.all([ask(), ask(), ask('period=30d')])
    expect(reads).toBe(1)
    await ask('period=7d')
    expect(reads).toBe(2)
    await deps.clock.advance(15 * 60_000)
    await ask()
    expect(reads).toBe(3)
    service.invalidate()
    await ask()
    expect(reads).toBe(4)
  })

  it('waits for the first load', async () => {
    const app = appOver(store([]))
    app.board.ready = false
    expect((await app.get('/api/public/calibration')).status).toBe(503)
  })
})

describe.skipIf(!hasRecordings)(
  `recorded temperatures (${hasRecordings ? 'present' : WITHOUT_RECORDINGS})`,
  () => {
    // [calibration.scores.recorded]
    it('score 0.139 by their last prices, which are not forecasts of a day before', async () => {
      const folder = await openImportFolder()
      try {
        await folder.importFiles([recordingPath('venue_a/kalshi_temp_settled_outcomes.parquet')])
        const { ask } = appOver({ history: folder.history, clock: new FakeClock() })
        const answer = await ask('period=all&category=weather')
        expect(answer['brierAtClose']).toBeCloseTo(0.139, 3)
        // Daily markets are listed for less than 48 hours, so none has a price a day before its
        // end.
        expect(answer).toMatchObject({ sample: 0, brier: null, verdict: null })
      } finally {
        await folder.close()
      }
    })
  },
)
