import {
  binaryOdds,
  exclusiveEventSum,
  leaderOf,
  oddsWeight,
  questionsOf,
} from '../domain/odds/odds.ts'
import type { OddsMember, OddsReading, Question } from '../domain/odds/odds.ts'
import type { MarketFacts, Ticker, Venue } from '../domain/market.ts'
import { alignedPrice } from '../domain/pairing/pairs.ts'
import { runToCompletion } from '../domain/cooperative-steps.ts'
import type { Steps } from '../domain/cooperative-steps.ts'
import { titleSlug } from '../domain/topics/topics.ts'
import { roundTo } from '../domain/units.ts'
import type { ContextSnapshot, MarketQuantities } from './snapshot/context-snapshot.ts'
import type { MarketView } from './board/market-board.ts'
import { memoizeByKey } from './memoized-by-key.ts'
import type { MemoizedByKey } from './memoized-by-key.ts'

/** One question with its liquidity-weighted price over all markets that ask it. */
export interface OddsQuestion extends OddsReading {
  readonly slug: string
  readonly title: string
  readonly kind: 'binary' | 'multi'
  /**
   * Representative market of the question: its leading outcome, or the market with the largest
   * weight.
   */
  readonly leading: MarketView
  /** Label of the leading outcome; null for a yes-or-no question, and when none leads for certain. */
  readonly leader: string | null
  /** Note on prices of outcomes that do not add up; null when they do. */
  readonly note: string | null
  /** All markets of the question, by ticker. */
  readonly members: readonly MarketView[]
  readonly venues: readonly Venue[]
}

const DAY_AGO = 6

interface Member extends OddsMember {
  readonly market: MarketQuantities
  readonly inverted: boolean
}

/** A market as member of a question, by its YES or, inverted, its NO. */
const memberOf = (market: MarketQuantities, inverted: boolean): Member => ({
  ticker: market.view.facts.ticker,
  mark: alignedPrice(market.view.mark, inverted),
  markBefore: alignedPrice(market.dailyMarks[DAY_AGO] ?? null, inverted),
  volume24hUsd: market.view.volume24hUsd,
  liquidity: market.view.liquidityScore,
  market,
  inverted,
})

const eventOf = ({ facts }: MarketView): string => `${facts.venue}|${facts.eventId}`

/** Events of which at most one market resolves YES, with at least two live ones. */
function exclusiveEvents(markets: readonly MarketQuantities[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { view } of markets) {
    if (view.facts.exclusive) counts.set(eventOf(view), (counts.get(eventOf(view)) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([event, count]) => (count < 2 ? [] : [event])))
}

/** Groups questions: those that share an exclusive event are outcomes of one question. */
function groupsOf(
  questions: readonly Question[],
  eventsOf: (question: Question) => readonly string[],
): Question[][] {
  const parents = new Map<string, string>()
  const rootOf = (name: string): string => {
    let root = name
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up
    return root
  }
  for (const question of questions) {
    const [first, ...rest] = eventsOf(question)
    if (first === undefined) continue
    for (const other of rest) {
      const [root, joinedRoot] = [rootOf(first), rootOf(other)]
      if (root !== joinedRoot) parents.set(joinedRoot, root)
    }
  }
  return [
    ...Map.groupBy(questions, (question) => {
      const [event] = eventsOf(question)
      return event === undefined ? `|${question.members[0]?.ticker ?? ''}` : rootOf(event)
    }).values(),
  ]
}

/**
 * Questions of all live markets with their odds (methodology F2): a yes-or-no question by the
 * weighted marks of its markets, one with several outcomes by its leader, never by an average. A
 * question without a mark is left out.
 * @returns by dollars traded in 24 hours descending, unknown last, then slug and ticker
 */
export const oddsOf: MemoizedByKey<ContextSnapshot, readonly OddsQuestion[]> = memoizeByKey(
  (snapshot) => runToCompletion(oddsSteps(snapshot)),
)

/** Computes the same in steps, so that requests are not blocked. */
export function* prepareOdds(snapshot: ContextSnapshot): Steps<void> {
  const questions = yield* oddsSteps(snapshot)
  oddsOf.store(snapshot, questions)
}

function* oddsSteps(snapshot: ContextSnapshot): Steps<readonly OddsQuestion[]> {
  const activeMarkets = [...snapshot.markets.values()].filter(
    ({ view }) => view.status === 'active',
  )
  const markets = new Map(activeMarkets.map((market) => [market.view.facts.ticker, market]))
  const exclusive = exclusiveEvents(activeMarkets)
  const counts = new Map<string, number>()
  for (const { view } of activeMarkets)
    counts.set(eventOf(view), (counts.get(eventOf(view)) ?? 0) + 1)
  const eventsOf = ({ members }: Question): string[] =>
    members.flatMap(({ ticker }) => {
      const market = markets.get(ticker)
      return market !== undefined && exclusive.has(eventOf(market.view))
        ? [eventOf(market.view)]
        : []
    })
  const isOnlyQuestion = (view: MarketView): boolean => counts.get(eventOf(view)) === 1
  yield
  const pooledQuestions = questionsOf([...markets.keys()], snapshot.pairs)
  yield
  const groups = groupsOf(pooledQuestions, eventsOf)
  const questions: OddsQuestion[] = []
  for (const group of groups) {
    yield
    const members = group.flatMap((question) => membersOf(question, markets))
    const isMulti = group.some((question) => eventsOf(question).length > 0)
    const question = isMulti
      ? severalOutcomes(members, exclusive)
      : yesOrNo(members, isOnlyQuestion)
    if (question !== null) questions.push(question)
  }
  yield
  return distinctQuestions(questions).sort(
    (a, b) => (b.volume24hUsd ?? -1) - (a.volume24hUsd ?? -1) || compareText(a.slug, b.slug),
  )
}

/** Questions with equal or empty slugs include their ticker. */
function distinctQuestions(questions: readonly OddsQuestion[]): OddsQuestion[] {
  const counts = new Map<string, number>()
  for (const { slug } of questions) counts.set(slug, (counts.get(slug) ?? 0) + 1)
  return questions.map((question) => {
    const { slug, leading } = question
    if (slug !== '' && counts.get(slug) === 1) return question
    const ticker = leading.facts.ticker.toLowerCase()
    return { ...question, slug: slug === '' ? ticker : `${slug}-${ticker}` }
  })
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const membersOf = (
  { members }: Question,
  markets: ReadonlyMap<Ticker, MarketQuantities>,
): readonly Member[] =>
  members.flatMap(({ ticker, inverted }) => {
    const market = markets.get(ticker)
    return market === undefined ? [] : [memberOf(market, inverted)]
  })

function heaviest(members: readonly Member[]): Member | null {
  let best: Member | null = null
  for (const member of members) {
    if (best === null || oddsWeight(member) > oddsWeight(best)) best = member
  }
  return best
}

/** Slugs of a market's question: without its subtitle when it is alone in its event, else with it. */
interface Slugs {
  readonly short: string
  readonly withSubtitle: string
}
const slugs = new WeakMap<MarketFacts, Slugs>()

/** Whether a title leaves a place for the label: "Will it happen by...?" */
const isGapped = (title: string): boolean => /(?:\.{3}|…|_{2,})\W*$/.test(title)

/** The event's title names a question that is alone in it; others add their own label. */
function slugsOf(facts: MarketFacts): Slugs {
  const existing = slugs.get(facts)
  if (existing !== undefined) return existing
  const { title, eventTitle, subtitle } = facts
  const short = titleSlug(eventTitle === null || isGapped(eventTitle) ? title : eventTitle)
  const withSubtitle =
    eventTitle === null || subtitle === null || isGapped(eventTitle)
      ? titleSlug(title)
      : [short, titleSlug(subtitle)].filter((part) => part !== '').join('-')
  slugs.set(facts, { short, withSubtitle })
  return { short, withSubtitle }
}

/** Phrased like the market with the largest weight. */
function yesOrNo(
  members: readonly Member[],
  isOnlyQuestion: (view: MarketView) => boolean,
): OddsQuestion | null {
  const leadingMember = heaviest(members)
  if (leadingMember === null) return null
  const alignedMarkets = members.map(({ market, inverted }) =>
    memberOf(market, inverted !== leadingMember.inverted),
  )
  const reading = binaryOdds(alignedMarkets)
  if (reading.price === null) return null
  const { view } = leadingMember.market
  return {
    ...reading,
    ...describeMembers(members),
    slug: isOnlyQuestion(view) ? slugsOf(view.facts).short : slugsOf(view.facts).withSubtitle,
    title: view.facts.title,
    kind: 'binary',
    leading: view,
    leader: null,
    note: null,
  }
}

function severalOutcomes(
  members: readonly Member[],
  exclusive: ReadonlySet<string>,
): OddsQuestion | null {
  const outcomes = members.flatMap(({ market }) =>
    exclusive.has(eventOf(market.view)) ? [memberOf(market, false)] : [],
  )
  const leader = leaderOf(outcomes)
  const mark = leader?.mark ?? null
  if (leader === null || mark === null) return null
  const { facts } = leader.market.view
  const { markBefore } = leader
  const leaderEvent = eventOf(leader.market.view)
  const { isDecided, note } = exclusiveEventSum(
    outcomes
      .filter(({ market }) => eventOf(market.view) === leaderEvent)
      .map(({ mark: outcomeMark }) => outcomeMark),
  )
  return {
    price: isDecided ? (roundTo(mark, 2) as OddsReading['price']) : null,
    delta24h: isDecided && markBefore !== null ? roundTo(mark - markBefore, 2) : null,
    volume24hUsd: binaryOdds(members).volume24hUsd,
    ...describeMembers(members),
    slug: slugsOf(facts).short,
    title: facts.eventTitle ?? facts.title,
    kind: 'multi',
    leading: leader.market.view,
    leader: isDecided ? (facts.subtitle ?? facts.title) : null,
    note,
  }
}

function describeMembers(members: readonly Member[]): Pick<OddsQuestion, 'members' | 'venues'> {
  const views = members
    .map(({ market }) => market.view)
    .sort((a, b) => compareText(a.facts.ticker, b.facts.ticker))
  return { members: views, venues: [...new Set(views.map(({ facts }) => facts.venue))].sort() }
}
