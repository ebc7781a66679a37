import { gapRecords } from '../../domain/links/gap-record.ts'
import type { GapRecord } from '../../domain/links/gap-record.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import { DAY } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'
import type { BooksReader } from '../snapshot/implied-edges.ts'
import type { MarketBoard, MarketView } from '../board/market-board.ts'
import { memoizeByKey } from '../memoized-by-key.ts'
import { gapId, gapsAt, recordGaps, trackedGaps } from './gap-recorder.ts'
import type { RecordedGap, MarksAt } from './gap-recorder.ts'
import { ideaCandidates } from './idea-candidates.ts'
import { ideaAt, publishIdeas, activeIdeas } from './idea-publisher.ts'
import type { PublishedIdea } from './idea-publisher.ts'
import { recordPairs, pairsAt } from './pair-recorder.ts'
import type { RecordedPair } from './pair-recorder.ts'

/** Track records include gaps that were first served within this period. */
const RECORDED = (90 * DAY) as Millis

/** Published gaps, pairs and ideas with their start and track record. */
export interface Judgements {
  /**
   * Stores what a snapshot publishes for the first time and the outcome of what was published
   * before. Call it once per snapshot instant, in time order; instants at or before the last
   * one are ignored.
   */
  publish(snapshot: ContextSnapshot): Promise<void>
  /**
   * Returns since when gaps of a window have been served at a snapshot; its own instant for new
   * ones.
   */
  gapsSince(
    snapshot: ContextSnapshot,
    window: GapWindow,
  ): Promise<(gap: Pick<ContagionGap, 'trigger' | 'lagging'>) => Millis>
  /** Returns since when pairs have been served at a snapshot; its own instant for new ones. */
  pairsSince(snapshot: ContextSnapshot): Promise<(pair: Pick<MarketPair, 'id'>) => Millis>
  /** Active ideas at an instant, in no particular order. */
  ideas(at: Millis): Promise<readonly PublishedIdea[]>
  /** One idea as last published by then, expired or not; null when unknown. */
  idea(id: string, at: Millis): Promise<PublishedIdea | null>
  /** Track records of gaps by kind of link (D6), of those first served in the last 90 days. */
  gapRecords(at: Millis): Promise<readonly GapRecord[]>
}

interface PublishedState {
  readonly gaps: Map<string, RecordedGap>
  readonly pairs: Map<string, RecordedPair>
  readonly at: Millis
}

/** @param deps.board provides books, and marks of ended markets */
export function createJudgements(deps: {
  readonly stored: Pick<ContextStore, 'judgements' | 'appendContext'>
  readonly board: Pick<MarketBoard, 'storedBooks' | 'markets'>
}): Judgements {
  const { stored, board } = deps
  let newest: PublishedState | null = null

  const storedStateAt = async (at: Millis): Promise<PublishedState> => ({
    gaps: await gapsAt(stored, at),
    pairs: await pairsAt(stored, at),
    at,
  })
  const storedFor = memoizeByKey((snapshot: ContextSnapshot) => storedStateAt(snapshot.at))
  /** The state at a snapshot: from memory for the newest, otherwise from storage. */
  const stateAt = (snapshot: ContextSnapshot): Promise<PublishedState> =>
    newest !== null && snapshot.at >= newest.at ? Promise.resolve(newest) : storedFor(snapshot)

  const marksFor =
    (snapshot: ContextSnapshot): MarksAt =>
    async (tickers, at) => {
      const snapshotPrice = (ticker: string): Cents | null | undefined =>
        at === snapshot.at ? snapshot.markets.get(ticker)?.view.mark : undefined
      const others = tickers.filter((ticker) => snapshotPrice(ticker) === undefined)
      const views = others.length === 0 ? new Map() : await board.markets(others, at)
      const marks = new Map<string, Cents | null>()
      for (const ticker of tickers) {
        const view = views.get(ticker) as MarketView | undefined
        marks.set(ticker, snapshotPrice(ticker) ?? view?.mark ?? null)
      }
      return marks
    }

  const gapRecordsAt = async (at: Millis): Promise<readonly GapRecord[]> =>
    gapRecords(await trackedGaps(stored, (at - RECORDED) as Millis, at))

  return {
    async publish(snapshot) {
      const { at } = snapshot
      if (newest !== null && at <= newest.at) return
      const { gaps, pairs } = newest ?? (await storedStateAt((at - 1) as Millis))
      // The state is dropped until it is stored, because rows that are not stored were not
      // published.
      newest = null
      const gapRows = await recordGaps(gaps, snapshot, marksFor(snapshot))
      const pairRows = recordPairs(pairs, snapshot)
      const booksOf: BooksReader = (views) => board.storedBooks(views, at)
      // Includes ideas that expire at this instant, which a new round continues.
      const ideas = await activeIdeas(stored, (at - 1) as Millis)
      const ideaRows = await publishIdeas(ideas, snapshot, async (ticker) => {
        const records = await gapRecordsAt(at)
        const unproven = new Set(records.flatMap((record) => (record.unproven ? record.kind : [])))
        return ideaCandidates(snapshot, unproven, booksOf, ticker)
      })
      await stored.appendContext({ judgements: [...gapRows, ...pairRows, ...ideaRows] })
      newest = { gaps, pairs, at }
    },
    async gapsSince(snapshot, window) {
      const { gaps } = await stateAt(snapshot)
      return (gap) => {
        const existing = gaps.get(gapId(window, gap))
        const isSame =
          existing !== undefined && existing.closedAt === null && existing.openedAt <= snapshot.at
        return isSame ? existing.openedAt : snapshot.at
      }
    },
    async pairsSince(snapshot) {
      const { pairs } = await stateAt(snapshot)
      return ({ id }) => pairs.get(id)?.since ?? snapshot.at
    },
    ideas: async (at) => [...(await activeIdeas(stored, at)).values()],
    idea: (id, at) => ideaAt(stored, id, at),
    gapRecords: gapRecordsAt,
  }
}
