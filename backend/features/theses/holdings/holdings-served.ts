import type {
  ThesisPosition as ServedPosition,
  ThesisStrategy as ServedStrategy,
} from '../../../contract/theses/holdings.ts'
import {
  isFinalStrategy,
  positionPnl,
  type ThesisPosition,
  type ThesisStrategy,
} from '../../../domain/theses/holdings.ts'
import type { Thesis } from '../../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../../domain/units.ts'
import { isoOrNull, roundOrNull } from '../../../http/presenters/market-ref.ts'
import { isoOf } from '../../../lib/clock.ts'
import type { StrategyTrading } from '../heartbeat/strategy-trading.ts'
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
    currentPrice: roundOrNull(current),
    status: isOpen ? 'open' : 'closed',
    openedAt: isoOf(openedAt),
    exitedAt: isoOrNull(exitedAt),
    exitPrice: roundOrNull(position.exitPrice, 4),
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
  const newest = positions.toSorted((left, right) => right.openedAt - left.openedAt)
  const open = newest.filter(({ exitedAt }) => exitedAt === null)
  const closedPositions = newest.filter(({ exitedAt }) => exitedAt !== null).slice(0, MAX_CLOSED)
  return [...open, ...closedPositions].map((position) =>
    servedPosition(position, marks.get(position.ticker) ?? null),
  )
}

/** Contracts bought, by strategy. */
export type BoughtContracts = ReadonlyMap<string, number>

/** The contracts that the strategies of a thesis bought until an instant; null for now. */
export async function contractsBought(
  trading: StrategyTrading,
  { userId, strategies }: Pick<Thesis, 'userId' | 'strategies'>,
  asOf: Millis | null,
): Promise<BoughtContracts> {
  if (strategies.length === 0) return new Map()
  const { byStrategy } = await trading.progress(userId, asOf)
  return new Map([...byStrategy].map(([id, { bought }]) => [id, bought]))
}

/** A strategy as it is after its fills: executed once its contracts are bought. */
export const filledStrategy = (
  strategy: ThesisStrategy,
  boughtContracts: BoughtContracts,
): ThesisStrategy => {
  const executedQuantity = boughtContracts.get(strategy.id) ?? 0
  const isBought = executedQuantity >= strategy.maxQuantity && !isFinalStrategy(strategy.status)
  return { ...strategy, executedQuantity, status: isBought ? 'executed' : strategy.status }
}

export function servedStrategy(
  storedStrategy: ThesisStrategy,
  thesis: Thesis,
  boughtContracts: BoughtContracts,
): ServedStrategy {
  const strategy = filledStrategy(storedStrategy, boughtContracts)
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

/** Highest priority first, then the oldest: ids sort by creation. */
export const compareStrategies = (
  strategy: Pick<ThesisStrategy, 'priority' | 'id'>,
  other: Pick<ThesisStrategy, 'priority' | 'id'>,
): number => other.priority - strategy.priority || (strategy.id < other.id ? -1 : 1)

export const orderedStrategies = (
  strategies: readonly ThesisStrategy[],
): readonly ThesisStrategy[] => strategies.toSorted(compareStrategies)
