import type { ContextEngine } from '../../computed/context-engine.ts'
import type { Grid, GridMarket } from '../../computed/grid/grid.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketView } from '../../computed/market-board.ts'
import { passes } from '../../computed/market-filter.ts'
import { oncePer } from '../../computed/once-per.ts'
import { gridThen } from '../../computed/past-grid.ts'
import { pairStatistics } from '../../domain/pairing/pairs.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/as-of.ts'
import { isInstant, isNullOr, isNumber, isOneOf, isText, shaped } from '../../http/cursor-shape.ts'
import { isoOrNull, linksOf, rounded, sampleMark } from '../../http/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { PAIR_STATUSES } from '../../http/pair.ts'
import type { Pair, PairLeg, PairStatus } from '../../http/pair.ts'
import { decodeCursor, encodeCursor } from '../../http/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import { PAIR_SORTS } from './pairs.schema.ts'
import type { PairPage, PairSort, PairsQuery, PairStats, PairStatsQuery } from './pairs.schema.ts'

export interface PairsDeps {
  readonly context: Pick<ContextEngine, 'grid'>
  readonly judgements: Pick<Judgements, 'pairsSince'>
  readonly clock: Clock
  readonly urls: Urls
}

/** A pair with both markets at the grid instant. */
interface Matched {
  readonly pair: MarketPair
  readonly a: GridMarket
  readonly b: GridMarket
  readonly status: PairStatus
}

/** Pairs of a grid of which both markets are known, in the grid's order. */
const matchedIn: (grid: Grid) => readonly Matched[] = oncePer((grid) =>
  grid.pairs.flatMap((pair) => {
    const [a, b] = [grid.markets.get(pair.a), grid.markets.get(pair.b)]
    if (a === undefined || b === undefined) return []
    const isActive = a.view.status === 'active' && b.view.status === 'active'
    return [{ pair, a, b, status: isActive ? 'active' : 'closed' }]
  }),
)

/** What a page of pairs was asked for. */
interface PairSelection {
  readonly minConfidence: number
  readonly minGap: number | null
  readonly topic: string | null
  readonly status: PairStatus | null
  readonly sort: PairSort
  readonly asOf: Millis | null
}

const isSelection = shaped<PairSelection>({
  minConfidence: isNumber,
  minGap: isNullOr(isNumber),
  topic: isNullOr(isText),
  status: isNullOr(isOneOf(PAIR_STATUSES)),
  sort: isOneOf(PAIR_SORTS),
  asOf: isNullOr(isInstant),
})

const dollars = ({ a, b }: Matched): number | null => {
  const [left, right] = [a.view.volume24hUsd, b.view.volume24hUsd]
  return left === null && right === null ? null : (left ?? 0) + (right ?? 0)
}

const KEYS: Readonly<Record<PairSort, (matched: Matched) => number | null>> = {
  confidence: ({ pair }) => pair.confidence,
  gap: ({ pair }) => (pair.gap === null ? null : Math.abs(pair.gap)),
  volume: dollars,
}

type Position = readonly [number | null, string]
/** Descending, unknown last, equal keys by id ascending. */
function comparePositions([a, idA]: Position, [b, idB]: Position): number {
  if (a !== b) return a === null ? 1 : b === null ? -1 : b - a
  return idA < idB ? -1 : idA > idB ? 1 : 0
}

function legOf(view: MarketView, urls: Urls): PairLeg {
  const { facts } = view
  return {
    ...linksOf(view, urls),
    ticker: facts.ticker,
    venue: facts.venue,
    title: facts.title,
    price: rounded(view.price),
    bestBid: rounded(view.bestBid),
    bestAsk: rounded(view.bestAsk),
    volume24h: rounded(view.volume24h, 6),
    closeTime: isoOrNull(facts.closeTime),
    ...sampleMark(facts),
  }
}

/** One question on both venues. Methodology D7. */
export function createPairReads({ context, judgements, clock, urls }: PairsDeps) {
  const pairOf = ({ pair, a, b, status }: Matched, grid: Grid, since: Millis): Pair => ({
    id: pair.id,
    confidence: pair.confidence,
    method: pair.method,
    inverted: pair.inverted,
    gap: rounded(pair.gap),
    executableGap: rounded(grid.crossVenue.get(pair.id)?.executableGap ?? null),
    closeDeltaDays: pair.closeDeltaDays,
    a: legOf(a.view, urls),
    b: legOf(b.view, urls),
    status,
    matchedAt: isoOf(since),
  })

  const selected = (grid: Grid, asked: PairSelection): Matched[] => {
    const inTopic = passes({ topic: asked.topic, category: null, venue: null, words: null })
    return matchedIn(grid).filter(
      ({ pair, a, b, status }) =>
        pair.confidence >= asked.minConfidence &&
        (asked.minGap === null || (pair.gap !== null && Math.abs(pair.gap) >= asked.minGap)) &&
        (asked.status === null || status === asked.status) &&
        (inTopic(a.view) || inTopic(b.view)),
    )
  }

  return {
    async pairs(sent: PairsQuery): Promise<PairPage> {
      const cursor = sent.cursor === null ? null : decodeCursor(sent.cursor, isSelection)
      const { minGap, topic, status, sort } = sent
      const minConfidence = sent.minConfidence ?? PAIRING_PRESETS.browse.confidence
      const asked = cursor?.query ?? { minConfidence, minGap, topic, status, sort, asOf: sent.asOf }
      const now = clock.now()
      const asOf = notInFuture(asked.asOf, now)
      const grid = await gridThen(context, asOf)
      const found = grid === null ? [] : selected(grid, asked)
      const key = KEYS[asked.sort]
      const rest = found
        .map((matched) => ({ matched, position: [key(matched), matched.pair.id] as const }))
        .filter(({ position }) => cursor === null || comparePositions(position, cursor.after) > 0)
        .sort((x, y) => comparePositions(x.position, y.position))
      const page = rest.slice(0, sent.limit)
      const since = grid === null ? null : await judgements.pairsSince(grid)
      const pairs =
        grid === null || since === null
          ? []
          : page.map(({ matched }) => pairOf(matched, grid, since(matched.pair)))
      const last = page.at(-1)?.position
      const hasMore = rest.length > page.length
      return {
        pairs,
        count: pairs.length,
        total: found.length,
        nextCursor:
          hasMore && last !== undefined ? encodeCursor({ query: asked, after: last }) : null,
        hasMore,
        generatedAt: isoOf(grid?.at ?? asOf ?? now),
      }
    },

    async stats({ asOf: sent }: PairStatsQuery): Promise<PairStats> {
      const now = clock.now()
      const asOf = notInFuture(sent, now)
      const grid = await gridThen(context, asOf)
      const matched = grid === null ? [] : matchedIn(grid)
      const { byConfidence, byPreset, ...counts } = pairStatistics(matched.map(({ pair }) => pair))
      return {
        ...counts,
        activePairs: matched.filter(({ status }) => status === 'active').length,
        byConfidence: [...byConfidence],
        byPreset,
        generatedAt: isoOf(grid?.at ?? asOf ?? now),
      }
    },
  }
}
export type PairReads = ReturnType<typeof createPairReads>
