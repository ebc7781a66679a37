import type { LedgerEntry, Mode } from '../../domain/portfolio/ledger.ts'
import type { StrategyProgress } from '../../domain/theses/closed-loop.ts'
import { roundTo, contractsOf, type Millis } from '../../domain/units.ts'
import type { AccountFiguresReader } from './account-figures.ts'
import type { IntentIndex } from './intent-index.ts'
import type { IntentsService } from './intents.service.ts'
import type { LedgerStore } from './ledger.store.ts'
import { accountOf, exchangeOf, type ReadLiveExchange } from './live/live-exchange.ts'
import type { PortfolioStore } from './portfolio.store.ts'

/** Contracts that strategies bought, by strategy. */
export function boughtByStrategy(trades: readonly LedgerEntry[]): Map<string, number> {
  const contractsByStrategy = new Map<string, number>()
  for (const { strategyId, action, size } of trades) {
    if (strategyId === undefined || action !== 'buy' || size === null) continue
    contractsByStrategy.set(
      strategyId,
      roundTo((contractsByStrategy.get(strategyId) ?? 0) + contractsOf(size), 6),
    )
  }
  return contractsByStrategy
}

/** Trading of the strategies of theses: what was traded for each, and intents for them. */
export function createStrategyTrading(deps: {
  readonly portfolios: Pick<PortfolioStore, 'read'>
  readonly figures: Pick<AccountFiguresReader, 'positions'>
  readonly ledger: Pick<LedgerStore, 'trades'>
  readonly index: Pick<IntentIndex, 'intentsOfUser'>
  readonly intents: Pick<IntentsService, 'create' | 'cancelBySource'>
  readonly exchange: ReadLiveExchange
}) {
  const { portfolios, figures, ledger, index, intents, exchange } = deps
  return {
    /** Contracts bought and held, and open intents, by strategy, in the account that the user trades with. */
    async progress(
      userId: string,
      until: Millis | null = null,
    ): Promise<{
      readonly mode: Mode
      readonly byStrategy: ReadonlyMap<string, StrategyProgress>
    }> {
      const portfolio = await portfolios.read(userId)
      const { mode, epoch } = accountOf(portfolio, exchange())
      const exchangeId = exchangeOf(portfolio, exchange())
      const byStrategy = new Map<string, StrategyProgress>()
      const add = (
        id: string,
        change: (previous: StrategyProgress) => Partial<StrategyProgress>,
      ): void => {
        const previous = byStrategy.get(id) ?? { bought: 0, held: 0, open: new Set() }
        byStrategy.set(id, { ...previous, ...change(previous) })
      }
      const trades = await ledger.trades(userId, { mode, epoch })
      const countedTrades = trades.filter(({ occurredAt }) => until === null || occurredAt <= until)
      for (const [strategyId, contracts] of boughtByStrategy(countedTrades))
        add(strategyId, () => ({ bought: contracts }))
      for (const { parts } of (await figures.positions(userId, mode, epoch)).values()) {
        for (const { strategyId, size } of parts) {
          if (strategyId === null) continue
          add(strategyId, ({ held }) => ({ held: roundTo(held + contractsOf(size), 6) }))
        }
      }
      // Those of the other account wait for the return to it.
      for (const intent of index.intentsOfUser(userId)) {
        const { strategyId, action } = intent
        if (strategyId === null || intent.exchange !== exchangeId) continue
        add(strategyId, ({ open }) => ({ open: new Set([...open, action]) }))
      }
      return { mode, byStrategy }
    },
    createIntent: (userId: string, body: object) => intents.create(userId, body, null),
    cancelIntended: (
      userId: string,
      thesisId: string,
      source: string,
      reason: string,
    ): Promise<void> => intents.cancelBySource(userId, thesisId, source, reason),
  }
}
export type StrategyTrading = ReturnType<typeof createStrategyTrading>
