import { DAY, HOUR } from '../../domain/units.ts'
import { keyOf, mix, normal, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { normalCdf, randomWalk } from '../walk.ts'
import { NEWS_SPAN } from './figures.ts'
import type { Change } from './figures.ts'

/**
 * The hidden state of an event, read as the probability of one of its outcomes: exactly 0 or 1 once
 * the outcome is certain. All outcomes of an event are computed from the same state at the same
 * instant.
 */
export type EventState = (outcome: number, at: number) => number

/** Caches the value of the last instant, because the outcomes of an event are read together. */
export function lastInstant<T>(compute: (at: number) => T): (at: number) => T {
  let cachedAt = Number.NaN
  let value: T
  return (at) => {
    if (at !== cachedAt) value = compute(at)
    cachedAt = at
    return value
  }
}

/** Days left, never exactly 0, so that prices still move in the last minutes. */
const daysLeft = (at: number, end: number): number => Math.max((end - at) / DAY, 1e-5)

/** Probability that the figure ends at or above each of the levels of change. */
export function thresholdState(change: Change, levels: readonly number[], end: number): EventState {
  const changeAt = lastInstant(change)
  return (outcome, at) => {
    const level = levels[outcome] ?? Infinity
    if (at >= end) return changeAt(end) >= level ? 1 : 0
    return normalCdf((changeAt(at) - level) / Math.sqrt(daysLeft(at, end)))
  }
}

/**
 * Probability that the figure ends in each of the ranges between ascending bounds, open at both
 * ends.
 */
export function rangeState(change: Change, bounds: readonly number[], end: number): EventState {
  const atLeast = thresholdState(change, bounds, end)
  return (outcome, at) =>
    (outcome === 0 ? 1 : atLeast(outcome - 1, at)) -
    (outcome === bounds.length ? 0 : atLeast(outcome, at))
}

/**
 * Probabilities of contenders of whom exactly one wins: a softmax that sharpens towards the end.
 * @param unrest how much opinions move, 1 for a usual contest
 */
export function fieldState(
  key: Key,
  count: number,
  open: number,
  end: number,
  unrest: number,
): EventState {
  const life = Math.max(1, (end - open) / DAY)
  const amplitude = (1.3 * unrest) / Math.sqrt(Math.min(life, 60))
  const keys = Array.from({ length: count }, (_, i) => keyOf(key, `contender ${i}`))
  const walks = keys.map((marketKey) => randomWalk(marketKey, 13))
  const start = keys.map(
    (marketKey, i) =>
      0.9 - 0.3 * i + 0.8 * normal(marketKey, 1) - amplitude * (walks[i]?.(open) ?? 0),
  )
  const scores = (at: number): number[] =>
    walks.map((walkOf, i) => (start[i] ?? 0) + amplitude * walkOf(at))
  const winner = lastInstant(() => {
    const last = scores(end)
    return last.indexOf(Math.max(...last))
  })
  const probabilities = lastInstant((at: number): number[] => {
    const sharpness = 1 / (0.1 + 0.9 * Math.sqrt(Math.min(1, (end - at) / (life * DAY))))
    const weights = scores(at).map((score) => Math.exp(score * sharpness))
    const sum = weights.reduce((a, b) => a + b, 0)
    return weights.map((weight) => weight / sum)
  })
  return (outcome, at) => {
    if (at < end) return probabilities(at)[outcome] ?? 0
    return winner(end) === outcome ? 1 : 0
  }
}

/** How strongly the hazard of an event follows its theme. */
const hazardFactor = (change: number): number => Math.exp(0.22 * Math.max(-6, Math.min(8, change)))

/**
 * The instant after `open` at which something happens: its daily hazard follows the theme. Infinity
 * from `until` on.
 */
export function arrivalOf(
  key: Key,
  change: Change,
  hazardPerDay: number,
  open: number,
  until: number,
): number {
  let left = -Math.log(unit(key, 11))
  for (let at = open; at < until; at += DAY) {
    const dailyHazard = hazardPerDay * hazardFactor(change(at))
    if (left <= dailyHazard) return at + (left / dailyHazard) * DAY
    left -= dailyHazard
  }
  return Infinity
}

/** Probability that the event of `arrival` happens before each of the deadlines. */
export function deadlineState(
  change: Change,
  hazardPerDay: number,
  arrival: number,
  deadlines: readonly number[],
): EventState {
  const hazard = lastInstant((at: number) => hazardPerDay * hazardFactor(change(at)))
  return (outcome, at) => {
    const deadline = deadlines[outcome] ?? 0
    if (at >= Math.min(arrival + NEWS_SPAN, deadline)) return arrival < deadline ? 1 : 0
    return 1 - Math.exp((-hazard(at) * (deadline - at)) / DAY)
  }
}

/** Probabilities of both sides of a game that ends at `end` and lasts three hours. */
export function gameState(key: Key, end: number): EventState {
  const start = end - 3 * HOUR
  const edge = 0.7 * normal(key, 5)
  const scoreWalk = randomWalk(key, 17)
  const talk = randomWalk(mix(key, 3), 16)
  const startLevel = talk(start)
  const whistle = scoreWalk(0)
  const firstSideChance = lastInstant((at: number): number => {
    const share = Math.max(0, Math.min(1, (at - start) / (end - start)))
    const noise = 0.08 * (talk(Math.min(at, start)) - startLevel)
    const margin = edge + noise + (share > 0 ? scoreWalk(share * DAY) - whistle : 0)
    if (at >= end) return margin > 0 ? 1 : 0
    return normalCdf(margin / Math.sqrt(1 - share + 0.0003))
  })
  return (outcome, at) => (outcome === 0 ? firstSideChance(at) : 1 - firstSideChance(at))
}
