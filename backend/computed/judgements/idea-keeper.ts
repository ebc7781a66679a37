import { selectIdeas } from '../../domain/edges/ideas.ts'
import { EDGE_PARAMS } from '../../domain/edges/edge-params.ts'
import type { IdeaCandidate, TradeIdea } from '../../domain/edges/ideas.ts'
import type { Ticker } from '../../domain/market.ts'
import { HOUR } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { ContextStore, JudgementRow } from '../../history/context-store.ts'
import type { Grid } from '../grid/grid.ts'

/** An idea as it was last published. */
export interface PublishedIdea extends TradeIdea {
  readonly category: string
  /** When its numbers were worked out; `createdAt` is when it was first published. */
  readonly updatedAt: Millis
  /** Headline price of the primary market then. */
  readonly price: Cents | null
  /** Price of the held side when it was first published, cents: where its record starts. */
  readonly entry: number | null
}

const LIFE = (EDGE_PARAMS.ideas.lifeHours * HOUR) as Millis
/** A primary market that moved by so many cents has its idea worked out again. */
const MOVED = 5
const ALWAYS = 0 as Millis

const published = ({ body }: JudgementRow): PublishedIdea => JSON.parse(body) as PublishedIdea

/** Ideas that stand at an instant, by id; ended and expired ones are left out. */
export async function standingIdeas(
  stored: Pick<ContextStore, 'judgements'>,
  at: Millis,
): Promise<Map<string, PublishedIdea>> {
  const rows = await stored.judgements({ kind: 'idea', from: (at - LIFE) as Millis, to: at })
  const newest = new Map(rows.map((row) => [row.id, published(row)]))
  return new Map([...newest].filter(([, { expiresAt }]) => expiresAt > at))
}

/** The newest version of an idea at an instant, expired or not; null when there was none. */
export async function ideaAt(
  stored: Pick<ContextStore, 'judgements'>,
  id: string,
  at: Millis,
): Promise<PublishedIdea | null> {
  const rows = await stored.judgements({ kind: 'idea', from: ALWAYS, to: at, id })
  const last = rows.at(-1)
  return last === undefined ? null : published(last)
}

/** Rounds are at 00:00 and 12:00 UTC, else at the first instant at which no idea of the half day stands. */
const roundOf = (at: Millis): number => Math.floor(at / LIFE)

const hasMoved = ({ price }: PublishedIdea, now: Cents | null): boolean =>
  price !== null && now !== null && Math.abs(now - price) >= MOVED

/**
 * Publishes the ideas of a grid instant (methodology E8): all anew every twelve hours, and those of a
 * market at once when its price moved by 5 cents. What is found again keeps its id and its beginning;
 * what is not ends.
 * @param standing ideas by id as they stood before
 * @param candidatesOf of one market, or of all for null
 * @returns rows to store
 */
export async function keepIdeas(
  standing: ReadonlyMap<string, PublishedIdea>,
  grid: Grid,
  candidatesOf: (only: Ticker | null) => Promise<readonly IdeaCandidate[]>,
): Promise<JudgementRow[]> {
  const { at } = grid
  const ideas = [...standing.values()]
  const isRound = !ideas.some(({ updatedAt }) => roundOf(updatedAt) === roundOf(at))
  const priceOf = (ticker: Ticker): Cents | null => grid.markets.get(ticker)?.view.price ?? null
  const moved = [
    ...new Set(
      ideas
        .filter((idea) => isRound || hasMoved(idea, priceOf(idea.ticker)))
        .map(({ ticker }) => ticker),
    ),
  ]
  if (!isRound && moved.length === 0) return []
  const candidates = isRound
    ? await candidatesOf(null)
    : (await Promise.all(moved.map((ticker) => candidatesOf(ticker)))).flat()
  const found = selectIdeas(candidates, at).map((idea): PublishedIdea => {
    const before = standing.get(idea.id)
    return {
      ...idea,
      createdAt: before?.createdAt ?? at,
      entry: before === undefined ? idea.cost : before.entry,
      category: grid.markets.get(idea.ticker)?.view.facts.category ?? idea.theme,
      updatedAt: at,
      price: priceOf(idea.ticker),
    }
  })
  const kept = new Set(found.map(({ id }) => id))
  const ended = ideas
    .filter(({ id, ticker }) => !kept.has(id) && moved.includes(ticker))
    .map((idea): PublishedIdea => ({ ...idea, updatedAt: at, expiresAt: at }))
  return [...found, ...ended].map((idea) => ({
    kind: 'idea',
    id: idea.id,
    at,
    body: JSON.stringify(idea),
  }))
}
