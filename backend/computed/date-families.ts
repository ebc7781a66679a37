import type { MarketFacts } from '../domain/market.ts'
import { seriesStem } from '../domain/links/series-stem.ts'
import { fingerprintOf } from '../domain/pairing/fingerprint.ts'
import type { Fingerprint } from '../domain/pairing/fingerprint.ts'
import { yieldCurves } from '../domain/prices/yield-curve.ts'
import type { CurveContract, YieldCurve } from '../domain/prices/yield-curve.ts'
import type { ContextSnapshot } from './snapshot/context-snapshot.ts'
import type { MarketView } from './board/market-board.ts'
import { memoizeByKey } from './memoized-by-key.ts'

/** A curve with its markets. */
export interface DateFamily {
  readonly curve: YieldCurve
  /** Market of the curve's first point. */
  readonly first: MarketView
  readonly members: readonly MarketView[]
}

/** Words that a question with a deadline has in its title or outcome; a quick pre-filter. */
const DATE_HINT = /\b(?:by|before|until|prior|through|later|end|in)\b|\d{4}/i

/** Fields of a fingerprint that distinguish questions apart from their deadline. */
const questionKey = ({ subject, strikes, quantities, spans, negated }: Fingerprint): string =>
  [subject ?? [], strikes, quantities, spans, [String(negated)]]
    .map((part) => part.join(' '))
    .join('|')

interface Deadline {
  readonly day: number
  /** Venue, stem of the question, and its distinguishing fields. */
  readonly key: string
}
interface DatedMarket extends Deadline {
  readonly view: MarketView
}

/** Cached, because parsing texts is expensive and a version of them never changes. */
const deadlines = new WeakMap<MarketFacts, Deadline | null>()

/** The deadline of a "by" question; null for every other question. */
function deadlineOf(facts: MarketFacts): Deadline | null {
  const existing = deadlines.get(facts)
  if (existing !== undefined) return existing
  const deadline = readDeadline(facts)
  deadlines.set(facts, deadline)
  return deadline
}

function readDeadline(facts: MarketFacts): Deadline | null {
  if (!DATE_HINT.test(`${facts.title} ${facts.subtitle ?? ''}`)) return null
  const fingerprint = fingerprintOf({ ...facts, mark: null })
  const { bound, day } = fingerprint.time
  if (bound !== 'by' || day === null) return null
  return { day, key: `${facts.venue}|${seriesStem(facts.title)}|${questionKey(fingerprint)}` }
}

/**
 * Steps that parse the deadlines of a snapshot's markets ahead of the first request for its
 * curves.
 */
export function* readDeadlines(snapshot: ContextSnapshot): Generator<void, void> {
  for (const { view } of snapshot.markets.values()) {
    deadlineOf(view.facts)
    yield
  }
}

/** Named by their event when all belong to one, otherwise by their question. */
function familyName(family: readonly DatedMarket[]): string {
  const [first] = family
  if (first === undefined) return ''
  const { eventId, title } = first.view.facts
  const isOneEvent = family.every(({ view }) => view.facts.eventId === eventId)
  return isOneEvent ? eventId : seriesStem(title)
}

/**
 * Families of live questions that differ only in their deadline, as curves (methodology F1): at
 * least two contracts and two deadlines. Cumulative questions only: "by March", not "in March".
 * @returns by 24 h volume descending, unknown last, then venue and family
 */
export const dateFamilies: (snapshot: ContextSnapshot) => readonly DateFamily[] = memoizeByKey(
  (snapshot) => {
    const activeViews = [...snapshot.markets.values()].flatMap(({ view }) =>
      view.status === 'active' && view.price !== null ? [view] : [],
    )
    const families = Map.groupBy(
      activeViews.flatMap((view): DatedMarket[] => {
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
    return yieldCurves(contracts, snapshot.at).flatMap((curve) => {
      const members = curve.points.flatMap(({ ticker }) => views.get(ticker) ?? [])
      const [first] = members
      return first === undefined ? [] : [{ curve, first, members }]
    })
  },
)
