import type { Catalogue } from '../simulator/catalogue/catalogue.ts'
import { dislocationsBetween } from '../simulator/catalogue/dislocation.ts'
import type { Dislocation } from '../simulator/catalogue/dislocation.ts'
import { newsOf } from '../simulator/catalogue/figures.ts'
import { isTrading } from '../simulator/catalogue/market.ts'
import type { SimEvent, SimMarket } from '../simulator/catalogue/market.ts'
import { TEMPLATES } from '../simulator/catalogue/templates.ts'
import { keyOf, mix } from '../simulator/randomness.ts'
import { DAY } from '../domain/units.ts'

/** The same question under the same rules on both venues. */
export interface Twin {
  readonly a: SimMarket
  readonly b: SimMarket
}

/** A dislocation and the twins of its event, of which it moves some further apart than others. */
export interface PlantedGap extends Dislocation {
  readonly twins: readonly Twin[]
}

/** A news item: its theme, its instant, and its size in standard deviations of a day. */
export interface Catalyst {
  readonly theme: string
  readonly at: number
  readonly size: number
}

/** The ground truth of a simulated world, which no venue publishes. */
export interface Truth {
  /** Twins of which both markets trade at an instant. */
  twins(at: number): Twin[]
  /** Dislocations active at some time in [from, to], of events whose markets trade at `to`. */
  gaps(from: number, to: number): PlantedGap[]
  /** News of all themes with `from < at <= to`, oldest first. */
  catalysts(from: number, to: number): Catalyst[]
  /** Markets that trade at an instant, by the theme that moves them together. */
  themes(at: number): Map<string, SimMarket[]>
  /** Probability of YES from which both venues are priced, 0 to 1. */
  chance(market: SimMarket, at: number): number
  /** Cents by which venue_b prices a question above venue_a. */
  gapOf(twin: Twin, at: number): number
}

const THEMES = [...new Set(TEMPLATES.map((template) => template.theme))]

/** The truth of the world of a seed. */
export function truthOf(catalogue: Catalogue, seed: number): Truth {
  const root = mix(0x5eed, seed)
  const twinnedEvents = (at: number): [SimEvent, SimEvent][] => {
    const ofB = new Map(catalogue.events('venue_b', at).map((event) => [event.sharedKey, event]))
    return catalogue.events('venue_a', at).flatMap((a) => {
      const b = a.twinned ? ofB.get(a.sharedKey) : undefined
      return b === undefined ? [] : [[a, b] as [SimEvent, SimEvent]]
    })
  }
  return {
    twins: (at) => twinnedEvents(at).flatMap(([a, b]) => twinsOf(a, b, at)),
    gaps: (from, to) =>
      twinnedEvents(to).flatMap(([a, b]) => {
        const twins = twinsOf(a, b, to)
        if (twins.length === 0) return []
        return dislocationsBetween(a.sharedKey, from, to).map((gap) => ({ ...gap, twins }))
      }),
    catalysts: (from, to) =>
      THEMES.flatMap((theme) =>
        daysBetween(from, to).flatMap((day) => {
          const news = newsOf(keyOf(root, theme), day)
          return news === null || news.at <= from || news.at > to ? [] : [{ theme, ...news }]
        }),
      ).sort((one, other) => one.at - other.at),
    themes: (at) =>
      Map.groupBy(
        [...catalogue.markets('venue_a', at), ...catalogue.markets('venue_b', at)].filter(
          (market) => isTrading(market, at),
        ),
        (market) => market.event.template.theme,
      ),
    chance: (market, at) => market.event.state(market.index, at),
    gapOf: ({ a, b }, at) => (b.chance(at) - a.chance(at)) * 100,
  }
}

/** The markets of two listings of an event that both trade; a game is one market on venue_b. */
const twinsOf = (a: SimEvent, b: SimEvent, at: number): Twin[] =>
  b.markets.flatMap((ofB) => {
    const ofA = a.markets.find((market) => market.index === ofB.index)
    return ofA !== undefined && isTrading(ofA, at) && isTrading(ofB, at) ? [{ a: ofA, b: ofB }] : []
  })

const daysBetween = (from: number, to: number): number[] => {
  const first = Math.floor(from / DAY)
  return Array.from({ length: Math.floor(to / DAY) - first + 1 }, (_, i) => first + i)
}
