import {
  CLOSED_QUOTE,
  NO_PROGRESS,
  strategyTrades,
  type StrategyQuote,
  type StrategyTrade,
} from '../../../domain/theses/closed-loop.ts'
import { nextRunAfter, type Heartbeat } from '../../../domain/theses/heartbeat.ts'
import type { Thesis } from '../../../domain/theses/thesis.ts'
import { HOUR, type Millis } from '../../../domain/units.ts'
import { isoOf } from '../../../lib/clock.ts'
import { ServiceError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { strategyQuote } from '../thesis-markets.ts'
import type { ThesisDeps } from '../thesis-rows.ts'

/** `sourceId` of the intents of heartbeats. */
const HEARTBEAT_SOURCE = 'heartbeat'

/** Intents that a heartbeat creates for the strategies of its thesis, when its owner switched that on. */
export function createClosedLoop(deps: ThesisDeps & { readonly log: Logger }) {
  const { board, clock, trading, log } = deps

  const quotesOf = async (thesis: Thesis, now: Millis) => {
    const views = await board.markets(
      thesis.strategies.map(({ ticker }) => ticker),
      null,
    )
    const instant = { asOf: null, at: now }
    const quotes = new Map<string, StrategyQuote>()
    for (const strategy of thesis.strategies) {
      const view = views.get(strategy.ticker)
      if (view !== undefined)
        quotes.set(strategy.id, await strategyQuote(board, thesis, strategy, view, instant))
    }
    return quotes
  }
  const bodyOf = (thesis: Thesis, trade: StrategyTrade, expireAt: Millis) => ({
    action: trade.action,
    marketId: trade.ticker,
    direction: trade.direction,
    targetQuantity: trade.quantity,
    ...(trade.limit !== null && { maxPrice: trade.limit }),
    ...(trade.softCondition !== null && { softCondition: trade.softCondition }),
    source: 'strategy',
    sourceId: HEARTBEAT_SOURCE,
    thesisId: thesis.id,
    strategyId: trade.strategyId,
    autoExecute: true,
    expireAt: isoOf(expireAt),
    rationale: `Heartbeat of ${thesis.title}: ${trade.reason}`.slice(0, 2_000),
  })

  return {
    /**
     * Creates the intents that the strategies of a thesis propose now; nothing while its owner has
     * not switched that on. Returns why an intent was refused; null when none was.
     */
    async run(thesis: Thesis, { config }: Pick<Heartbeat, 'config'>): Promise<string | null> {
      const { entry, exit } = config.closedLoop
      if ((!entry && !exit) || thesis.strategies.length === 0) return null
      const now = clock.now()
      const { mode, byStrategy } = await trading().progress(thesis.userId)
      const quotes = await quotesOf(thesis, now)
      const trades = strategyTrades(
        { ...thesis, strategies: thesis.strategies.filter(({ id }) => quotes.has(id)) },
        config.closedLoop,
        ({ id }) => quotes.get(id) ?? CLOSED_QUOTE,
        ({ id }) => byStrategy.get(id) ?? NO_PROGRESS,
      )
      const expireAt = ((nextRunAfter(
        { config: { ...config, paused: false }, pausedReason: null },
        now,
      ) ?? now) + HOUR) as Millis
      let refusal: string | null = null
      for (const trade of trades) {
        try {
          await trading().createIntent(thesis.userId, {
            ...bodyOf(thesis, trade, expireAt),
            // Refused when the account changed since: its holdings decided the trade.
            mode,
          })
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          refusal = `${trade.action} of ${trade.ticker}: ${error.message}`
          log.warn({ err: error, thesisId: thesis.id }, 'an intent of a heartbeat was refused')
        }
      }
      return refusal
    },
    /** Cancels its open intents, because the thesis or its loop does not run any more. */
    cancel: (
      { userId, id }: Pick<Thesis, 'userId' | 'id'>,
      reason: 'thesis_not_active' | 'closed_loop_off',
    ): Promise<void> => trading().cancelIntended(userId, id, HEARTBEAT_SOURCE, reason),
  }
}
export type ClosedLoopService = ReturnType<typeof createClosedLoop>
