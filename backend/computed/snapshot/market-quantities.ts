import {
  adverseSelection,
  adverseSelectionPrior,
  type PrintCost,
} from '../../domain/regime/adverse-selection.ts'
import { changeRates, QUARTER_HOUR } from '../../domain/changes/change-rows.ts'
import { GAP_WINDOWS } from '../../domain/links/gaps.ts'
import { eventTypeOf, observabilityOf } from '../../domain/topics/event-type.ts'
import { volatilityPerRootHour } from '../../domain/prices/mark-volatility.ts'
import { comparableMark } from '../../domain/prices/comparable-mark.ts'
import { regimeOf } from '../../domain/regime/regime.ts'
import type { RegimeSide } from '../../domain/regime/label.ts'
import { medianOf, sampleSd, sumOf } from '../../domain/statistics/statistics.ts'
import { trendLabel } from '../../domain/trend/trend-label.ts'
import { themeOf } from '../../domain/topics/topics.ts'
import { HOUR, roundTo, type Cents, type Millis } from '../../domain/units.ts'
import {
  daysToEvent,
  VOLUME_RATIO_PARAMS,
  volumeRatio,
  volumeSurprise,
  type DailyVolumes,
} from '../../domain/liquidity/volume-ratio.ts'
import { tradedMoves } from '../../domain/world/gauges/gauges.ts'
import type { MarketView } from '../board/market-board.ts'
import { comparableMarkThen, markBasisOf, type PriceThen } from '../board/reference-prices.ts'
import { firstSeenOf } from '../board/market-view.ts'
import type { MarketQuantities } from './context-snapshot.ts'
import { centsAt, newestOf, type SlotPrices } from './slot-prices.ts'

/** Days of daily marks: the lookback of levels and risk bases. */
export const DAYS_BACK = 31
/** Lookback of responses and lead times, hours. */
export const RESPONSE_HOURS = 14 * 24
/** Hours of hourly marks: two weeks before the last midnight. */
export const HOURS_BACK = RESPONSE_HOURS + 24
/** Quarter hours of headline prices: the lookback of change rates is two days. */
export const QUARTERS_BACK = 48 * 4
const QUARTERS_A_DAY = 24 * 4

const WEEK_HOURS = 7 * 24
const NO_EDGE = { ee: null, direction: null } as const

/** Series of one market that end at the snapshot instant; undefined when nothing is known. */
export interface MarketSeries {
  /** Days: `DAYS_BACK` slots. */
  readonly days: SlotPrices | undefined
  /** The last hour by minutes: 60 slots. */
  readonly minutes: SlotPrices | undefined
  /** Marks on whole hours, `HOURS_BACK` + 1 of them, the newest at or before the instant. */
  readonly hourMarks: Float64Array | undefined
  /** Headline and traded prices on quarter hours, `QUARTERS_BACK` + 1 of each. */
  readonly quarters: Pick<SlotPrices, 'prices' | 'lasts'> | undefined
  readonly sixHoursAgo: PriceThen | undefined
  readonly costs: readonly PrintCost[]
  /** The previous label of the regime. */
  readonly label: RegimeSide | null
  readonly overround: Cents | null
}

/** Every quantity of one market at a snapshot instant; pure. */
export function marketQuantitiesOf(
  view: MarketView,
  series: MarketSeries,
  at: Millis,
): MarketQuantities {
  const { facts, tau } = view
  const { days, minutes, hourMarks, quarters } = series
  // Hourly books of a fetched past would alternate with older trades.
  const prices = quarters === undefined ? undefined : newestOf(quarters)
  const changes = prices === undefined ? null : changeRowsIn(prices, at)
  const tradedPriceColumn = quarters?.lasts.subarray(-(QUARTERS_A_DAY + 1))
  const isLive = view.status === 'active' && tau !== null
  const expectedTime = facts.expirationTime
  const isEarlier =
    expectedTime !== null && (facts.closeTime === null || expectedTime < facts.closeTime)
  const daysUntilEvent = daysToEvent([], isEarlier ? expectedTime : null, at)
  const eventType = eventTypeOf(facts)
  const observability = observabilityOf(facts, eventType, {
    tau,
    daysToEvent: daysUntilEvent,
    inPlay: false,
  })
  const adverse = adverseSelection(series.costs, adverseSelectionPrior(eventType, observability))
  const dailyMarks = [7, 6, 5, 4, 3, 2, 1].map((day) => centsAt(days?.marks, DAYS_BACK - day))
  const marks = [...dailyMarks, view.mark]
  const mark1hAgo = comparableMarkAt(minutes, 0, view)
  const spread = view.hasOrderbook ? view.spread : null
  const medianSpread7d = medianSpreadOf(days)
  const knownMarks = marks.filter((mark) => mark !== null)
  return {
    view,
    theme: themeOf(facts),
    eventType,
    observability,
    adverse,
    regime: regimeOf(
      {
        isLive,
        adverse,
        spread,
        bidDepthUsd: view.bidDepthUsd,
        askDepthUsd: view.askDepthUsd,
        volume24h: view.volume24h,
        observability,
        eventType,
        edge: NO_EDGE,
      },
      series.label,
      at,
    ),
    trendLabel: trendLabel({
      isLive,
      hoursSinceFirstSeen: (at - firstSeenOf(view)) / HOUR,
      trades7d: days === undefined ? null : sumOf([...days.trades.slice(-7)]),
      twoSided: view.hasOrderbook,
      mark1hAgo,
      dailyMarks: marks,
      spread,
      medianSpread7d,
    }),
    rates:
      isLive && changes !== null
        ? changeRates(changes.rows, at, changes.firstAt)
        : { iar: null, rv: null },
    changes24h:
      tradedPriceColumn === undefined ? 0 : changeRowsIn(tradedPriceColumn, at).rows.length,
    traded: {
      now: centsAt(tradedPriceColumn, QUARTERS_A_DAY),
      dayAgo: centsAt(tradedPriceColumn, 0),
    },
    surprise: volumeSurprise(
      isLive ? volumeRatio(volumesOf(view, days)) : null,
      isLive ? daysUntilEvent : null,
    ),
    daysToEvent: daysUntilEvent,
    overround: isLive ? series.overround : null,
    volatility: volatilityOf(hourMarks, at),
    volatilityBefore: {
      '1h': volatilityOf(hourMarks, at, GAP_WINDOWS['1h']),
      '6h': volatilityOf(hourMarks, at, GAP_WINDOWS['6h']),
      '24h': volatilityOf(hourMarks, at, GAP_WINDOWS['24h']),
      '3d': volatilityOf(hourMarks, at, GAP_WINDOWS['3d']),
    },
    dailyMarks: marks,
    marksAgo: {
      '1h': mark1hAgo,
      '6h': comparableMarkThen(view, series.sixHoursAgo),
      '24h': comparableMarkAt(days, DAYS_BACK - 1, view),
      '3d': comparableMarkAt(days, DAYS_BACK - 3, view),
    },
    quotedAgo: {
      '1h': isQuotedAt(minutes, 0),
      '6h': series.sixHoursAgo?.isQuoted === true,
      '24h': isQuotedAt(days, DAYS_BACK - 1),
      '3d': isQuotedAt(days, DAYS_BACK - 3),
    },
    priceDayAgo: centsAt(days?.prices, DAYS_BACK - 1),
    volumeDayAgoUsd: volumesOf(view, days).baseline[0] ?? null,
    medianSpread7d,
    markSd7d: knownMarks.length < marks.length ? null : sampleSd(knownMarks),
    tradedMoves: tradedPriceColumn === undefined ? null : tradedMoves(tradedPriceColumn, 24),
    idleHours: idleHoursOf(minutes, prices),
  }
}

const isQuotedAt = (slots: SlotPrices | undefined, index: number): boolean =>
  !Number.isNaN(slots?.spreads[index] ?? NaN)

/** The mark at an instant of the series that the current mark compares with. */
function comparableMarkAt(
  slots: SlotPrices | undefined,
  index: number,
  view: MarketView,
): Cents | null {
  const isQuoted = isQuotedAt(slots, index)
  const then = { mark: centsAt(slots?.marks, index), last: centsAt(slots?.lasts, index), isQuoted }
  return comparableMark(markBasisOf(view), then)
}

function medianSpreadOf(days: SlotPrices | undefined): Cents | null {
  if (days === undefined) return null
  const knownSpreads = [...days.spreads.slice(-7)].filter((spread) => !Number.isNaN(spread))
  return medianOf(knownSpreads) as Cents | null
}

interface PriceChange {
  readonly at: Millis
  readonly price: Cents
  readonly delta: number
}

/** Change rows from prices on quarter hours (A8). */
function changeRowsIn(
  prices: Float64Array,
  at: Millis,
): { readonly rows: readonly PriceChange[]; readonly firstAt: Millis } {
  const rows: PriceChange[] = []
  let previousMark = NaN
  let firstAt = Infinity
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] ?? NaN
    if (Number.isNaN(price)) continue
    const time = (at - (prices.length - 1 - i) * QUARTER_HOUR) as Millis
    if (Number.isNaN(previousMark)) [previousMark, firstAt] = [price, time]
    const delta = roundTo(price - previousMark, 4)
    if (Math.abs(delta) < 1) continue
    rows.push({ at: time, price: price as Cents, delta })
    previousMark = price
  }
  return { rows, firstAt: firstAt as Millis }
}

/** Dollars of the last 24 hours and of the earlier days on which the market was open throughout. */
function volumesOf(view: MarketView, days: SlotPrices | undefined): DailyVolumes {
  // Dollars are unknown when only quotes are recorded.
  const isUnknown = days === undefined || (sumOf([...days.usd]) === 0 && view.volume24hUsd !== 0)
  if (isUnknown) return { current: null, baseline: [] }
  const { baselineDays } = VOLUME_RATIO_PARAMS
  const firstKnownDay = days.prices.findIndex((price) => !Number.isNaN(price))
  const baseline: (number | null)[] = []
  for (let day = 1; day <= baselineDays; day++) {
    const slot = DAYS_BACK - 1 - day
    baseline.push(slot < firstKnownDay || firstKnownDay < 0 ? null : (days.usd[slot] ?? null))
  }
  return { current: days.usd[DAYS_BACK - 1] ?? null, baseline }
}

/** @param hoursBefore hours by which the week ends before the instant */
function volatilityOf(marks: Float64Array | undefined, at: Millis, hoursBefore = 0): number | null {
  if (marks === undefined) return null
  const lastHour = (Math.floor(at / HOUR) - hoursBefore) * HOUR
  const end = marks.length - hoursBefore
  const weekMarks = marks.subarray(end - (WEEK_HOURS + 1), end)
  const ts = new Float64Array(weekMarks.length)
  for (let i = 0; i < ts.length; i++) ts[i] = lastHour - (ts.length - 1 - i) * HOUR
  const from = (lastHour - WEEK_HOURS * HOUR) as Millis
  return volatilityPerRootHour({ ts, marks: weekMarks }, from, lastHour as Millis)
}

/**
 * Hours since the price last moved or a trade printed, in whole quarter hours; capped by the kept
 * series.
 */
function idleHoursOf(
  minutes: SlotPrices | undefined,
  quarters: Float64Array | undefined,
): number | null {
  if (minutes?.trades.some((count) => count > 0) === true) return 0
  if (quarters === undefined) return null
  const newest = quarters.at(-1) ?? NaN
  if (Number.isNaN(newest)) return null
  let index = quarters.length - 1
  while (index > 0 && quarters[index - 1] === newest) index--
  return ((quarters.length - 1 - index) * QUARTER_HOUR) / HOUR
}
