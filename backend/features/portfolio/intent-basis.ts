import type { IntentBasis } from '../../domain/portfolio/intent.ts'
import type { LedgerEntry } from '../../domain/portfolio/ledger.ts'
import type { NamedSide } from '../../domain/portfolio/named-basis.ts'
import type { TradingThesis } from '../../domain/portfolio/trading-thesis.ts'

/** Theses and strategies of users, as intents name them. */
export interface UserTheses {
  /**
   * The full ids of a thesis and a strategy, with the thesis of the strategy.
   * @throws NotFound unless both belong to the user
   */
  basis(userId: string, requestedBasis: IntentBasis): Promise<IntentBasis>
  /**
   * The active and killed theses of a user. With an id only that thesis in any state; empty when
   * the user has no such thesis.
   */
  trading(userId: string, id: string | null): Promise<TradingThesis[]>
  /** The sides of markets that the user's theses and their strategies name, past ones included. */
  namedSides(userId: string): Promise<NamedSide[]>
  /** Titles of the user's theses, by id. */
  titles(userId: string): Promise<ReadonlyMap<string, string>>
}

/** The basis of an intent as its ledger entries carry it. */
export const basisOf = ({
  thesisId,
  strategyId,
}: IntentBasis): Pick<LedgerEntry, 'thesisId' | 'strategyId'> => ({
  ...(thesisId === null ? {} : { thesisId }),
  ...(strategyId === null ? {} : { strategyId }),
})
