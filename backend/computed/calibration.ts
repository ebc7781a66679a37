import {
  CALIBRATION_SAMPLE_PARAMS,
  isInSample,
  settleTrigger,
  type CalibrationFilter,
  type SettledMarket,
} from '../domain/calibration/sample.ts'
import {
  brierAtClose,
  calibrationCase,
  scorecard,
  type CalibrationCase,
  type Scorecard,
} from '../domain/calibration/scorecard.ts'
import { isParlay, isSample } from '../domain/market.ts'
import type { MarkSeries } from '../domain/prices/mark-series.ts'
import { headlinePrice, markOf, usableBook } from '../domain/prices/price.ts'
import { categoryOf, listTopicsOf, topicsOf } from '../domain/topics/topics.ts'
import { centsOf, type Millis } from '../domain/units.ts'
import type { MarketPrices, Settlement, Settlements } from '../history/settlements.ts'
import type { HistoryColumns } from '../history/context-store.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import { forEachInSteps, runCooperatively } from '../lib/process/run-cooperatively.ts'
import { lifetimeDollars } from './board/lifetime-dollars.ts'

/** Inputs of calibration. */
export type CalibrationHistory = Settlements &
  Pick<HistoryStore, 'keyOf' | 'numbersAt'> &
  Pick<HistoryColumns, 'slots'>

/** A scorecard, and when the first settlement of its sample became known; null without any. */
export interface CalibrationReading extends Scorecard {
  readonly firstAt: Millis | null
}

/** Markets processed before yielding. */
const BATCH_SIZE = 500
const { lead, maxMarkAge } = CALIBRATION_SAMPLE_PARAMS
/** Parameters for the price at the close: any lifetime qualifies. */
const SHORT_LIVED = { ...CALIBRATION_SAMPLE_PARAMS, minHorizon: 0 as Millis }

interface Member extends SettledMarket {
  readonly market: MarketId
}

/**
 * Scores the prices of settled markets a day before their decision, from what was known at
 * `filter.to` (methodology G1, G2). The Brier score at the close is for comparison and needs no
 * earlier price, so it includes markets of any lifetime.
 * @param hidesSamples leaves out markets that the demo created
 */
export async function readCalibration(
  history: CalibrationHistory,
  filter: CalibrationFilter,
  hidesSamples: boolean,
  monotonic: () => number,
): Promise<CalibrationReading> {
  const { from, to, venue = null, minVolumeUsd = 0 } = filter
  const settlements = await history.settlements({ from, to, venue })
  let members: Member[] = []
  const addSettlement = (settlement: Settlement): void => {
    if (hidesSamples && isSample(settlement.listing)) return
    const member = memberOf(settlement, history, filter)
    if (isInSample(member, { ...filter, minVolumeUsd: 0 }, SHORT_LIVED)) members.push(member)
  }
  await runCooperatively(forEachInSteps(settlements, BATCH_SIZE, addSettlement), monotonic)
  if (minVolumeUsd > 0) {
    const dollars = await lifetimeDollars(history, members, to)
    members = members
      .map((member) => ({ ...member, volumeUsd: dollars.get(member.market) ?? null }))
      .filter((member) => isInSample(member, filter, SHORT_LIVED))
  }
  const series = await marksOf(history, members, to)
  const cases: CalibrationCase<Member>[] = []
  const score = (member: Member): void => {
    const scoredCase = calibrationCase(member, series.get(member.market) ?? NO_MARKS)
    if (scoredCase !== null) cases.push(scoredCase)
  }
  await runCooperatively(forEachInSteps(members, BATCH_SIZE, score), monotonic)
  const sample = cases.filter(({ market }) => isInSample(market, filter))
  const knownAt = sample.map(({ market }) => market.settledKnownAt ?? to)
  return {
    ...scorecard(sample, null),
    brierAtClose: brierAtClose(cases),
    firstAt: knownAt.toSorted((a, b) => a - b)[0] ?? null,
  }
}

function memberOf(
  { market, listing, result, closeTime, settledKnownAt, resultKnownAt }: Settlement,
  history: Pick<HistoryStore, 'keyOf'>,
  { topic }: CalibrationFilter,
): Member {
  const { ticker, venue } = history.keyOf(market)
  const { openTime, firstSeenAt } = listing
  return {
    market,
    ticker,
    venue,
    eventId: listing.eventId,
    category: categoryOf(listing.category),
    // Topics are matched against texts, so they are computed only when requested.
    topics:
      topic === undefined || topic === null ? [] : [...topicsOf(listing), ...listTopicsOf(listing)],
    result,
    settledKnownAt,
    closeTime,
    volumeUsd: null,
    isParlay: isParlay(ticker),
    listedAt: openTime !== null && openTime < firstSeenAt ? openTime : firstSeenAt,
    closeTimeAtListing: listing.closeTime,
    determinedAt: resultKnownAt,
  }
}

const NO_MARKS: MarkSeries = { ts: new Float64Array(0), marks: new Float64Array(0) }

/** The marks a day before the decision and at it, read in one pass. */
async function marksOf(
  history: Settlements,
  members: readonly Member[],
  asOf: Millis,
): Promise<ReadonlyMap<MarketId, MarkSeries>> {
  const datedMembers = members.flatMap((member) => {
    const trigger = settleTrigger(member)
    return trigger === null ? [] : [{ market: member.market, trigger }]
  })
  const markets = datedMembers.map(({ market }) => market)
  const daysBefore = datedMembers.map(({ trigger }) => (trigger - lead) as Millis)
  const prices = await history.pricesAt({
    markets: [...markets, ...markets],
    instants: [...daysBefore, ...datedMembers.map(({ trigger }) => trigger)],
    // The forecast uses what was known a day before; the mark at the close uses everything known at
    // `asOf`.
    knownBy: [...daysBefore, ...datedMembers.map(() => asOf)],
    reach: maxMarkAge,
    asOf,
  })
  return new Map(
    datedMembers.map(({ market }, i) => {
      const points = [prices[i], prices[datedMembers.length + i]].flatMap((newest) => {
        const point = newest === undefined ? null : markWhenNewest(newest)
        return point === null ? [] : [point]
      })
      const series = {
        ts: Float64Array.from(points, ({ ts }) => ts),
        marks: Float64Array.from(points, ({ mark }) => mark ?? NaN),
      }
      return [market, series]
    }),
  )
}

/** The mark at the time of the newest row, from which on it is valid. */
function markWhenNewest({ last, quote }: MarketPrices) {
  const ts = Math.max(last?.ts ?? -Infinity, quote?.ts ?? -Infinity)
  if (ts === -Infinity) return null
  const [bid, ask] = [quote?.bid ?? null, quote?.ask ?? null]
  const book = usableBook({
    bid: bid === null ? null : centsOf(bid),
    ask: ask === null ? null : centsOf(ask),
    ageMs: quote === null ? null : ts - quote.ts,
    paused: false,
  })
  const tradePrice = last === null ? null : centsOf(last.price)
  const { price } = headlinePrice({ last: tradePrice, ...book })
  return { ts, mark: markOf({ price, ...book }) }
}
