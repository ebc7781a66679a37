import { UNDESCRIBED } from './staging/undescribed-tag.ts'
import type { MarketFacts, Ticker, Venue } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import type { FactsRow } from '../../history/history-batch.ts'
import type {
  HistoryImports,
  ImportStep,
  StagedContent,
  StagedKind,
  StoredStep,
} from '../../history/history-copies.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId, MarketKey } from '../../history/market-key.ts'
import type { MarketRecord, TradeCorrection } from '../../history/market-rows.ts'
import { namedVersions } from './layouts/named-versions.ts'
import type { EventTitle, SeriesTitle, TitleStatus } from './layouts/titles.ts'

/** Counts of the rows that a step stored, and of the rows that were already stored. */
export interface StoredCounts {
  readonly taken: number
  readonly known: number
  /** Those of `taken` that an earlier attempt of the same import stored. */
  readonly takenBefore?: number
}

/** A Parquet file of rows to be stored in the history. */
export interface StagedFile {
  readonly kind: StagedKind
  readonly path: string
  readonly content: StagedContent
  /** Name of the file that its rows came from; null when their coverage is stated separately. */
  readonly source: string | null
  /** Whether the report counts its rows; false for rows stored beside the counted ones. */
  readonly isCounted: boolean
  /** Index of the imported file in the request. */
  readonly file: number
}

/** A version of a market's facts to be stored in the history. */
export interface FactsVersion {
  readonly knownAt: Millis
  readonly facts: MarketFacts
}

/** A row with its market's venue and ticker. */
type NamedRow<R> = Omit<R, 'market'> & MarketKey
export type StatedChange = NamedRow<ChangeRow>
export type StatedCorrection = NamedRow<TradeCorrection>
/** Of every market of the venue where the ticker is null. */
export type StatedCoverage = Omit<CoverageRow, 'market'> & { readonly ticker: Ticker | null }

/** Statements of another history beside ticks and facts, to be stored in this one. */
export interface Statements {
  readonly changes?: readonly StatedChange[]
  readonly coverage?: readonly StatedCoverage[]
  readonly corrections?: readonly StatedCorrection[]
}

/** How a market ended. */
export interface Outcome {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly result: 'yes' | 'no' | 'scalar'
  /** Payout of YES. */
  readonly settlementPrice: PriceE4
  /** When it was known; null where only the result is given, which then needs a stored end. */
  readonly knownAt: Millis | null
}

/** `taken before` means by an earlier attempt of the same import. */
export type OutcomeStatus =
  'taken' | 'taken before' | 'known' | 'no such market' | 'no end on file' | 'other result'

/** An asset of venue_b; outcome 0 is YES. */
export interface NamedAsset {
  readonly ticker: Ticker
  readonly asset: string
  readonly outcome: 0 | 1
}

/**
 * The history as the file reader uses it. The reader runs in its own thread, so every function is
 * asynchronous and takes plain values.
 */
export interface ImportHost {
  /** Ids of these markets, in order; new ones are registered. */
  marketIds(keys: readonly MarketKey[]): Promise<readonly MarketId[]>
  /** Adopts a staged Parquet file; adopts nothing when the rows read differ from those written. */
  adopt(file: StagedFile, step?: ImportStep): Promise<StoredCounts>
  /** @param isCounted whether the report counts the versions; true by default */
  adoptFacts(
    versions: readonly FactsVersion[],
    isCounted?: boolean,
    step?: ImportStep,
  ): Promise<StoredCounts>
  storeStatements(statements: Statements, step?: ImportStep): Promise<StoredCounts>
  /**
   * Settles markets from the instant at which their end became known.
   * @param dryRun returns the status of each outcome and stores nothing
   */
  settle(
    outcomes: readonly Outcome[],
    dryRun: boolean,
    step?: ImportStep,
  ): Promise<readonly OutcomeStatus[]>
  /**
   * Tickers of markets by another name (a numeric id, a slug), in order; null where none has it.
   */
  tickersByName(venue: Venue, names: readonly string[]): Promise<readonly (Ticker | null)[]>
  /** Markets of venue_b that have these assets, with the outcome of each asset. */
  assetsById(ids: readonly string[]): Promise<readonly NamedAsset[]>
  /**
   * Stores these versions of markets that have no description yet.
   * @returns whether each market had none; a dry run stores nothing
   */
  describeByIds(versions: readonly FactsVersion[], dryRun: boolean): Promise<readonly boolean[]>
  /**
   * Adds the titles of these events and series to the markets of venue_a that lack them in the
   * history, as a further version one millisecond later.
   */
  nameMarkets(
    titles: { readonly events: readonly EventTitle[]; readonly series: readonly SeriesTitle[] },
    dryRun: boolean,
  ): Promise<{ readonly events: readonly TitleStatus[]; readonly series: readonly TitleStatus[] }>
}

/** The import steps recorded in the history. */
export interface ImportStepLog {
  /** Steps that earlier attempts of an import stored. */
  stepsOf(importId: string): Promise<readonly StoredStep[]>
  /** Deletes the steps of all other imports. */
  deleteOthers(importId: string): Promise<unknown>
}

/** Later than every instant: selects the newest version of anything. */
const END_OF_TIME = 8_640_000_000_000_000 as Millis
const VERSIONS_PER_APPEND = 5_000

/** The host backed by the real history. */
export function createImportHost(
  history: HistoryStore & HistoryImports,
): ImportHost & ImportStepLog {
  /** Instants from which markets are known by their rows alone; null until they are read. */
  let undescribedMarkets: Map<MarketId, Millis> | null = null
  const readUndescribed = async (): Promise<Map<MarketId, Millis>> => {
    const records = (await history.recordsAt(END_OF_TIME, null)).filter(isUndescribed)
    return new Map(records.map(({ market, knownAt }) => [market, knownAt]))
  }

  const adoptFacts: ImportHost['adoptFacts'] = async (versions, _isCounted, step) => {
    undescribedMarkets ??= await readUndescribed()
    const keys = versions.map(({ facts }) => ({ venue: facts.venue, ticker: facts.ticker }))
    const ids = await history.marketIds(keys)
    const rows = versions.flatMap((version, index): FactsRow[] => {
      const market = ids[index]
      return market === undefined ? [] : [{ market, ...version }]
    })
    const adoptionCounts = await history.adoptFacts(rows, step)
    await history.adoptFacts(replacementsIn(rows, undescribedMarkets))
    return adoptionCounts
  }

  const describeByIds: ImportHost['describeByIds'] = async (versions, dryRun) => {
    undescribedMarkets ??= await readUndescribed()
    const knownSettlements = undescribedMarkets
    const ids = versions.map(({ facts }) => history.marketIdOf(facts.ticker)?.market ?? null)
    const records = await history.recordsAt(
      END_OF_TIME,
      ids.filter((id) => id !== null),
    )
    const describedMarkets = new Set(records.map(({ market }) => market))
    const isNew = ids.map((id) => id === null || !describedMarkets.has(id))
    if (!dryRun) {
      const newVersions = versions.filter((_, index) => isNew[index] === true)
      await adoptFacts(newVersions, false)
      versions.forEach(({ knownAt }, index) => {
        const id = ids[index]
        if (isNew[index] === true && id !== null && id !== undefined)
          knownSettlements.set(id, knownAt)
      })
    }
    return ids.map(
      (id, index) => isNew[index] === true || (id !== null && knownSettlements.has(id)),
    )
  }

  const addMarketIds = async <R extends { readonly venue: Venue; readonly ticker: Ticker }>(
    rows: readonly R[] = [],
  ): Promise<(R & { readonly market: MarketId })[]> => {
    const ids = await history.marketIds(rows)
    return rows.flatMap((row, index) => {
      const market = ids[index]
      return market === undefined ? [] : [{ ...row, market }]
    })
  }

  const storeStatements: ImportHost['storeStatements'] = async (statements, step) => {
    const { changes, coverage = [], corrections } = statements
    const marketNames = coverage.flatMap(({ venue, ticker }) =>
      ticker === null ? [] : [{ venue, ticker }],
    )
    const ids = (await history.marketIds(marketNames)).values()
    const markets = coverage.map(({ ticker }) =>
      ticker === null ? null : (ids.next().value ?? null),
    )
    const rows = {
      changes: await addMarketIds(changes),
      corrections: await addMarketIds(corrections),
      coverage: coverage.map((row, index) => ({ ...row, market: markets[index] ?? null })),
    }
    return history.storeStatements(rows, step)
  }

  const settle: ImportHost['settle'] = async (outcomes, dryRun, step) => {
    const ids = outcomes.map(({ ticker, venue }) => {
      const marketId = history.marketIdOf(ticker)
      return marketId?.venue === venue ? marketId.market : null
    })
    const present = ids.filter((id) => id !== null)
    const records = new Map(
      (await history.recordsAt(END_OF_TIME, present)).map((record) => [record.market, record]),
    )
    const rows: FactsRow[] = []
    const statuses = outcomes.map((outcome, index): OutcomeStatus => {
      const id = ids[index] ?? null
      const record = id === null ? undefined : records.get(id)
      if (record === undefined) return 'no such market'
      const status = statusOf(outcome, record)
      if (status === 'taken') rows.push(settledVersion(outcome, record))
      return status
    })
    if (!dryRun) await history.adoptFacts(rows, step && { ...step, result: statuses })
    return statuses
  }

  const tickersByName = async (
    venue: Venue,
    names: readonly string[],
  ): Promise<(Ticker | null)[]> => {
    const requestedNames = new Set(names)
    const tickersById = new Map<string, Ticker>()
    for (const { facts } of await history.recordsAt(END_OF_TIME, null)) {
      if (facts.venue !== venue) continue
      for (const alias of facts.aliases)
        if (requestedNames.has(alias)) tickersById.set(alias, facts.ticker)
    }
    return names.map((name) => tickersById.get(name) ?? null)
  }

  const assetsById = async (ids: readonly string[]): Promise<NamedAsset[]> => {
    const requestedIds = new Set(ids)
    const records = await history.recordsAt(END_OF_TIME, null)
    return records.flatMap(({ facts: { ticker, assetIds } }) =>
      assetIds.flatMap((asset, index): NamedAsset[] =>
        requestedIds.has(asset) ? [{ ticker, asset, outcome: index === 0 ? 0 : 1 }] : [],
      ),
    )
  }

  const nameMarkets: ImportHost['nameMarkets'] = async (titles, dryRun) => {
    const versions = await history.recordsBetween(-1 as Millis, END_OF_TIME)
    const { rows, statuses } = namedVersions(
      versions.filter(({ facts }) => facts.venue === 'venue_a'),
      titles,
    )
    for (let start = 0; !dryRun && start < rows.length; start += VERSIONS_PER_APPEND) {
      await history.adoptFacts(rows.slice(start, start + VERSIONS_PER_APPEND))
    }
    return statuses
  }

  return {
    marketIds: (keys) => history.marketIds(keys),
    adopt: ({ kind, path, content, source }, step) =>
      history.adopt(kind, path, {
        content,
        ...(source !== null && { source }),
        ...(step && { step }),
      }),
    adoptFacts,
    storeStatements,
    settle,
    tickersByName,
    assetsById,
    nameMarkets,
    describeByIds,
    stepsOf: (importId) => history.importSteps(importId),
    deleteOthers: (importId) => history.deleteImportSteps(importId),
  }
}

const isUndescribed = ({ facts }: Pick<MarketRecord, 'facts'>): boolean =>
  facts.tags.includes(UNDESCRIBED)

/**
 * Descriptions that were known before the rows of a market that had none, repeated for the
 * instants after these.
 */
function replacementsIn(
  rows: readonly FactsRow[],
  undescribedMarkets: Map<MarketId, Millis>,
): FactsRow[] {
  const newest = new Map<MarketId, FactsRow>()
  for (const row of rows) {
    const since = undescribedMarkets.get(row.market)
    const previous = newest.get(row.market)
    if (since === undefined || row.knownAt > since || isUndescribed(row)) continue
    if (previous === undefined || previous.knownAt <= row.knownAt) newest.set(row.market, row)
  }
  return [...newest.values()].map((row) => {
    const since = undescribedMarkets.get(row.market) ?? row.knownAt
    undescribedMarkets.delete(row.market)
    return { ...row, knownAt: (since + 1) as Millis }
  })
}

function statusOf(outcome: Outcome, { facts }: MarketRecord): OutcomeStatus {
  if (facts.status === 'settled') return facts.result === outcome.result ? 'known' : 'other result'
  return outcome.knownAt !== null || facts.status === 'closed' ? 'taken' : 'no end on file'
}

/** At least one millisecond after the version before, so that the two keep their order. */
const settledVersion = (
  { result, settlementPrice, knownAt: reportedAt }: Outcome,
  { market, facts, knownAt }: MarketRecord,
): FactsRow => ({
  market,
  knownAt: Math.max(knownAt + 1, reportedAt ?? 0) as Millis,
  facts: { ...facts, status: 'settled', result, settlementPrice },
})
