import type { ContextEngine } from '../../computed/context-engine.ts'
import type { ContextSnapshot, MarketQuantities } from '../../computed/snapshot/context-snapshot.ts'
import type { Judgements } from '../../computed/judgements/judgements.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { isSuspectGap, pairStatistics } from '../../domain/pairing/pairs.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import {
  isInstant,
  isNullOr,
  isNumber,
  isOneOf,
  isText,
  hasShape,
} from '../../http/request/cursor-shape.ts'
import { isoOrNull, linksOf, roundOrNull, sampleMark } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { PAIR_STATUSES, PAIR_SORTS } from '../../contract/crossvenue.ts'
import type {
  Pair,
  PairLeg,
  PairStatus,
  PairPage,
  PairSort,
  PairsQuery,
  PairStats,
  PairStatsQuery,
} from '../../contract/crossvenue.ts'
import { decodeCursor, encodeCursor } from '../../http/request/pagination.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'

export interface PairsDeps {
  readonly context: Pick<ContextEngine, 'snapshot'>
  readonly judgements: Pick<Judgements, 'pairsSince'>
  readonly clock: Clock
  readonly urls: Urls
}

/** A pair with both markets at the snapshot instant. */
interface MatchedPair {
  readonly pair: MarketPair
  readonly a: MarketQuantities
  readonly b: MarketQuantities
  readonly status: PairStatus
}

/** Pairs of a snapshot whose markets are both known, in the snapshot's order. */
const matchedIn: (snapshot: ContextSnapshot) => readonly MatchedPair[] = memoizeByKey((snapshot) =>
  snapshot.pairs.flatMap((pair) => {
    const [a, b] = [snapshot.markets.get(pair.a), snapshot.markets.get(pair.b)]
    if (a === undefined || b === undefined) return []
    const isActive = a.view.status === 'active' && b.view.status === 'active'
    return [{ pair, a, b, status: isActive ? 'active' : 'closed' }]
  }),
)

/** Sort and filters of a page of pairs. */
interface PairSelection {
  readonly minConfidence: number
  readonly minGap: number | null
  readonly topic: string | null
  readonly status: PairStatus | null
  readonly sort: PairSort
  readonly asOf: Millis | null
}

const isSelection = hasShape<PairSelection>({
  minConfidence: isNumber,
  minGap: isNullOr(isNumber),
  topic: isNullOr(isText),
  status: isNullOr(isOneOf(PAIR_STATUSES)),
  sort: isOneOf(PAIR_SORTS),
  asOf: isNullOr(isInstant),
})

const dollars = ({ a, b }: MatchedPair): number | null => {
  const [left, right] = [a.view.volume24hUsd, b.view.volume24hUsd]
  return left === null && right === null ? null : (left ?? 0) + (right ?? 0)
}

const KEYS: Readonly<Record<PairSort, (matchedPair: MatchedPair) => number | null>> = {
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
    price: roundOrNull(view.price),
    bestBid: roundOrNull(view.bestBid),
    bestAsk: roundOrNull(view.bestAsk),
    volume24h: roundOrNull(view.volume24h, 6),
    closeTime: isoOrNull(facts.closeTime),
    ...sampleMark(facts),
  }
}

/** Reads of cross-venue pairs. Methodology D7. */
export function createPairService({ context, judgements, clock, urls }: PairsDeps) {
  const pairOf = (
    { pair, a, b, status }: MatchedPair,
    snapshot: ContextSnapshot,
    since: Millis,
  ): Pair => ({
    id: pair.id,
    confidence: pair.confidence,
    method: pair.method,
    inverted: pair.inverted,
    gap: roundOrNull(pair.gap),
    executableGap: roundOrNull(snapshot.crossVenue.get(pair.id)?.executableGap ?? null),
    closeDeltaDays: pair.closeDeltaDays,
    a: legOf(a.view, urls),
    b: legOf(b.view, urls),
    status,
    matchedAt: isoOf(since),
    ...(isSuspectGap(pair.gap) && { suspect: true }),
  })

  const selectPairs = (snapshot: ContextSnapshot, query: PairSelection): MatchedPair[] => {
    const passesTopic = passes({ topic: query.topic, category: null, venue: null, words: null })
    return matchedIn(snapshot).filter(
      ({ pair, a, b, status }) =>
        pair.confidence >= query.minConfidence &&
        (query.minGap === null || (pair.gap !== null && Math.abs(pair.gap) >= query.minGap)) &&
        (query.status === null || status === query.status) &&
        (passesTopic(a.view) || passesTopic(b.view)),
    )
  }

  return {
    async pairs(pairsQuery: PairsQuery): Promise<PairPage> {
      const cursor =
        pairsQuery.cursor === null ? null : decodeCursor(pairsQuery.cursor, isSelection)
      const { minGap, topic, status, sort } = pairsQuery
      const minConfidence = pairsQuery.minConfidence ?? PAIRING_PRESETS.browse.confidence
      const selection = cursor?.query ?? {
        minConfidence,
        minGap,
        topic,
        status,
        sort,
        asOf: pairsQuery.asOf,
      }
      const now = clock.now()
      const asOf = notInFuture(selection.asOf, now)
      const snapshot = await contextSnapshotAsOf(context, asOf)
      const selectedPairs = snapshot === null ? [] : selectPairs(snapshot, selection)
      const key = KEYS[selection.sort]
      const rest = selectedPairs
        .map((matchedPair) => ({
          matched: matchedPair,
          position: [key(matchedPair), matchedPair.pair.id] as const,
        }))
        .filter(({ position }) => cursor === null || comparePositions(position, cursor.after) > 0)
        .sort((x, y) => comparePositions(x.position, y.position))
      const page = rest.slice(0, pairsQuery.limit)
      const since = snapshot === null ? null : await judgements.pairsSince(snapshot)
      const pairs =
        snapshot === null || since === null
          ? []
          : page.map(({ matched }) => pairOf(matched, snapshot, since(matched.pair)))
      const last = page.at(-1)?.position
      const hasMore = rest.length > page.length
      return {
        pairs,
        count: pairs.length,
        total: selectedPairs.length,
        nextCursor:
          hasMore && last !== undefined ? encodeCursor({ query: selection, after: last }) : null,
        hasMore,
        generatedAt: isoOf(snapshot?.at ?? asOf ?? now),
      }
    },

    async stats({ asOf: requestedAsOf }: PairStatsQuery): Promise<PairStats> {
      const now = clock.now()
      const asOf = notInFuture(requestedAsOf, now)
      const snapshot = await contextSnapshotAsOf(context, asOf)
      const matches = snapshot === null ? [] : matchedIn(snapshot)
      const { byConfidence, byPreset, ...counts } = pairStatistics(matches.map(({ pair }) => pair))
      return {
        ...counts,
        activePairs: matches.filter(({ status }) => status === 'active').length,
        byConfidence: [...byConfidence],
        byPreset,
        generatedAt: isoOf(snapshot?.at ?? asOf ?? now),
      }
    },
  }
}
