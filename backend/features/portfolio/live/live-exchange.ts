import { unreadAccount, type LiveAccount } from '../../../domain/portfolio/live-account.ts'
import type { Mode } from '../../../domain/portfolio/ledger.ts'
import type { OpenCredentials, OpenTrading } from '../../../venues/trading.ts'
import type { PortfolioRecord } from '../portfolio.store.ts'

/** `id` of the exchange that is the venues themselves. */
export const VENUES_EXCHANGE = 'venues'

/** Where live orders of this run go: the venues, or the simulated exchange of a demo. */
export interface LiveExchange {
  /** Changes with the exchange, so that a confirmation is valid at one exchange only. */
  readonly id: string
  readonly isSample: boolean
  /** Separates ledger entries of simulated exchanges from those of the venues, which have 0. */
  readonly epoch: number
  readonly openClient: OpenTrading
  /** Credentials that replace the stored ones; null where those are used. */
  readonly openCredentials: OpenCredentials | null
}
/** The exchange of this run; null in a replay and before a source is open. */
export type ReadLiveExchange = () => LiveExchange | null

/** An account of a user: the entries of one mode and epoch. */
export interface LedgerAccount {
  readonly mode: Mode
  readonly epoch: number
}

/** Whether orders of a portfolio go to the exchange of this run. */
export const isLiveAt = (portfolio: PortfolioRecord, exchange: LiveExchange | null): boolean =>
  exchange !== null &&
  portfolio.config.executionMode === 'live' &&
  liveAccountOf(portfolio, exchange).isConfirmed

/** Id of the exchange that a portfolio trades at now; null on paper. */
export const exchangeOf = (
  portfolio: PortfolioRecord,
  exchange: LiveExchange | null,
): string | null => (exchange !== null && isLiveAt(portfolio, exchange) ? exchange.id : null)

/** The account that a portfolio trades with now. */
export const accountOf = (
  portfolio: PortfolioRecord,
  exchange: LiveExchange | null,
): LedgerAccount =>
  exchange !== null && isLiveAt(portfolio, exchange)
    ? { mode: 'live', epoch: exchange.epoch }
    : { mode: 'paper', epoch: portfolio.paperEpoch }

/**
 * The accounts of these modes that lists show: the paper account since its last reset, that at the
 * venues, which imports book into, and that at the exchange of a demo.
 */
export const shownAccounts = (
  modes: readonly Mode[],
  paperEpoch: number,
  liveEpoch: number,
): LedgerAccount[] =>
  modes.flatMap((mode) =>
    [...new Set(mode === 'paper' ? [paperEpoch] : [0, liveEpoch])].map((epoch) => ({
      mode,
      epoch,
    })),
  )

/** The account at an exchange as it was last read there. */
export const liveAccountOf = ({ live }: PortfolioRecord, { id }: LiveExchange): LiveAccount =>
  live.find((account) => account.exchange === id) ?? unreadAccount(id)

/** The accounts with the next state of one. Of the simulated ones only the newest is kept. */
export const withLiveAccount = (
  { live }: PortfolioRecord,
  account: LiveAccount,
): readonly LiveAccount[] => {
  const isOther = ({ exchange }: LiveAccount): boolean =>
    exchange !== account.exchange && [exchange, account.exchange].includes(VENUES_EXCHANGE)
  return [...live.filter(isOther), account]
}
