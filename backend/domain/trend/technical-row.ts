import { clamp, saturate } from '../statistics/statistics.ts'
import {
  dailySlope,
  rangeOf,
  relativeStrength,
  simpleMean,
  TECHNICALS_PARAMS,
} from './technicals.ts'
import type { TechnicalsParams } from './technicals.ts'
import { efficiencyRatio, netChange } from './trend-label.ts'
import { roundTo } from '../units.ts'
import type { Cents } from '../units.ts'

export interface TechnicalRowParams extends TechnicalsParams {
  /** Minimum net change over seven days, cents, for a trend. */
  readonly minNet: number
  readonly breakoutDays: number
  readonly minBreakoutDays: number
  readonly weights: {
    readonly efficiency: number
    readonly momentum: number
    readonly volume: number
  }
  /** Momentum, cents a day, at which its part saturates. */
  readonly fullMomentum: number
}
export const TECHNICAL_ROW_PARAMS: TechnicalRowParams = {
  ...TECHNICALS_PARAMS,
  minNet: 3,
  breakoutDays: 20,
  minBreakoutDays: 8,
  weights: { efficiency: 0.5, momentum: 0.3, volume: 0.2 },
  fullMomentum: 5,
}

/** Closes of one market, oldest first; null before its first mark. */
export interface TechnicalReading {
  readonly price: Cents | null
  /** Marks at t − 24 h × k, the last at t. */
  readonly dailyCloses: readonly (Cents | null)[]
  /** Hourly closes with gaps filled. */
  readonly hourlyCloses: readonly number[]
  /** Volume ratio (A9). */
  readonly vr: number | null
}

export interface TechnicalRow {
  readonly trend: 'up' | 'down' | 'flat'
  /** Cents a day, 4 decimals. */
  readonly momentum: number | null
  readonly breakout: 'up' | 'down' | null
  /** 0 to 1, 4 decimals. */
  readonly strength: number
  readonly summary: string
}

/**
 * Served technicals of a market, methodology A13: trend, momentum and breakout of the daily closes,
 * strength, and a sentence that describes them without advice.
 */
export function technicalRow(
  reading: TechnicalReading,
  params: TechnicalRowParams = TECHNICAL_ROW_PARAMS,
): TechnicalRow {
  const { price, dailyCloses } = reading
  const week = dailyCloses.slice(-params.momentumLength)
  const isWeek = week.length === params.momentumLength
  const net = isWeek ? netChange(week) : null
  const present = week.filter((close) => close !== null)
  const slope = present.length === week.length ? dailySlope(present, params.momentumLength) : null
  const efficiency = isWeek ? efficiencyRatio(week) : null
  const breakout = breakoutOf(price, dailyCloses.slice(0, -1), params)
  const { weights } = params
  const strength =
    weights.efficiency * (efficiency ?? 0) +
    weights.momentum * Math.min(1, Math.abs(slope ?? 0) / params.fullMomentum) +
    weights.volume * saturate(Math.max(reading.vr ?? 0, 0) / 2)
  return {
    trend: net === null || Math.abs(net) < params.minNet ? 'flat' : net > 0 ? 'up' : 'down',
    momentum: slope === null ? null : roundTo(slope, 4),
    breakout,
    strength: roundTo(clamp(strength, 0, 1), 4),
    summary: summaryOf(reading, breakout, params),
  }
}

/** Whether the price is beyond every daily close of the previous days. */
function breakoutOf(
  price: Cents | null,
  earlierCloses: readonly (Cents | null)[],
  params: TechnicalRowParams,
): 'up' | 'down' | null {
  const closes = earlierCloses.slice(-params.breakoutDays).filter((close) => close !== null)
  if (price === null || closes.length < params.minBreakoutDays) return null
  if (closes.every((close) => price > close)) return 'up'
  return closes.every((close) => price < close) ? 'down' : null
}

/** The state of the price in a sentence: "above 20 h mean, RSI 82". */
function summaryOf(
  { price, hourlyCloses }: TechnicalReading,
  breakout: TechnicalRow['breakout'],
  params: TechnicalRowParams,
): string {
  const facts: string[] = []
  const mean = simpleMean(hourlyCloses, params.meanLength)
  if (mean !== null && price !== null) {
    const relation = price > mean ? 'above' : price < mean ? 'below' : 'at'
    facts.push(`${relation} ${params.meanLength} h mean`)
  }
  const rsi = relativeStrength(hourlyCloses, params.rsiLength)
  if (rsi !== null) facts.push(`RSI ${Math.round(rsi)}`)
  if (breakout !== null) {
    facts.push(
      `${breakout === 'up' ? 'above' : 'below'} every close of ${params.breakoutDays} days`,
    )
  }
  const position = rangeOf(hourlyCloses, price)?.position ?? null
  if (position !== null) facts.push(`${Math.round(100 * position)}% of the 30 d range`)
  return facts.length === 0 ? 'not enough history' : facts.join(', ')
}
