import type { MarketFacts, Ticker, Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import type {
  FactsRow,
  HistoryImports,
  HistoryStore,
  MarketId,
  MarketKey,
  MarketRecord,
  StagedKind,
} from '../../history/history-store.ts'

/** Rows that a step stored, and rows that were stored already. */
export interface Adopted {
  readonly taken: number
  readonly known: number
}

/** A version of a market's facts on its way to the history. */
export interface FactsVersion {
  readonly knownAt: Millis
  readonly facts: MarketFacts
}

/** How a market ended, told after its end was. */
export interface Outcome {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly result: 'yes' | 'no'
}

export type OutcomeFate = 'taken' | 'known' | 'no such market' | 'no end on file' | 'other result'

/**
 * The history as a reader of files sees it. The reader runs in a thread of its own, so everything
 * here is asynchronous and made of plain values.
 */
export interface ImportHost {
  /** Numbers of these markets, in order; new ones are registered. */
  marketIds(keys: readonly MarketKey[]): Promise<readonly MarketId[]>
  /** Takes over a staged Parquet file. */
  adopt(kind: StagedKind, path: string): Promise<Adopted>
  adoptFacts(versions: readonly FactsVersion[]): Promise<Adopted>
  /** Settles markets from the instant their end became known. */
  settle(outcomes: readonly Outcome[]): Promise<readonly OutcomeFate[]>
}

/** Past every instant: the newest version of anything. */
const END_OF_TIME = 8_640_000_000_000_000 as Millis

/** The host over the real history. */
export function createImportHost(history: HistoryStore & HistoryImports): ImportHost {
  const adoptFacts = async (versions: readonly FactsVersion[]): Promise<Adopted> => {
    const keys = versions.map(({ facts }) => ({ venue: facts.venue, ticker: facts.ticker }))
    const ids = await history.marketIds(keys)
    return history.adoptFacts(
      versions.flatMap((version, index): FactsRow[] => {
        const market = ids[index]
        return market === undefined ? [] : [{ market, ...version }]
      }),
    )
  }

  const settle = async (outcomes: readonly Outcome[]): Promise<OutcomeFate[]> => {
    const ids = outcomes.map(({ ticker, venue }) => {
      const found = history.marketIdOf(ticker)
      return found?.venue === venue ? found.market : null
    })
    const known = ids.filter((id) => id !== null)
    const records = new Map(
      (await history.recordsAt(END_OF_TIME, known)).map((record) => [record.market, record]),
    )
    const rows: FactsRow[] = []
    const fates = outcomes.map((outcome, index): OutcomeFate => {
      const id = ids[index] ?? null
      const record = id === null ? undefined : records.get(id)
      if (record === undefined) return 'no such market'
      const fate = fateOf(outcome, record)
      if (fate === 'taken') rows.push(settledVersion(outcome, record))
      return fate
    })
    await history.adoptFacts(rows)
    return fates
  }

  return {
    marketIds: (keys) => history.marketIds(keys),
    adopt: (kind, path) => history.adopt(kind, path),
    adoptFacts,
    settle,
  }
}

function fateOf(outcome: Outcome, { facts }: MarketRecord): OutcomeFate {
  if (facts.status === 'settled') return facts.result === outcome.result ? 'known' : 'other result'
  return facts.status === 'closed' ? 'taken' : 'no end on file'
}

/** One millisecond after the end was known, so that the two versions keep their order. */
const settledVersion = (outcome: Outcome, { market, facts, knownAt }: MarketRecord): FactsRow => ({
  market,
  knownAt: (knownAt + 1) as Millis,
  facts: {
    ...facts,
    status: 'settled',
    result: outcome.result,
    settlementPrice: (outcome.result === 'yes' ? 10_000 : 0) as MarketFacts['settlementPrice'],
  },
})
