import { gapRecords } from '../../domain/links/gap-record.ts'
import type { GapRecord } from '../../domain/links/gap-record.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { MarketPair } from '../../domain/pairing/pairs.ts'
import { DAY } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { ContextStore } from '../../history/context-store.ts'
import type { Grid } from '../grid/grid.ts'
import type { BooksReader } from '../grid/implied-edges.ts'
import type { MarketBoard, MarketView } from '../market-board.ts'
import { oncePer } from '../once-per.ts'
import { gapId, gapsAt, keepGaps, trackedGaps } from './gap-keeper.ts'
import type { KeptGap, MarksAt } from './gap-keeper.ts'
import { ideaCandidates } from './idea-candidates.ts'
import { ideaAt, keepIdeas, standingIdeas } from './idea-keeper.ts'
import type { PublishedIdea } from './idea-keeper.ts'
import { keepPairs, pairsAt } from './pair-keeper.ts'
import type { KeptPair } from './pair-keeper.ts'

/** Records of gaps are of those that were first served in so many days. */
const RECORDED = (90 * DAY) as Millis

/** What was published and when: gaps, pairs and ideas keep their beginnings and their records. */
export interface Judgements {
  /**
   * Writes down what a grid publishes for the first time and what became of what was published
   * before. Call it once for each grid instant, in the order of time; instants at or before the last
   * one are left alone.
   */
  publish(grid: Grid): Promise<void>
  /** Says since when gaps of a window have been served at a grid; its own instant for new ones. */
  gapsSince(
    grid: Grid,
    window: GapWindow,
  ): Promise<(gap: Pick<ContagionGap, 'trigger' | 'lagging'>) => Millis>
  /** Says since when pairs have been served at a grid; its own instant for new ones. */
  pairsSince(grid: Grid): Promise<(pair: Pick<MarketPair, 'id'>) => Millis>
  /** Ideas that stand at an instant, in no particular order. */
  ideas(at: Millis): Promise<readonly PublishedIdea[]>
  /** One idea as last published by then, expired or not; null when unknown. */
  idea(id: string, at: Millis): Promise<PublishedIdea | null>
  /** How gaps did by kind of link (D6), of those first served in the last 90 days. */
  gapRecords(at: Millis): Promise<readonly GapRecord[]>
}

interface Standing {
  readonly gaps: Map<string, KeptGap>
  readonly pairs: Map<string, KeptPair>
  readonly at: Millis
}

/** @param deps.board asked for books and for marks of markets that ended */
export function createJudgements(deps: {
  readonly stored: Pick<ContextStore, 'judgements' | 'appendContext'>
  readonly board: Pick<MarketBoard, 'storedBooks' | 'markets'>
}): Judgements {
  const { stored, board } = deps
  let standing: Standing | null = null

  const storedAt = async (at: Millis): Promise<Standing> => ({
    gaps: await gapsAt(stored, at),
    pairs: await pairsAt(stored, at),
    at,
  })
  const storedFor = oncePer((grid: Grid) => storedAt(grid.at))
  /** What stood at a grid: in memory for the newest, else as stored. */
  const standingAt = (grid: Grid): Promise<Standing> =>
    standing !== null && grid.at >= standing.at ? Promise.resolve(standing) : storedFor(grid)

  const marksFor =
    (grid: Grid): MarksAt =>
    async (tickers, at) => {
      const inGrid = (ticker: string): Cents | null | undefined =>
        at === grid.at ? grid.markets.get(ticker)?.view.mark : undefined
      const others = tickers.filter((ticker) => inGrid(ticker) === undefined)
      const views = others.length === 0 ? new Map() : await board.markets(others, at)
      const marks = new Map<string, Cents | null>()
      for (const ticker of tickers) {
        const view = views.get(ticker) as MarketView | undefined
        marks.set(ticker, inGrid(ticker) ?? view?.mark ?? null)
      }
      return marks
    }

  const gapRecordsAt = async (at: Millis): Promise<readonly GapRecord[]> =>
    gapRecords(await trackedGaps(stored, (at - RECORDED) as Millis, at))

  return {
    async publish(grid) {
      const { at } = grid
      if (standing !== null && at <= standing.at) return
      const { gaps, pairs } = standing ?? (await storedAt((at - 1) as Millis))
      // What is not stored in the end was not published: it is read anew.
      standing = null
      const ofGaps = await keepGaps(gaps, grid, marksFor(grid))
      const ofPairs = keepPairs(pairs, grid)
      const booksOf: BooksReader = (views) => board.storedBooks(views, at)
      // Those that expire at this very instant are what a round goes on with.
      const ideas = await standingIdeas(stored, (at - 1) as Millis)
      const ofIdeas = await keepIdeas(ideas, grid, async (only) => {
        const records = await gapRecordsAt(at)
        const unproven = new Set(records.flatMap((record) => (record.unproven ? record.kind : [])))
        return ideaCandidates(grid, unproven, booksOf, only)
      })
      await stored.appendContext({ judgements: [...ofGaps, ...ofPairs, ...ofIdeas] })
      standing = { gaps, pairs, at }
    },
    async gapsSince(grid, window) {
      const { gaps } = await standingAt(grid)
      return (gap) => {
        const known = gaps.get(gapId(window, gap))
        const isSame = known !== undefined && known.closedAt === null && known.openedAt <= grid.at
        return isSame ? known.openedAt : grid.at
      }
    },
    async pairsSince(grid) {
      const { pairs } = await standingAt(grid)
      return ({ id }) => pairs.get(id)?.since ?? grid.at
    },
    ideas: async (at) => [...(await standingIdeas(stored, at)).values()],
    idea: (id, at) => ideaAt(stored, id, at),
    gapRecords: gapRecordsAt,
  }
}
