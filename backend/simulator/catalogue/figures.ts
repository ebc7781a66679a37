import { DAY } from '../../domain/units.ts'
import { mix, normal, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { randomWalk } from '../walk.ts'
import { themeDelayOf } from './character.ts'

/** Every permanent figure starts from its base at this instant. */
const BEGINNING = Date.UTC(2026, 0, 1)
const OWN_SHARE = 0.8
const THEME_SHARE = 0.6

/**
 * A news item: the theme's markets move together by `size` within minutes, and the effect decays.
 */
interface News {
  readonly at: number
  readonly size: number
}
const NEWS_MEMORY_DAYS = 15
/** Time over which news reaches the figures, ms. */
export const NEWS_SPAN = 3 * 60_000

/** News of a theme on a day, if any; about one day in seven has some. */
export function newsOf(theme: Key, day: number): News | null {
  const key = mix(theme, day)
  if (unit(key, 1) > 0.15) return null
  return { at: (day + unit(key, 2)) * DAY, size: 1.1 * normal(key, 3) }
}

/** Change of a theme's common factor, in standard deviations of a day. */
export function themeFactor(theme: Key): (at: number) => number {
  const drift = randomWalk(theme, 16)
  let cachedDay = Number.NaN
  let recent: News[] = []
  return (at) => {
    const day = Math.floor(at / DAY)
    if (day !== cachedDay) {
      cachedDay = day
      recent = []
      for (let daysBack = 0; daysBack <= NEWS_MEMORY_DAYS; daysBack++) {
        const news = newsOf(theme, day - daysBack)
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

/** The change of a figure of its own key; some figures follow their theme by hours. */
export function changeOf(key: Key, theme: Key, factorSign: number, origin: number | null): Change {
  const factor = themeFactor(theme)
  const delay = themeDelayOf(key)
  const walk = randomWalk(key, 16)
  const raw = (at: number): number =>
    OWN_SHARE * walk(at) + THEME_SHARE * factorSign * factor(at - delay)
  const start = raw(origin ?? BEGINNING)
  return (at) => raw(at) - start
}
