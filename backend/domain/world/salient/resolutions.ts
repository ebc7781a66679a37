import { QuestionGroups, type QuestionTwins } from '../../links/question-groups.ts'
import type { LiquidityScore } from '../../liquidity/liquidity.ts'
import type { Venue } from '../../market.ts'
import { quantileOf } from '../../statistics/statistics.ts'
import { DAY } from '../../units.ts'
import type { Cents, Millis } from '../../units.ts'
import { largest } from '../top-rows.ts'
import { catalystWeight, type CatalystEntry } from './catalysts.ts'

/** The fields of a market that a resolution is computed from. */
export interface ResolvingMarket {
  readonly venue: Venue
  readonly ticker: string
  readonly title: string
  readonly eventId: string
  readonly eventTitle: string | null
  readonly category: string
  readonly closeTime: Millis | null
  /** When the venue expects the result. */
  readonly expirationTime: Millis | null
  readonly mark: Cents | null
  readonly liquidity: LiquidityScore
  readonly volume24hUsd: number | null
}

/** Markets of one event that are decided together. */
export interface ResolutionEntry<Market extends ResolvingMarket> extends CatalystEntry {
  readonly title: string
  readonly category: string
  readonly venue: Venue
  /** Most traded first. */
  readonly markets: readonly Market[]
  /** The market that is least decided, weighted by liquidity. */
  readonly contested: Market
}

interface Group<Market> {
  readonly key: string
  readonly at: Millis
  readonly members: readonly Market[]
}

/** Share of the words of two titles that must be common for one event. */
const SAME_WORDS = 0.6
/** Words of a title that do not name its event. */
const UNNAMING = new Set(
  'a an and at be by before for in is of on or the to vs when which who will win winner what'.split(
    ' ',
  ),
)
const DATE_WORD =
  /^(?:\d{1,4}|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/

const eventTerms = (title: string): ReadonlySet<string> =>
  new Set(
    title
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && !UNNAMING.has(word) && !DATE_WORD.test(word)),
  )

function haveEqualTerms(title: string, otherTitle: string): boolean {
  const [a, b] = [eventTerms(title), eventTerms(otherTitle)]
  const common = [...a].filter((word) => b.has(word)).length
  return common > 0 && common >= SAME_WORDS * (a.size + b.size - common)
}

/**
 * Decisions at one instant on two venues whose titles name the same things are one entry, also
 * where their rules differ so much that their markets are not paired.
 */
function withoutRepeats<Market extends ResolvingMarket>(
  groups: readonly Group<Market>[],
): Group<Market>[] {
  const titleOf = ({ members: [first] }: Group<Market>): string =>
    first?.eventTitle ?? first?.title ?? ''
  const venuesOf = ({ members }: Group<Market>) => new Set(members.map(({ venue }) => venue))
  const separateGroups: Group<Market>[] = []
  const placesAt = new Map<Millis, number[]>()
  for (const group of groups) {
    const places = placesAt.get(group.at) ?? []
    placesAt.set(group.at, places)
    const equalIndex = places.find((place) => {
      const other = separateGroups[place]
      if (other === undefined) return false
      const venues = venuesOf(other)
      if (group.members.some(({ venue }) => venues.has(venue))) return false
      return haveEqualTerms(titleOf(other), titleOf(group))
    })
    const other = equalIndex === undefined ? undefined : separateGroups[equalIndex]
    if (equalIndex === undefined || other === undefined) places.push(separateGroups.push(group) - 1)
    else separateGroups[equalIndex] = { ...other, members: [...other.members, ...group.members] }
  }
  return separateGroups
}

/** Decisions of one event that two venues list within a day of each other are one entry. */
function acrossVenues<Market extends ResolvingMarket>(
  groups: readonly Group<Market>[],
  questionTwins: Iterable<QuestionTwins>,
): Group<Market>[] {
  const eventOf = new Map(
    groups.flatMap(({ members }) =>
      members.map(({ ticker, venue, eventId }) => [ticker, `${venue} ${eventId}`] as const),
    ),
  )
  const questions = new QuestionGroups((ticker) => {
    const event = eventOf.get(ticker)
    return event === undefined ? null : { event, exclusive: false }
  }, questionTwins)
  const keyOf = ({ members: [first] }: Group<Market>): string | null =>
    first === undefined ? null : questions.eventOf(first.ticker)
  const joinedGroups = [...Map.groupBy(groups, keyOf).values()].flatMap((eventGroups) => {
    const mergedGroups: Group<Market>[] = []
    for (const group of eventGroups.toSorted((x, y) => x.at - y.at || (x.key < y.key ? -1 : 1))) {
      const venue = group.members[0]?.venue
      const index = mergedGroups.findLastIndex(
        ({ at, members }) =>
          group.at - at < DAY && members.every((member) => member.venue !== venue),
      )
      const equalGroup = mergedGroups[index]
      if (equalGroup === undefined) mergedGroups.push(group)
      else
        mergedGroups[index] = { ...equalGroup, members: [...equalGroup.members, ...group.members] }
    }
    return mergedGroups
  })
  return withoutRepeats(joinedGroups)
}

/** Horizon within which importance is a tercile of the dollars traded. */
const IMPORTANCE_REACH = 30 * DAY

/** When a market is decided: at its close, or at the expected result if that is earlier. */
export function decisionTime(
  { closeTime, expirationTime }: Pick<ResolvingMarket, 'closeTime' | 'expirationTime'>,
  at: Millis,
): Millis | null {
  if (expirationTime === null || expirationTime <= at) return closeTime
  return closeTime === null || expirationTime < closeTime ? expirationTime : closeTime
}

/**
 * Upcoming resolutions, one for all markets of an event that are decided at the same time, on
 * whichever venue.
 * Importance is high, medium or low by terciles of the dollars traded among those of the next 30
 * days; an entry without any is low. Methodology M, calendar.
 * @param questionTwins markets of the same question on two venues
 * @param from lists those decided at or after this instant instead, which may be in the past
 */
export function resolutionsAhead<Market extends ResolvingMarket>(
  markets: readonly Market[],
  at: Millis,
  from: Millis | null = null,
  questionTwins: Iterable<QuestionTwins> = [],
): ResolutionEntry<Market>[] {
  const readAt = from !== null && from < at ? from : at
  const isListed = (decidedAt: Millis) => (from === null ? decidedAt > at : decidedAt >= from)
  const byDecision = new Map<string, { readonly at: Millis; readonly members: Market[] }>()
  for (const market of markets) {
    const decidedTime = decisionTime(market, readAt)
    if (decidedTime === null || (decidedTime <= at && !isListed(decidedTime))) continue
    const key = `${market.venue}|${market.eventId}|${decidedTime}`
    const group = byDecision.get(key)
    if (group === undefined) byDecision.set(key, { at: decidedTime, members: [market] })
    else group.members.push(market)
  }
  const groups = acrossVenues(
    [...byDecision].map(([key, group]) => ({ key, ...group })),
    questionTwins,
  )
  const nearGroups = groups.filter((group) => group.at > at && group.at - at <= IMPORTANCE_REACH)
  const volumes = nearGroups
    .map(({ members }) => dollarsOf(members))
    .filter((dollars) => dollars > 0)
  const [low, high] = [quantileOf(volumes, 1 / 3), quantileOf(volumes, 2 / 3)]
  const importanceOf = (dollars: number): CatalystEntry['importance'] => {
    if (dollars <= 0 || low === null || high === null) return 'low'
    return dollars >= high ? 'high' : dollars >= low ? 'medium' : 'low'
  }
  return groups.flatMap(({ key, at: decidedAt, members }) => {
    if (!isListed(decidedAt)) return []
    const sortedMembers = members.toSorted(
      (a, b) => (b.volume24hUsd ?? 0) - (a.volume24hUsd ?? 0) || (a.ticker < b.ticker ? -1 : 1),
    )
    const days = Math.max(0, decidedAt - at) / DAY
    const [contestedMarket] = largest(
      sortedMembers,
      1,
      (market) => catalystWeight(market, days),
      ({ ticker }) => ticker,
    )
    const [first] = sortedMembers
    if (first === undefined || contestedMarket === undefined) return []
    return [
      {
        id: `resolution:${key.replaceAll('|', ':')}`,
        at: decidedAt,
        importance: importanceOf(dollarsOf(members)),
        mark: contestedMarket.mark,
        liquidity: contestedMarket.liquidity,
        title: sortedMembers.length === 1 ? first.title : (first.eventTitle ?? first.title),
        category: first.category,
        venue: first.venue,
        markets: sortedMembers,
        contested: contestedMarket,
      },
    ]
  })
}

const dollarsOf = (markets: readonly ResolvingMarket[]): number =>
  markets.reduce((sum, { volume24hUsd }) => sum + (volume24hUsd ?? 0), 0)
