import type { ParamsOf } from '../../params.ts'
import { roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { GAUGES, type Gauge, type Gauges } from '../gauges/index-reading.ts'
import { largest } from '../top-rows.ts'
import { regimeSentence } from './regime-sentence.ts'
import { salientId } from './salient-id.ts'
import type { Candidate } from './salient.ts'
import { clockOf, isoOf, numberText, shareText } from '../markdown/text.ts'
import { markMoveSinceBaseline, moveOf, type WorldMarket } from '../world-market.ts'

export const REGIME_SHIFT_PARAMS = {
  /** Minimum change of a gauge for an item. */
  units: { disagreement: 15, geoRisk: 15, breadth: 0.25, activity: 25 },
  drivers: 3,
} as const

export const GAUGE_NAMES: Readonly<Record<Gauge, string>> = {
  disagreement: 'Disagreement',
  geoRisk: 'GeoRisk',
  breadth: 'Breadth',
  activity: 'Activity',
}

/** A gauge as text: breadth as a signed share, the others as whole numbers. */
export const gaugeText = (gauge: Gauge, value: number | null): string =>
  gauge === 'breadth' ? shareText(value) : numberText(value, 0)

export interface RegimeShiftInput {
  readonly from: Gauges
  readonly to: Gauges
  readonly since: Millis
  readonly path: readonly string[]
  /** Markets of the region; the three with the largest move since the baseline are the drivers. */
  readonly markets: readonly WorldMarket[]
}

/**
 * Salient item of a region whose gauges or regime sentence changed since the baseline. Its cause is the
 * gauge with the largest change in units of its threshold; when none reached its threshold, the largest
 * change without which the sentence would not have changed. Null when no measured change is the cause.
 * Methodology C1.
 */
export function regimeShift(
  { from, to, since, path, markets }: RegimeShiftInput,
  params: ParamsOf<typeof REGIME_SHIFT_PARAMS> = REGIME_SHIFT_PARAMS,
): Candidate | null {
  const movedGauges = GAUGES.flatMap((gauge) => {
    const [before, after] = [from[gauge], to[gauge]]
    const change = moveOf(after, before)
    if (before === null || after === null || change === null) return []
    return [{ gauge, before, after, change, size: Math.abs(change) / params.units[gauge] }]
  })
  const [fromLabel, toLabel] = [regimeSentence(from), regimeSentence(to)]
  const sentenceWithout = (undone: typeof movedGauges): string =>
    regimeSentence({
      ...to,
      ...Object.fromEntries(undone.map(({ gauge, before }) => [gauge, before])),
    })
  const largeMove = largestMove(movedGauges.filter(({ size }) => size >= 1))
  const decisiveMove = largestMove(
    movedGauges.filter((move) => sentenceWithout([move]) !== toLabel),
  )
  // A gauge without a baseline has no measurable change, so it cannot be the cause of a new sentence.
  const isCaused = fromLabel !== toLabel && sentenceWithout(movedGauges) !== toLabel
  const cause = largeMove ?? (isCaused ? (decisiveMove ?? largestMove(movedGauges)) : null)
  if (cause === null) return null
  const x = Math.max(cause.size, 1)
  const { gauge, before, after, change } = cause
  const span = `${GAUGE_NAMES[gauge]} ${gaugeText(gauge, before)} → ${gaugeText(gauge, after)}`
  return {
    id: salientId('regime_shift', gauge, path.join('/')),
    type: 'regime_shift',
    label: `${span} since ${clockOf(since)} UTC`,
    body: {
      gauge,
      from: before,
      to: after,
      change: roundTo(change, 2),
      fromLabel,
      toLabel,
      since: isoOf(since),
      drivers: driversOf(markets, params.drivers),
    },
    x,
    confidence: 1,
    weight: 1,
    legs: [],
  }
}

const largestMove = <Move extends { readonly size: number }>(moves: readonly Move[]): Move | null =>
  moves.reduce<Move | null>(
    (best, move) => (best === null || move.size > best.size ? move : best),
    null,
  )

const driversOf = (markets: readonly WorldMarket[], count: number) =>
  largest(
    markets,
    count,
    (market) => {
      const move = markMoveSinceBaseline(market)
      return move === null || move === 0 ? null : Math.abs(move)
    },
    (market) => market.ticker,
  ).map((market) => ({
    ticker: market.ticker,
    title: market.title,
    delta: roundTo(markMoveSinceBaseline(market) ?? 0, 2),
  }))
