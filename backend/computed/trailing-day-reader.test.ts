import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc, { scaled } from '../../scripts/properties.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MarketStatus } from '../domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { openTape } from '../history/duckdb/point-in-time/tape.ts'
import type { OpenHistory } from '../history/duckdb/open.ts'
import type { HistoryTape } from '../history/tape.ts'
import { silentLogger } from '../lib/logger.ts'
import { activityColumns, quoteColumns, tradeColumns } from '../testing/history-rows.ts'
import { marketFacts } from '../testing/market-facts.ts'
import { TrailingDayReader } from './trailing-day-reader.ts'
import { ReferencePrices } from './board/reference-prices.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const SPAN = 8 * HOUR
const MARKETS = [0, 1, 2, 3]
/** The last of them is described late and corrected; the one before is listed, ends and opens again. */
const LATE = 3

/** Rows on few instants, so that some share theirs. */
const at = fc.integer({ min: 0, max: 60 }).map((place) => START + (place * SPAN) / 60)
const row = fc.record({
  market: fc.constantFrom(...MARKETS),
  ts: at,
  lag: fc.constantFrom(0, 0, 200, 7 * MINUTE, 2 * HOUR),
  price: fc.integer({ min: 2, max: 97 }).map((cents) => cents * 100),
  id: fc.integer({ min: 0, max: 99 }),
})
const status = fc.record({
  market: fc.constantFrom(...MARKETS),
  knownAt: at,
  status: fc.constantFrom<MarketStatus>('active', 'paused', 'closed', 'settled', 'active'),
})
const past = fc.record({
  quotes: fc.array(row, { minLength: 40, maxLength: 80 }),
  trades: fc.array(row, { minLength: 40, maxLength: 80 }),
  activity: fc.array(row, { maxLength: 20 }),
  facts: fc.array(status, { maxLength: 8 }),
  corrected: fc.boolean(),
  /** Distance from the previous request; negative for an earlier instant in between. */
  requested: fc.array(
    fc.tuple(fc.integer({ min: 0, max: SPAN / 15 }), fc.constantFrom(1, 1, 1, 1, -1)),
    {
      minLength: 20,
      maxLength: 30,
    },
  ),
})
type Past = typeof past extends fc.Arbitrary<infer T> ? T : never

async function store(path: string, past: Past): Promise<void> {
  const history = await openHistory({ path, logger: silentLogger })
  await history.marketIds(MARKETS.map((n) => ({ venue: 'venue_a', ticker: `KX-${n}` })))
  const byArrival = [...past.facts].sort((a, b) => a.knownAt - b.knownAt)
  const first = MARKETS.filter((market) => market !== LATE)
  await history.append({
    facts: [
      ...first.map((market) => ({ market, knownAt: START - DAY, status: 'active' as const })),
      ...byArrival,
    ].map((one) => ({
      market: one.market,
      knownAt: one.knownAt as Millis,
      facts: marketFacts({ ticker: `KX-${one.market}`, status: one.status }),
    })),
    quotes: quoteColumns(
      past.quotes.map(({ price, ...one }) => ({ ...one, bid: price, ask: price + 300 })),
    ),
    trades: tradeColumns(
      past.trades.map(({ id, ...one }, n) => ({
        ...one,
        tradeId: `${id}-${n}`,
        isBlock: id % 9 === 0,
      })),
    ),
    activity: activityColumns(
      past.activity.map(({ price, ...one }) => ({
        ...one,
        volume: price,
        volume24h: null,
        openInterest: null,
        lastPrice: price,
      })),
    ),
  })
  const [trade] = past.trades.flatMap(({ market, id, ts, lag }, n) =>
    market === LATE ? [{ market, tradeId: `${id}-${n}`, ts, known: ts + lag }] : [],
  )
  if (past.corrected && trade !== undefined) {
    const figures = {
      price: 5_500 as PriceE4,
      size: 1e6 as SizeE6,
      takerSide: null,
      isBlock: false,
    }
    const { market, tradeId, ts, known } = trade
    const corrected = { ts: ts as Millis, ...figures }
    await history.append({
      corrections: [{ market, tradeId, knownAt: (known + HOUR) as Millis, corrected }],
    })
  }
  await history.sortClosedHours((START + SPAN / 2) as Millis)
  await history.close()
}

describe('the day before, followed along the tape', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-followed-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let n = 0
  const during = async (
    past: Past,
    work: (history: OpenHistory, tape: HistoryTape) => Promise<void>,
  ): Promise<void> => {
    const [kept, read] = ['kept', 'read'].map((name) => join(folder, `${name}-${(n += 1)}.duckdb`))
    if (kept === undefined || read === undefined) throw new Error('unreachable')
    await store(kept, past)
    copyFileSync(kept, read)
    const tape = await openTape(kept, 256)
    const history = await openHistory({ path: read, logger: silentLogger })
    try {
      await work(history, tape)
    } finally {
      await history.close()
      tape.close()
      for (const path of [kept, read]) rmSync(path, { force: true })
    }
  }

  // [conventions.as-of.never-changes]
  it('equals history at each instant, for any order of arrival', async () => {
    let followedOnes = 0
    await fc.assert(
      fc.asyncProperty(past, (past) =>
        during(past, async (history, tape) => {
          const followed = new TrailingDayReader({ tape, history })
          const counted: Pick<TrailingDayReader, 'at' | 'invalidate'> = {
            async at(instant) {
              const currentState = await followed.at(instant)
              if (currentState !== null) followedOnes += 1
              return currentState
            },
            invalidate: () => followed.invalidate(),
          }
          const along = new ReferencePrices(history, counted)
          let latest = START
          for (const [span, sign] of past.requested) {
            const instant = latest + span * sign
            latest = Math.max(latest, instant)
            const asOf = (instant + DAY + 30_000) as Millis
            const plain = new ReferencePrices(history)
            expect([...(await along.dayBefore(asOf))]).toEqual([...(await plain.dayBefore(asOf))])
          }
          await followed.close()
        }),
      ),
      { numRuns: scaled(2), endOnFailure: true },
    )
    expect(followedOnes).toBeGreaterThan(30)
  })

  it('uses history before the last requested instant, and once there are rows that the tape lacks', async () => {
    const nothing = {
      quotes: [],
      trades: [],
      activity: [],
      facts: [],
      corrected: false,
      requested: [],
    }
    const quote = { market: 0, ts: START, lag: 0, price: 4_000, id: 1 }
    await during({ ...nothing, quotes: [quote] }, async (history, tape) => {
      const followed = new TrailingDayReader({ tape, history })
      const instant = (START + MINUTE) as Millis
      expect((await followed.at(instant))?.numbers.get(0)?.quote?.bid).toBe(4_000)
      expect(await followed.at(START as Millis)).toBeNull()
      expect(await followed.at(instant)).not.toBeNull()
      await followed.close()
      expect(await followed.at(instant)).toBeNull()
    })
  })
})
