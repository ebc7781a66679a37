import type { PortfolioOverlay, PositionOverlay } from '../../contract/portfolio.ts'
import type { LedgerEntry } from '../../domain/portfolio/ledger.ts'
import { foldMarkets, type LedgerPosition } from '../../domain/portfolio/position-fold.ts'
import { centsOf, contractsOf, roundTo, type Millis, type MoneyE6 } from '../../domain/units.ts'
import type { AccountFiguresReader, AccountValue } from './account-figures.ts'
import { centsOfMoney } from './intent-served.ts'
import type { LedgerStore } from './ledger.store.ts'
import type { PortfolioRecord, PortfolioStore } from './portfolio.store.ts'

/**
 * Reads the open paper positions of a user: now for null, else as they were recorded at that
 * instant.
 */
export type ReadHoldings = (userId: string, asOf: Millis | null) => Promise<PortfolioOverlay>

export function createHoldings(deps: {
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly figures: Pick<AccountFiguresReader, 'valueOfPosition'>
}): ReadHoldings {
  const { portfolios, ledger, figures } = deps

  return async (userId, asOf) => {
    const portfolio = await portfolios.read(userId)
    const trades =
      asOf === null
        ? await ledger.trades(userId, { mode: 'paper', epoch: portfolio.paperEpoch })
        : await paperTradesAt(ledger, userId, portfolio, asOf)
    const open = [...foldMarkets(trades).values()]
      .filter(({ status }) => status === 'open')
      .sort((a, b) => b.cost - a.cost || (a.ticker < b.ticker ? -1 : 1))
    const positions: PositionOverlay[] = []
    const exposureByCategory: Record<string, number> = {}
    for (const position of open) {
      positions.push(overlayOf(position, await figures.valueOfPosition(position, asOf)))
      const { category, cost } = position
      exposureByCategory[category] = (exposureByCategory[category] ?? 0) + centsOfMoney(cost)
    }
    return { positions, exposureByCategory }
  }
}

/** Whether an entry was recorded by an instant. */
export const wasRecordedAt =
  (asOf: Millis) =>
  ({ occurredAt, recordedAt }: LedgerEntry): boolean =>
    occurredAt <= asOf && recordedAt <= asOf

/**
 * Trades of the paper account that was open at an instant. The times of earlier resets are not
 * stored, so an earlier account counts from its first trade on.
 */
export async function paperTradesAt(
  ledger: Pick<LedgerStore, 'trades'>,
  userId: string,
  { paperEpoch, epochBeganAt }: PortfolioRecord,
  asOf: Millis,
): Promise<LedgerEntry[]> {
  for (let epoch = paperEpoch; epoch >= 0; epoch -= 1) {
    const trades = await ledger.trades(userId, { mode: 'paper', epoch })
    const recordedTrades = trades.filter(wasRecordedAt(asOf))
    const wasOpen = epoch === paperEpoch && epochBeganAt !== null && epochBeganAt <= asOf
    if (recordedTrades.length > 0 || wasOpen) return recordedTrades
  }
  return []
}

function overlayOf(position: LedgerPosition, { price, value }: AccountValue): PositionOverlay {
  const { ticker, venue, marketTitle, direction, size, cost, thesisId } = position
  return {
    ticker,
    venue,
    title: marketTitle,
    direction,
    quantity: contractsOf(size),
    avgPrice: roundTo((cost / size) * 100, 4),
    price: price === null ? null : centsOf(price),
    unrealizedPnlCents: price === null ? null : centsOfMoney((value - cost) as MoneyE6),
    thesisId: thesisId ?? null,
  }
}
