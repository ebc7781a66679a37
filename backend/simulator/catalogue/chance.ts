import { DAY, HOUR } from '../../domain/units.ts'
import { keyOf, mix, normal, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { normalCdf, walker } from '../walk.ts'
import type { ChancePath } from './market.ts'

/** Every figure that goes on for ever starts from its base at this instant. */
const BEGINNING = Date.UTC(2026, 0, 1)
const OWN_SHARE = 0.8
const THEME_SHARE = 0.6

/** A piece of news: the theme's markets move together by `size` within minutes, and it wears off. */
interface News {
  readonly at: number
  readonly size: number
}
const NEWS_MEMORY_DAYS = 15
const NEWS_SPAN = 3 * 60_000

/** News of a theme on a day, if any; about one day in seven has some. */
export function newsOf(theme: Key, day: number): News | null {
  const key = mix(theme, day)
  if (unit(key, 1) > 0.15) return null
  return { at: (day + unit(key, 2)) * DAY, size: 1.1 * normal(key, 3) }
}

/** Change of a theme's common factor, in standard deviations of a day. */
export function themeFactor(theme: Key): (at: number) => number {
  const drift = walker(theme, 16)
  let cachedDay = Number.NaN
  let recent: News[] = []
  return (at) => {
    const day = Math.floor(at / DAY)
    if (day !== cachedDay) {
      cachedDay = day
      recent = []
      for (let back = 0; back <= NEWS_MEMORY_DAYS; back++) {
        const news = newsOf(theme, day - back)
        if (news !== null) recent.push(news)
      }
    }
    let shift = 0
    for (const news of recent) {
      const age = at - news.at
      if (age > 0)
        shift +=
          news.size * Math.min(1, age / NEWS_SPAN) * Math.max(0, 1 - age / (NEWS_MEMORY_DAYS * DAY))
    }
    return drift(at) + shift
  }
}

/** A figure's change since `origin`, in standard deviations of a day. */
export type Change = (at: number) => number

export function changeOf(key: Key, theme: Key, lean: number, origin: number | null): Change {
  const factor = themeFactor(theme)
  const own = walker(key, 16)
  const raw = (at: number): number => OWN_SHARE * own(at) + THEME_SHARE * lean * factor(at)
  const start = raw(origin ?? BEGINNING)
  return (at) => raw(at) - start
}

/** Days left, never quite none, so that the last minutes still move. */
const daysLeft = (at: number, end: number): number => Math.max((end - at) / DAY, 1e-5)

/** Chance that the figure ends between two levels of change; infinite bounds make thresholds. */
export const bandPath = (change: Change, low: number, high: number, end: number): ChancePath => {
  let final: number | null = null
  return (at) => {
    if (at >= end) {
      if (final === null) {
        const last = change(end)
        final = last >= low && last < high ? 1 : 0
      }
      return final
    }
    const spread = Math.sqrt(daysLeft(at, end))
    const now = change(at)
    const below = high === Infinity ? 0 : normalCdf((now - high) / spread)
    return (low === -Infinity ? 1 : normalCdf((now - low) / spread)) - below
  }
}

/**
 * Chances of named contenders: a softmax that sharpens as the end comes near. With `hidden`, one
 * more contender takes part that nobody lists.
 */
export function fieldPaths(
  key: Key,
  count: number,
  hidden: boolean,
  open: number,
  end: number,
): ChancePath[] {
  const life = Math.max(1, (end - open) / DAY)
  const reach = 1.3 / Math.sqrt(Math.min(life, 60))
  const total = count + (hidden ? 1 : 0)
  const keys = Array.from({ length: total }, (_, i) => keyOf(key, `contender ${i}`))
  const walks = keys.map((own) => walker(own, 13))
  const start = keys.map(
    (own, i) =>
      (i >= count ? -0.3 : 0.9 - 0.3 * i) + 0.8 * normal(own, 1) - reach * (walks[i]?.(open) ?? 0),
  )
  const scores = (at: number): number[] => walks.map((own, i) => (start[i] ?? 0) + reach * own(at))
  let winner: number | null = null
  let cachedAt = Number.NaN
  let cached: number[] = []
  const chances = (at: number): number[] => {
    if (at === cachedAt) return cached
    const sharpness = 1 / (0.1 + 0.9 * Math.sqrt(Math.min(1, (end - at) / (life * DAY))))
    const weights = scores(at).map((score) => Math.exp(score * sharpness))
    const sum = weights.reduce((a, b) => a + b, 0)
    cachedAt = at
    cached = weights.map((weight) => weight / sum)
    return cached
  }
  return Array.from({ length: count }, (_, i) => (at: number) => {
    if (at < end) return chances(at)[i] ?? 0
    if (winner === null) {
      const last = scores(end)
      winner = last.indexOf(Math.max(...last))
    }
    return winner === i ? 1 : 0
  })
}

/** The instant something happens, exponentially distributed after `open`. */
export const arrivalOf = (key: Key, hazardPerDay: number, open: number): number =>
  open + (-Math.log(unit(key, 11)) / hazardPerDay) * DAY

/** Chance that something which is known to happen at `arrival` happens before `deadline`. */
export const deadlinePath =
  (change: Change, hazardPerDay: number, arrival: number, deadline: number): ChancePath =>
  (at) => {
    if (at >= Math.min(arrival + NEWS_SPAN, deadline)) return arrival < deadline ? 1 : 0
    const left = (deadline - at) / DAY
    return (
      1 - Math.exp(-hazardPerDay * Math.exp(0.22 * Math.max(-6, Math.min(8, change(at)))) * left)
    )
  }

/** Chance of the first side in a game that ends at `end` and lasts three hours. */
export function gamePath(key: Key, end: number): ChancePath {
  const start = end - 3 * HOUR
  const edge = 0.7 * normal(key, 5)
  const play = walker(key, 17)
  const talk = walker(mix(key, 3), 16)
  const atStart = talk(start)
  const whistle = play(0)
  return (at) => {
    const share = Math.max(0, Math.min(1, (at - start) / (end - start)))
    const before = 0.08 * (talk(Math.min(at, start)) - atStart)
    const margin = edge + before + (share > 0 ? play(share * DAY) - whistle : 0)
    if (at >= end) return margin > 0 ? 1 : 0
    return normalCdf(margin / Math.sqrt(1 - share + 0.0003))
  }
}
