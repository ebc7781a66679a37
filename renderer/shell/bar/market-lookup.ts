import type { Live } from '../../api/live.ts'
import { pathOf } from '../../api/path.ts'
import type { MarketRow } from '../../../backend/contract/market.ts'
import type { ScanAnswer } from '../../../backend/contract/markets.ts'
import type { Topic } from '../../../backend/domain/topics/topic-rules.ts'
import type { MarketHit } from './market-hit.ts'
import { venueInText } from './venue-in-text.ts'

const MAX_RESULTS = 10
/** The best market is clear when the next question's score is at most this share of its own. */
const CLEAR_SHARE = 0.8

/** Answer of the service's finder to a text. */
export interface Lookup {
  readonly text: string
  /** Matching markets, those of an event together; without one, the nearest. */
  readonly markets: readonly MarketHit[]
  /** Whether the markets match the text; otherwise they are only near it. */
  readonly isMatch: boolean
  /** Ticker of the market that is meant; null when several may be. */
  readonly bestTicker: string | null
  /** Why no market matches; null when one does. */
  readonly note: string | null
  /** Topic with markets that the text belongs to, when no market is found or near; otherwise null. */
  readonly topic: Topic | null
}

type Result = ScanAnswer['results'][number]

/** The same question may be listed by both venues: event and outcome are equal. */
const questionOf = ({ eventTitle, subtitle, title }: MarketRow): string =>
  eventTitle === null || subtitle === null ? title : `${eventTitle}\n${subtitle}`

/** The market that a search means, if its score stands out among the questions found. */
export function clearBest(results: readonly Result[]): string | null {
  const [first] = results
  if (first === undefined) return null
  const next = results.find((other) => questionOf(other) !== questionOf(first))
  return next === undefined || next.score <= first.score * CLEAR_SHARE ? first.ticker : null
}

/** Markets of the same event follow the best of them. */
export function groupedByEvent(markets: readonly MarketHit[]): MarketHit[] {
  const groups = Map.groupBy(markets, ({ ticker, row }) => row?.eventId ?? ticker)
  return [...groups.values()].flat()
}

/** The topic of a text that has open markets; null without one. */
async function topicOf(
  live: Pick<Live, 'read'>,
  text: string,
  signal?: AbortSignal,
): Promise<Topic | null> {
  // Loaded by a search without results only, to keep the start of the page small.
  const { topicsOfText } = await import('../../../backend/domain/topics/topics.ts')
  const [topic] = topicsOfText(text)
  if (topic === undefined) return null
  const path = pathOf('/api/public/markets', { topic, limit: 1, nextActions: 'off' })
  const answer = await live.read(path, signal)
  return answer?.ok === true && answer.body.markets.length > 0 ? topic : null
}

/** Asks the finder. Null when the service did not answer or the request was aborted. */
export async function lookUp(
  live: Pick<Live, 'read'>,
  text: string,
  signal?: AbortSignal,
): Promise<Lookup | null> {
  const { text: searchText, venue } = venueInText(text)
  const path = pathOf('/api/public/scan', {
    q: searchText,
    venue,
    limit: MAX_RESULTS,
    nextActions: 'off',
  })
  const answer = await live.read(path, signal)
  if (answer?.ok !== true) return null
  const { results, note = null, nearest = [] } = answer.body
  const isMatch = results.length > 0
  const rows: readonly MarketRow[] = isMatch ? results : nearest
  return {
    text,
    markets: groupedByEvent(rows.map((row) => ({ ticker: row.ticker, title: row.title, row }))),
    isMatch,
    bestTicker: clearBest(results),
    note,
    topic: rows.length > 0 ? null : await topicOf(live, text, signal),
  }
}
