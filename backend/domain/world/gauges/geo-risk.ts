import type { ParamsOf } from '../../params.ts'
import { clamp, meanOf, medianOf } from '../../statistics/statistics.ts'
import { roundTo } from '../../units.ts'
import type { Cents } from '../../units.ts'
import type { BasketMember, Theatre } from './geo-basket.ts'
import { moveOf } from '../world-market.ts'

export const GEO_RISK_PARAMS = {
  /** Mean risk-signed change of a theatre at which its part saturates, cents in 24 hours. */
  fullDelta: 10,
  /** Movement at which its part saturates, cents per root hour. */
  fullVol: 4,
  /** Level above its base at which its part saturates, cents. */
  fullLevel: 20,
  weights: { delta: 0.5, vol: 0.3, level: 0.2 },
  minMembers: 2,
  /** Minimum change of one member, cents in 24 hours, for an active theatre. */
  minMove: 1,
  minBaseDays: 7,
  hours: 24,
} as const

/** A basket member at one instant; null for a mark that is not fresh. */
export interface MemberReading extends Pick<BasketMember, 'theatre' | 'sign'> {
  readonly mark: Cents | null
  readonly markDayAgo: Cents | null
  /** Sum of squared mark changes in 24 hours; null without history. */
  readonly squaredMoves24h: number | null
}

/** One active theatre; cents, `vol` in cents per root hour. */
export interface TheatreReading {
  readonly theatre: Theatre
  /** Mean change towards worse outcomes in 24 hours. */
  readonly d: number
  readonly vol: number
  /** Mean risk probability. */
  readonly level: number
  /** Usual value of the level. */
  readonly base: number
}

/** All parts 0 to 100; `value` whole, the others 1 decimal. */
export interface GeoRisk {
  readonly value: number
  readonly delta: number
  readonly vol: number
  readonly level: number
  readonly active: number
}

const riskOf = (member: MemberReading): number | null =>
  member.mark === null ? null : member.sign === 1 ? member.mark : 100 - member.mark

/** Mean risk probability of a theatre's members, cents; the source of `levels` on later days. */
export const theatreLevel = (members: readonly MemberReading[]): number | null =>
  meanOf(members.map(riskOf).filter((risk) => risk !== null))

/**
 * The active theatres: at least two fresh members, one of which moved by a cent in 24 hours.
 * @param levels known daily levels of the last 30 days by theatre
 */
export function activeTheatres(
  members: readonly MemberReading[],
  levels: ReadonlyMap<Theatre, readonly number[]>,
  params: ParamsOf<typeof GEO_RISK_PARAMS> = GEO_RISK_PARAMS,
): TheatreReading[] {
  const byTheatre = Map.groupBy(members, (member) => member.theatre)
  const readings: TheatreReading[] = []
  for (const [theatre, all] of byTheatre) {
    const markedMembers = all.filter((member) => member.mark !== null)
    const level = theatreLevel(markedMembers)
    if (markedMembers.length < params.minMembers || level === null) continue
    const moves = markedMembers.map((member) => moveOf(member.mark, member.markDayAgo))
    if (!moves.some((move) => move !== null && Math.abs(move) >= params.minMove)) continue
    const signedMoves = markedMembers.flatMap(({ sign }, i) => {
      const move = moves[i] ?? null
      return move === null ? [] : [sign * move]
    })
    const vols = markedMembers.flatMap(({ squaredMoves24h: squares }) =>
      squares === null ? [] : [Math.sqrt(squares / params.hours)],
    )
    const days = levels.get(theatre) ?? []
    const base = days.length >= params.minBaseDays ? (medianOf(days) ?? level) : level
    readings.push({ theatre, d: meanOf(signedMoves) ?? 0, vol: meanOf(vols) ?? 0, level, base })
  }
  return readings
}

/**
 * Gauge B2: how far risk contracts reprice towards worse outcomes, with equal weight per active
 * theatre; 0 when none is active. (6, 1.2, 30, 22), (−3, .4, 12, 12), (1, .8, 40, 41) give 20.
 */
export function geoRiskOf(
  theatres: readonly Pick<TheatreReading, 'd' | 'vol' | 'level' | 'base'>[],
  params: ParamsOf<typeof GEO_RISK_PARAMS> = GEO_RISK_PARAMS,
): GeoRisk {
  const share = (valueOf: (theatre: (typeof theatres)[number]) => number): number =>
    100 * (meanOf(theatres.map((theatre) => clamp(valueOf(theatre), 0, 1))) ?? 0)
  const delta = share(({ d }) => d / params.fullDelta)
  const vol = share(({ vol: volatility }) => volatility / params.fullVol)
  const level = share((theatre) => (theatre.level - theatre.base) / params.fullLevel)
  const { weights } = params
  return {
    value: roundTo(weights.delta * delta + weights.vol * vol + weights.level * level, 0),
    delta: roundTo(delta, 1),
    vol: roundTo(vol, 1),
    level: roundTo(level, 1),
    active: theatres.length,
  }
}
