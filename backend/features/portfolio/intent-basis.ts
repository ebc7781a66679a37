import type { IntentBasis } from '../../domain/portfolio/intent.ts'
import type { LedgerEntry } from '../../domain/portfolio/ledger.ts'
import type { NamedSide } from '../../domain/portfolio/named-basis.ts'
import type { TradingThesis } from '../../domain/portfolio/trading-thesis.ts'

/** Theses and strategies of users, as intents name them. */
export interface UserTheses {
  /**
   * The full ids of what is named; a strategy's thesis is included.
   * @throws NotFound if either is none of the user's
   */
  basis(userId: string, named: IntentBasis): Promise<IntentBasis>
  /**
   * The active and killed theses of a user; with an id that one in any state, nothing if there is
   * none.
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
