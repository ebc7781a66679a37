import type { MarketFacts } from '../domain/market.ts'
import { seriesStem } from '../domain/links/series-stem.ts'
import { fingerprintOf } from '../domain/pairing/fingerprint.ts'
import type { Fingerprint } from '../domain/pairing/fingerprint.ts'
import { yieldCurves } from '../domain/yield-curve.ts'
import type { CurveContract, YieldCurve } from '../domain/yield-curve.ts'
import type { Grid } from './grid/grid.ts'
import type { MarketView } from './market-board.ts'
import { oncePer } from './once-per.ts'

/** A curve with the markets that it is drawn from. */
export interface DateFamily {
  readonly curve: YieldCurve
  /** Of the curve's first point. */
  readonly first: MarketView
  readonly members: readonly MarketView[]
}

/** Words that a question with a deadline has in title or outcome; spares the others a closer look. */
const MAY_BE_DATED = /\b(?:by|before|until|prior|through|later|end|in)\b|\d{4}/i

/** What of a fingerprint tells questions apart that differ in their deadline alone. */
const askedOf = ({ subject, strikes, quantities, spans, negated }: Fingerprint): string =>
  [subject ?? [], strikes, quantities, spans, [String(negated)]]
    .map((part) => part.join(' '))
    .join('|')

interface Deadline {
  readonly day: number
  /** Venue, stem of the question, and what else it asks for. */
  readonly key: string
}
interface Dated extends Deadline {
  readonly view: MarketView
}

/** Reading texts is dear, and each version of them says the same for ever. */
const deadlines = new WeakMap<MarketFacts, Deadline | null>()

/** The day that a question is «by», or null for every other question. */
function deadlineOf(facts: MarketFacts): Deadline | null {
  const known = deadlines.get(facts)
  if (known !== undefined) return known
  const found = readDeadline(facts)
  deadlines.set(facts, found)
  return found
}

function readDeadline(facts: MarketFacts): Deadline | null {
  if (!MAY_BE_DATED.test(`${facts.title} ${facts.subtitle ?? ''}`)) return null
  const fingerprint = fingerprintOf({ ...facts, mark: null })
  const { bound, day } = fingerprint.time
  if (bound !== 'by' || day === null) return null
  return { day, key: `${facts.venue}|${seriesStem(facts.title)}|${askedOf(fingerprint)}` }
}

/** Steps that read the deadlines of a grid's markets ahead of the first who asks for its curves. */
export function* readDeadlines(grid: Grid): Generator<void, void> {
  for (const { view } of grid.markets.values()) {
    deadlineOf(view.facts)
    yield
  }
}

/** Named by their event where all are of one, else by what they ask. */
function familyName(family: readonly Dated[]): string {
  const [first] = family
  if (first === undefined) return ''
  const { eventId, title } = first.view.facts
  const isOneEvent = family.every(({ view }) => view.facts.eventId === eventId)
  return isOneEvent ? eventId : seriesStem(title)
}

/**
 * Families of live questions that differ only in their deadline, as curves (methodology F1): two
 * contracts and two deadlines at least. Cumulative ones alone: «by March», not «in March».
 * @returns by 24 h volume descending, unknown last, then venue and family
 */
export const dateFamilies: (grid: Grid) => readonly DateFamily[] = oncePer((grid) => {
  const live = [...grid.markets.values()].flatMap(({ view }) =>
    view.status === 'active' && view.price !== null ? [view] : [],
  )
  const families = Map.groupBy(
    live.flatMap((view): Dated[] => {
      const deadline = deadlineOf(view.facts)
      return deadline === null ? [] : [{ ...deadline, view }]
    }),
    ({ key }) => key,
  )
  const contracts: CurveContract[] = []
  const views = new Map<string, MarketView>()
  for (const family of families.values()) {
    if (new Set(family.map(({ day }) => day)).size < 2) continue
    const name = familyName(family)
    for (const { view } of family) {
      const { venue, ticker, title, closeTime } = view.facts
      const { price, volume24h } = view
      contracts.push({ venue, ticker, title, family: name, closeTime, price, volume24h })
      views.set(ticker, view)
    }
  }
  return yieldCurves(contracts, grid.at).flatMap((curve) => {
    const members = curve.points.flatMap(({ ticker }) => views.get(ticker) ?? [])
    const [first] = members
    return first === undefined ? [] : [{ curve, first, members }]
  })
})
