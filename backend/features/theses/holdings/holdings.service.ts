import type {
  PositionExited,
  RowCreated,
  StrategyPage,
  ThesisPosition as ServedPosition,
  ThesisStrategy as ServedStrategy,
} from '../../../contract/theses/holdings.ts'
import {
  isFinalStrategy,
  type StrategyStatus,
  type ThesisPosition,
} from '../../../domain/theses/holdings.ts'
import type { Thesis } from '../../../domain/theses/thesis.ts'
import type { Millis } from '../../../domain/units.ts'
import { isoOf } from '../../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../../lib/errors.ts'
import {
  changedPosition,
  changedStrategy,
  exitIn,
  namedSide,
  newPosition,
  newStrategy,
} from './holdings-body.ts'
import {
  contractsBought,
  filledStrategy,
  marksOf,
  compareStrategies,
  orderedStrategies,
  servedPosition,
  servedStrategy,
} from './holdings-served.ts'
import type { Paging, ThesisDeps, ThesisRows } from '../thesis-rows.ts'
import { listPage } from '../../../http/request/list-page.ts'

const MAX_POSITIONS = 1_000
const MAX_STRATEGIES = 200

/** Positions and strategies of theses. */
export function createThesisHoldings(
  { userQueue, board, clock, trading, onDeleted }: ThesisDeps,
  rows: ThesisRows,
) {
  const { thesisOfUser, thesisOfUserAt, saveThesis } = rows

  const update = async (thesis: Thesis, change: Partial<Thesis>): Promise<void> => {
    await saveThesis({ ...thesis, ...change, updatedAt: clock.now() })
  }
  const positionOf = (thesis: Thesis, id: string): ThesisPosition => {
    const position = thesis.positions.find((candidate) => candidate.id === id)
    if (position === undefined) throw new NotFound('Position not found')
    return position
  }
  const withPosition = (thesis: Thesis, next: ThesisPosition): Partial<Thesis> => ({
    positions: thesis.positions.map((position) => (position.id === next.id ? next : position)),
  })
  const markOf = async (ticker: string): Promise<number | null> =>
    (await marksOf(board, [ticker], null)).get(ticker) ?? null

  return {
    addPosition: (userId: string, id: string, body: unknown): Promise<RowCreated> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const position = newPosition(body, thesis.id, clock.now())
        if (thesis.positions.length >= MAX_POSITIONS) {
          throw new Conflict(`a thesis has at most ${MAX_POSITIONS} positions`)
        }
        await update(thesis, { positions: [...thesis.positions, position] })
        return { id: position.id }
      }),
    changePosition: (
      userId: string,
      id: string,
      positionId: string,
      body: unknown,
    ): Promise<ServedPosition> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const position = positionOf(thesis, positionId)
        const next = await changedPosition(position, body, markOf, clock.now())
        if (next.exitedAt !== null && next.exitedAt < next.openedAt) {
          throw new InvalidInput('exitedAt must not be before openedAt')
        }
        await update(thesis, withPosition(thesis, next))
        return servedPosition(next, await markOf(next.ticker))
      }),
    /** Records an exit; the row stays. */
    exitPosition: (
      userId: string,
      id: string,
      positionId: string,
      body: unknown,
    ): Promise<PositionExited> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const position = positionOf(thesis, positionId)
        const { exitPrice, exitReason } = exitIn(body)
        if (position.exitedAt !== null) {
          return { ok: true, id: position.id, exitedAt: isoOf(position.exitedAt) }
        }
        const now = clock.now()
        const mark = await markOf(position.ticker)
        const current = mark === null || position.direction === 'yes' ? mark : 100 - mark
        const next: ThesisPosition = {
          ...position,
          exitedAt: now,
          exitPrice: exitPrice ?? current,
          exitReason,
          updatedAt: now,
        }
        await update(thesis, withPosition(thesis, next))
        return { ok: true, id: position.id, exitedAt: isoOf(now) }
      }),
    async strategies(
      userId: string,
      id: string,
      query: {
        readonly statuses: readonly StrategyStatus[] | null
        readonly asOf: Millis | null
      },
      paging: Paging,
    ): Promise<StrategyPage> {
      const { thesis } = await thesisOfUserAt(userId, id, query.asOf)
      const { statuses } = query
      const boughtContracts = await contractsBought(trading(), thesis, query.asOf)
      const filledStrategies = thesis.strategies.map((strategy) =>
        filledStrategy(strategy, boughtContracts),
      )
      const all = orderedStrategies(filledStrategies).filter(
        ({ status }) => statuses?.includes(status) ?? true,
      )
      const { rows: page, pageInfo } = await listPage(
        paging,
        { id: thesis.id, ...query },
        (after, max) => {
          if (after === null) return all.slice(0, max)
          const last = { priority: after.at, id: after.id }
          return all.filter((strategy) => compareStrategies(last, strategy) < 0).slice(0, max)
        },
        (strategy) => ({ at: strategy.priority, id: strategy.id }),
      )
      const data = page.map((strategy) => servedStrategy(strategy, thesis, boughtContracts))
      return { data, strategies: data, pageInfo }
    },
    addStrategy: (userId: string, id: string, body: unknown): Promise<RowCreated> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const { ticker, direction } = namedSide(body)
        const view = await board.market(ticker, null)
        if (view === null) throw new NotFound('Market not found')
        if (thesis.strategies.length >= MAX_STRATEGIES) {
          throw new Conflict(`a thesis has at most ${MAX_STRATEGIES} strategies`)
        }
        const { title, venue, ticker: marketTicker } = view.facts
        const market = { thesisId: thesis.id, ticker: marketTicker, title, venue, direction }
        const strategy = newStrategy(body, market, clock.now())
        await update(thesis, { strategies: [...thesis.strategies, strategy] })
        return { id: strategy.id }
      }),
    changeStrategy: (
      userId: string,
      id: string,
      strategyId: string,
      body: unknown,
    ): Promise<ServedStrategy> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const strategy = thesis.strategies.find((candidate) => candidate.id === strategyId)
        if (strategy === undefined) throw new NotFound('Strategy not found')
        const next = changedStrategy(strategy, body, clock.now())
        const boughtContracts = await contractsBought(trading(), thesis, null)
        const { status } = filledStrategy(strategy, boughtContracts)
        if (isFinalStrategy(status)) {
          throw new Conflict(`the strategy is ${status}`, 'INVALID_TRANSITION')
        }
        await update(thesis, {
          strategies: thesis.strategies.map((otherStrategy) =>
            otherStrategy.id === next.id ? next : otherStrategy,
          ),
        })
        return servedStrategy(next, thesis, boughtContracts)
      }),
    removeStrategy: (userId: string, id: string, strategyId: string): Promise<{ ok: true }> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const left = thesis.strategies.filter((strategy) => strategy.id !== strategyId)
        if (left.length === thesis.strategies.length) throw new NotFound('Strategy not found')
        await update(thesis, { strategies: left })
        await onDeleted(userId, { strategyId })
        return { ok: true }
      }),
  }
}
export type ThesisHoldings = ReturnType<typeof createThesisHoldings>
