import type { ThesisStrategy } from '../../theses/holdings.ts'
import { roundTo } from '../../units.ts'
import type { TickDecision } from '../tick.ts'
import type { TradingThesis } from '../trading-thesis.ts'
import {
  basisOf,
  costOf,
  hold,
  planOrder,
  proceedsOf,
  type DecisionInput,
  type Subject,
} from './decision-parts.ts'

/** Entries of active strategies of active theses, highest priority first. */
export function strategyEntries(input: DecisionInput): TickDecision[] {
  return input.theses
    .filter(({ status }) => status === 'active')
    .flatMap((thesis) =>
      thesis.strategies
        .filter(({ status }) => status === 'active')
        .map((strategy) => ({ thesis, strategy })),
    )
    .toSorted(
      (a, b) =>
        b.strategy.priority - a.strategy.priority ||
        a.strategy.createdAt - b.strategy.createdAt ||
        (a.strategy.id < b.strategy.id ? -1 : 1),
    )
    .map(({ thesis, strategy }) => strategyEntry(thesis, strategy, input))
}

function strategyEntry(
  thesis: TradingThesis,
  strategy: ThesisStrategy,
  { markets, positions, bought, strategiesWithIntents }: DecisionInput,
): TickDecision {
  const { id, ticker, direction, entryBelow, entryAbove, stopLoss, takeProfit } = strategy
  const basis = basisOf({ thesisId: thesis.id, strategyId: id })
  const subject: Subject = { ...strategy, confidence: thesis.confidence, basis }
  const market = markets.get(ticker)
  const holdWith = (reason: string): TickDecision => hold(subject, reason)
  if (market?.status !== 'active') return holdWith('the market is not open')
  if (strategiesWithIntents.has(id)) return holdWith('an open intent trades this strategy')
  if (strategy.softConditions !== null) return holdWith('the soft condition waits for its owner')
  const position = positions.find((candidate) => candidate.ticker === ticker)
  if (position !== undefined && position.direction !== direction)
    return holdWith('the other side is held')
  const left = roundTo(strategy.maxQuantity - (bought.get(id) ?? 0), 6)
  if (left <= 0) return holdWith(`maxQuantity of ${strategy.maxQuantity} is reached`)
  const price = costOf(market, direction)
  if (price === null) return holdWith('nothing is offered')
  const isUnder = entryBelow !== null && price <= entryBelow
  const isOver = entryAbove !== null && price >= entryAbove
  if (!isUnder && !isOver) {
    const lowerReasons = entryBelow === null ? [] : [`at or below ${entryBelow}¢`]
    const limitReasons = entryAbove === null ? [] : [`at or above ${entryAbove}¢`]
    return holdWith(`${price}¢ is not ${[...lowerReasons, ...limitReasons].join(' or ')}`)
  }
  const bid = proceedsOf(market, direction)
  if (bid !== null && stopLoss !== null && bid <= stopLoss)
    return holdWith('the bid is at the stop')
  if (bid !== null && takeProfit !== null && bid >= takeProfit) {
    return holdWith('the bid is at the target')
  }
  return planOrder(subject, {
    quantity: Math.min(strategy.perOrderQuantity, left),
    price,
    bound: isUnder ? entryBelow : null,
    reason: isUnder
      ? `${price}¢ is at or below the entry of ${entryBelow}¢`
      : `${price}¢ is at or above the entry of ${entryAbove ?? ''}¢`,
    exitReason: null,
  })
}
