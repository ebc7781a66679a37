import { answerSnapshot, surpriseIn } from '../../computed/answers/answer-facts.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { moveOfDay, topMoves } from '../../computed/board/price-moves.ts'
import { QUARTER_HOUR, quarterHourOf } from '../../domain/changes/change-rows.ts'
import { containsAll, termsOfFilter } from '../../domain/text/word-filter.ts'
import type { Millis } from '../../domain/units.ts'
import { foldText } from '../../domain/text/tokens.ts'
import { createAnswerCache } from '../../http/cache/answer-cache.ts'
import { instantOf, type Instant } from '../../http/request/as-of.ts'
import { servedMover } from '../../http/presenters/mover.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { ContextCompact, ContextFull, ContextQuery } from '../../contract/query.ts'
import type { QueryDeps } from './query.deps.ts'

const ROWS = 10

/** A summary of the whole service, computed every fifteen minutes. */
export function createContextService(deps: QueryDeps) {
  const { board, clock, lists, urls } = deps
  const cache = createAnswerCache<ContextFull>(clock, QUARTER_HOUR)

  /** Rows that contain all words; the words of a row are those of its served texts. */
  const matchingRows = <Row extends object>(
    rows: readonly Row[],
    terms: readonly string[],
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
          terms,
        ),
      )
      .slice(0, ROWS)

  const read = async (contextQuery: ContextQuery, { asOf, at }: Instant): Promise<ContextFull> => {
    const terms = termsOfFilter(contextQuery.q ?? '')
    const [boardView, snapshot, highlights, edges] = await Promise.all([
      board.at(asOf),
      answerSnapshot(deps.context, asOf),
      lists.highlights(asOf),
      lists.edges(asOf),
    ])
    const keep = passes({ words: contextQuery.q, topic: null, category: null, venue: null })
    const moves = topMoves(boardView.list(new Set(['active'])).filter(keep), moveOfDay, ROWS)
    return {
      generatedAt: isoOf(at),
      nextRefreshAt: isoOf((quarterHourOf(at) + QUARTER_HOUR) as Millis),
      edges: matchingRows(edges, terms, ({ title, ticker }) => [title, ticker]).map((edge) => ({
        ...edge,
      })),
      movers: moves.map((move) => servedMover(move, surpriseIn(snapshot, move), urls)),
      highlights: matchingRows(highlights, terms, ({ title, summary, ticker }) => [
        title,
        summary,
        ticker,
      ]),
      traditional: [],
    }
  }

  /**
   * The state at the quarter hour, the same for all requests of the next one. Its lists come from
   * the snapshot and world served at that time.
   * @throws NotReady for now, before the first snapshot
   */
  const contextOf = async (contextQuery: ContextQuery): Promise<ContextFull> => {
    const { asOf, at } = instantOf(contextQuery.asOf, clock.now(), board.ready)
    const quarter = quarterHourOf(at)
    const key = JSON.stringify([contextQuery.q, quarter])
    // Waits for the current snapshot, so that none of the quarter is computed beside it.
    const snapshot = deps.context === null ? null : await contextSnapshotAsOf(deps.context, asOf)
    // The service started within this quarter hour.
    if (snapshot !== null && snapshot.at > quarter) return read(contextQuery, { asOf, at })
    return cache.once(key, () => read(contextQuery, { asOf: quarter, at: quarter }))
  }

  return {
    async context(contextQuery: ContextQuery): Promise<ContextFull | ContextCompact> {
      const { edges, highlights, traditional, ...rest } = await contextOf(contextQuery)
      if (contextQuery.compact) return { edges, highlights, traditional }
      const relatedActions = [
        get('The world', absoluteUrl(urls.baseUrl, '/api/agent/world')),
        get('Changes of the last hour', absoluteUrl(urls.baseUrl, '/api/changes')),
        get('Trade ideas', absoluteUrl(urls.baseUrl, '/api/public/ideas')),
      ]
      return {
        edges,
        highlights,
        traditional,
        ...rest,
        ...(contextQuery.nextActions ? { nextActions: { related: relatedActions } } : {}),
      }
    },
    /** Drops cached answers after stored history changed. */
    invalidate: () => cache.clear(),
  }
}
