import type {
  ThesisPosition as ServedPosition,
  ThesisStrategy as ServedStrategy,
} from '../../../contract/theses/holdings.ts'
import {
  positionPnl,
  type ThesisPosition,
  type ThesisStrategy,
} from '../../../domain/theses/holdings.ts'
import type { Thesis } from '../../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../../domain/units.ts'
import { isoOrNull, rounded } from '../../../http/presenters/market-ref.ts'
import { isoOf } from '../../../lib/clock.ts'
import type { ThesisBoard } from '../thesis-markets.ts'

/** Closed positions that an answer shows. */
const MAX_CLOSED = 200

/** Marks of YES by ticker. */
export async function marksOf(
  board: ThesisBoard,
  tickers: readonly string[],
  asOf: Millis | null,
): Promise<ReadonlyMap<string, number | null>> {
  const views = await board.markets([...new Set(tickers)], asOf)
  return new Map([...views].map(([ticker, { mark }]) => [ticker, mark]))
}

export function servedPosition(position: ThesisPosition, mark: number | null): ServedPosition {
  const { ticker, title, openedAt, exitedAt, createdAt, updatedAt, ...rest } = position
  const current = mark === null ? null : position.direction === 'yes' ? mark : 100 - mark
  const isOpen = exitedAt === null
  return {
    ...rest,
    externalMarketId: ticker,
    marketTitle: title,
    currentPrice: rounded(current),
    status: isOpen ? 'open' : 'closed',
    openedAt: isoOf(openedAt),
    exitedAt: isoOrNull(exitedAt),
    exitPrice: rounded(position.exitPrice, 4),
    unrealizedPnlCents: isOpen ? positionPnl(position, current) : null,
    realizedPnlCents: isOpen ? null : positionPnl(position, position.exitPrice),
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
  }
}

/** Open positions first, then those last opened. */
export async function servedPositions(
  board: ThesisBoard,
  { positions }: Pick<Thesis, 'positions'>,
  asOf: Millis | null,
): Promise<ServedPosition[]> {
  if (positions.length === 0) return []
  const marks = await marksOf(
    board,
    positions.map(({ ticker }) => ticker),
    asOf,
  )
  const newest = positions.toSorted((one, other) => other.openedAt - one.openedAt)
  const open = newest.filter(({ exitedAt }) => exitedAt === null)
  const closed = newest.filter(({ exitedAt }) => exitedAt !== null).slice(0, MAX_CLOSED)
  return [...open, ...closed].map((position) =>
    servedPosition(position, marks.get(position.ticker) ?? null),
  )
}

export function servedStrategy(strategy: ThesisStrategy, thesis: Thesis): ServedStrategy {
  const { ticker, title, createdAt, updatedAt, ...rest } = strategy
  return {
    ...rest,
    thesisTitle: thesis.title,
    marketId: ticker,
    market: title,
    executedQuantity: roundTo(strategy.executedQuantity, 6),
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
  }
}

/** Highest priority first, then the oldest. */
export const orderedStrategies = (
  strategies: readonly ThesisStrategy[],
): readonly ThesisStrategy[] =>
  strategies.toSorted(
    (one, other) =>
      other.priority - one.priority ||
      one.createdAt - other.createdAt ||
      (one.id < other.id ? -1 : 1),
  )
