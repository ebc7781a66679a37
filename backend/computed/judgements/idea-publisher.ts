import { selectIdeas } from '../../domain/edges/ideas.ts'
import { EDGE_PARAMS } from '../../domain/edges/edge-params.ts'
import type { IdeaCandidate, TradeIdea } from '../../domain/edges/ideas.ts'
import type { Ticker } from '../../domain/market.ts'
import { HOUR } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { ContextStore, JudgementRow } from '../../history/context-store.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'

/** An idea as last published. */
export interface PublishedIdea extends TradeIdea {
  readonly category: string
  /** When its numbers were computed; `createdAt` is when it was first published. */
  readonly updatedAt: Millis
  /** Headline price of the primary market at that time. */
  readonly price: Cents | null
  /**
   * Price of the held side when it was first published, cents: the starting price of its track
   * record.
   */
  readonly entry: number | null
}

const LIFETIME = (EDGE_PARAMS.ideas.lifeHours * HOUR) as Millis
/** An idea is recomputed when its primary market moved by this many cents. */
const MOVED = 5
const EPOCH_START = 0 as Millis

const toPublishedIdea = ({ body }: JudgementRow): PublishedIdea => JSON.parse(body) as PublishedIdea

/** Active ideas at an instant, by id; ended and expired ones are left out. */
export async function activeIdeas(
  contextStore: Pick<ContextStore, 'judgements'>,
  at: Millis,
): Promise<Map<string, PublishedIdea>> {
  const rows = await contextStore.judgements({
    kind: 'idea',
    from: (at - LIFETIME) as Millis,
    to: at,
  })
  const newest = new Map(rows.map((row) => [row.id, toPublishedIdea(row)]))
  return new Map([...newest].filter(([, { expiresAt }]) => expiresAt > at))
}

/** The newest version of an idea at an instant, expired or not; null when there was none. */
export async function ideaAt(
  contextStore: Pick<ContextStore, 'judgements'>,
  id: string,
  at: Millis,
): Promise<PublishedIdea | null> {
  const rows = await contextStore.judgements({ kind: 'idea', from: EPOCH_START, to: at, id })
  const last = rows.at(-1)
  return last === undefined ? null : toPublishedIdea(last)
}

/**
 * Rounds are at 00:00 and 12:00 UTC, otherwise at the first instant at which the half day has no
 * active idea.
 */
const roundOf = (at: Millis): number => Math.floor(at / LIFETIME)

const hasMoved = ({ price }: PublishedIdea, now: Cents | null): boolean =>
  price !== null && now !== null && Math.abs(now - price) >= MOVED

/**
 * Publishes the ideas of a snapshot instant (methodology E8): all of them every twelve hours, and
 * those of a market immediately when its price moved by 5 cents. An idea that is found again keeps
 * its id and start; one that is not found ends.
 * @param active active ideas by id before this snapshot
 * @param candidatesOf of one market, or of all for null
 * @returns rows to store
 */
export async function publishIdeas(
  active: ReadonlyMap<string, PublishedIdea>,
  snapshot: ContextSnapshot,
  candidatesOf: (ticker: Ticker | null) => Promise<readonly IdeaCandidate[]>,
): Promise<JudgementRow[]> {
  const { at } = snapshot
  const ideas = [...active.values()]
  const isRound = !ideas.some(({ updatedAt }) => roundOf(updatedAt) === roundOf(at))
  const priceOf = (ticker: Ticker): Cents | null => snapshot.markets.get(ticker)?.view.price ?? null
  const movedTickers = [
    ...new Set(
      ideas
        .filter((idea) => isRound || hasMoved(idea, priceOf(idea.ticker)))
        .map(({ ticker }) => ticker),
    ),
  ]
  if (!isRound && movedTickers.length === 0) return []
  const candidates = isRound
    ? await candidatesOf(null)
    : (await Promise.all(movedTickers.map((ticker) => candidatesOf(ticker)))).flat()
  const publishedIdeas = selectIdeas(candidates, at).map((idea): PublishedIdea => {
    const previous = active.get(idea.id)
    return {
      ...idea,
      createdAt: previous?.createdAt ?? at,
      entry: previous === undefined ? idea.cost : previous.entry,
      category: snapshot.markets.get(idea.ticker)?.view.facts.category ?? idea.theme,
      updatedAt: at,
      price: priceOf(idea.ticker),
    }
  })
  const currentIds = new Set(publishedIdeas.map(({ id }) => id))
  const endedIdeas = ideas
    .filter(({ id, ticker }) => !currentIds.has(id) && movedTickers.includes(ticker))
    .map((idea): PublishedIdea => ({ ...idea, updatedAt: at, expiresAt: at }))
  return [...publishedIdeas, ...endedIdeas].map((idea) => ({
    kind: 'idea',
    id: idea.id,
    at,
    body: JSON.stringify(idea),
  }))
}
