import { gridIfAny, surpriseIn } from '../../computed/answers/answer-facts.ts'
import { passes } from '../../computed/market-filter.ts'
import { moveOfDay, topMoves } from '../../computed/price-moves.ts'
import { GRID, gridAt } from '../../domain/change-rows.ts'
import { containsAll, wordsOfFilter } from '../../domain/matches.ts'
import type { Millis } from '../../domain/units.ts'
import { foldText } from '../../domain/words.ts'
import { createAnswerMemory } from '../../http/answer-memory.ts'
import { instantOf, type Instant } from '../../http/as-of.ts'
import { servedMover } from '../../http/movers.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotReady } from '../../lib/errors.ts'
import type { ContextCompact, ContextFull, ContextQuery } from './context.schema.ts'
import type { QueryDeps } from './query.deps.ts'

const ROWS = 10

/** Rows of a computed list, or what takes their place before the first ones stand. */
type ReadList = <Row>(rows: Promise<readonly Row[]>) => Promise<readonly Row[]>

const asItIs: ReadList = (rows) => rows

const unlessTooEarly: ReadList = async (rows) => {
  try {
    return await rows
  } catch (error) {
    if (error instanceof NotReady) return []
    throw error
  }
}

/** The whole service in one short answer, worked out each quarter hour. */
export function createContextReads(deps: QueryDeps) {
  const { board, clock, lists, urls } = deps
  const memory = createAnswerMemory<ContextFull>(clock, GRID)

  /** Rows that hold all words; a row's words are those it is served with. */
  const matching = <Row extends object>(
    rows: readonly Row[],
    words: readonly string[],
    textsOf: (row: Row) => readonly (string | null)[],
  ): Row[] =>
    rows
      .filter((row) =>
        containsAll(
          foldText(
            textsOf(row)
              .flatMap((text) => text ?? [])
              .join('\n'),
          ),
          words,
        ),
      )
      .slice(0, ROWS)

  const read = async (
    asked: ContextQuery,
    { asOf, at }: Instant,
    listed: ReadList,
  ): Promise<ContextFull> => {
    const words = wordsOfFilter(asked.q ?? '')
    const [snapshot, grid, highlights, edges] = await Promise.all([
      board.at(asOf),
      gridIfAny(deps.context, asOf),
      listed(lists.highlights(asOf)),
      listed(lists.edges(asOf)),
    ])
    const keep = passes({ words: asked.q, topic: null, category: null, venue: null })
    const moves = topMoves(snapshot.list(new Set(['active'])).filter(keep), moveOfDay, ROWS)
    return {
      generatedAt: isoOf(at),
      nextRefreshAt: isoOf((gridAt(at) + GRID) as Millis),
      edges: matching(edges, words, ({ title, ticker }) => [title, ticker]).map((edge) => ({ ...edge })), // prettier-ignore
      movers: moves.map((move) => servedMover(move, surpriseIn(grid, move), urls)),
      highlights: matching(highlights, words, ({ title, summary, ticker }) => [title, summary, ticker]), // prettier-ignore
      traditional: [],
    }
  }

  /**
   * What was known at the quarter hour, the same for all who ask in the next one: its lists are those of
   * the grid and world that were being served then, which are of some minutes before. Where nothing
   * could be said at that instant or stands when asked, as after a start, it is what is known when asked.
   */
  const standing = async (asked: ContextQuery): Promise<ContextFull> => {
    const { asOf, at } = instantOf(asked.asOf, clock.now(), board.ready)
    const quarter = gridAt(at)
    const key = JSON.stringify([asked.q, quarter])
    try {
      // Before a grid stands, one of the quarter would be worked out beside it.
      await deps.context?.grid(asOf)
      return await memory.once(key, () => read(asked, { asOf: quarter, at: quarter }, asItIs))
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      return read(asked, { asOf, at }, unlessTooEarly)
    }
  }

  return {
    async context(asked: ContextQuery): Promise<ContextFull | ContextCompact> {
      const { edges, highlights, traditional, ...rest } = await standing(asked)
      if (asked.compact) return { edges, highlights, traditional }
      const related = [
        get('The world', addressOf(urls.baseUrl, '/api/agent/world')),
        get('What changed in the last hour', addressOf(urls.baseUrl, '/api/changes')),
        get('Trade ideas', addressOf(urls.baseUrl, '/api/public/ideas')),
      ]
      return {
        ...{ edges, highlights, traditional, ...rest },
        ...(asked.nextActions ? { nextActions: { related } } : {}),
      }
    },
    /** Forgets what was answered, after stored history changed under it. */
    forget: () => memory.clear(),
  }
}
export type ContextReads = ReturnType<typeof createContextReads>
