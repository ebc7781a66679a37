import type { MarketFacts, Ticker, Venue } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import type { CoverageRow } from '../../history/coverage.ts'
import type { FactsRow } from '../../history/history-batch.ts'
import type { HistoryImports, StagedKind } from '../../history/history-copies.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId, MarketKey } from '../../history/market-key.ts'
import type { MarketRecord, TradeCorrection } from '../../history/market-rows.ts'
import { namedVersions } from './named-versions.ts'
import type { EventTitle, SeriesTitle, TitleFate } from './titles.ts'

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

/** A row that names its market. */
type Named<R> = Omit<R, 'market'> & MarketKey
export type StatedChange = Named<ChangeRow>
export type StatedWord = Named<TradeCorrection>
/** Of every market of the venue where the ticker is null. */
export type StatedCoverage = Omit<CoverageRow, 'market'> & { readonly ticker: Ticker | null }

/** What another history stated beside ticks and facts, on its way to this one. */
export interface Statements {
  readonly changes?: readonly StatedChange[]
  readonly coverage?: readonly StatedCoverage[]
  readonly corrections?: readonly StatedWord[]
}

/** How a market ended. */
export interface Outcome {
  readonly venue: Venue
  readonly ticker: Ticker
  readonly result: 'yes' | 'no' | 'scalar'
  /** What YES pays. */
  readonly settlementPrice: PriceE4
  /** When that was known; null where only the result is told, which then needs an end on file. */
  readonly knownAt: Millis | null
}

export type OutcomeFate = 'taken' | 'known' | 'no such market' | 'no end on file' | 'other result'

/** An asset of venue_b: 0 stands for YES. */
export interface NamedAsset {
  readonly ticker: Ticker
  readonly asset: string
  readonly outcome: 0 | 1
}

/**
 * The history as a reader of files sees it. The reader runs in a thread of its own, so everything
 * here is asynchronous and made of plain values.
 */
export interface ImportHost {
  /** Numbers of these markets, in order; new ones are registered. */
  marketIds(keys: readonly MarketKey[]): Promise<readonly MarketId[]>
  /**
   * Takes over a staged Parquet file.
   * @param source name of the file that its rows came from; null where what they cover is stated apart
   */
  adopt(kind: StagedKind, path: string, source: string | null): Promise<Adopted>
  adoptFacts(versions: readonly FactsVersion[]): Promise<Adopted>
  adoptStated(statements: Statements): Promise<Adopted>
  /**
   * Settles markets from the instant their end became known.
   * @param dryRun says what would become of the outcomes and stores nothing
   */
  settle(outcomes: readonly Outcome[], dryRun: boolean): Promise<readonly OutcomeFate[]>
  /** Markets by another name of theirs (a numeric id, a slug), in order; null where none has it. */
  tickersNamed(venue: Venue, names: readonly string[]): Promise<readonly (Ticker | null)[]>
  /** Markets of venue_b that have these assets, and which outcome each is of. */
  assetsNamed(ids: readonly string[]): Promise<readonly NamedAsset[]>
  /**
   * Names the markets of venue_a that these events and series have in the history, where a version of
   * their facts lacks it: by a further version, one millisecond later.
   */
  nameMarkets(
    titles: { readonly events: readonly EventTitle[]; readonly series: readonly SeriesTitle[] },
    dryRun: boolean,
  ): Promise<{ readonly events: readonly TitleFate[]; readonly series: readonly TitleFate[] }>
}

/** Past every instant: the newest version of anything. */
const END_OF_TIME = 8_640_000_000_000_000 as Millis
const VERSIONS_PER_APPEND = 5_000

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

  const numbered = async <R extends { readonly venue: Venue; readonly ticker: Ticker }>(
    rows: readonly R[] = [],
  ): Promise<(R & { readonly market: MarketId })[]> => {
    const ids = await history.marketIds(rows)
    return rows.flatMap((row, index) => {
      const market = ids[index]
      return market === undefined ? [] : [{ ...row, market }]
    })
  }

  const adoptStated = async (statements: Statements): Promise<Adopted> => {
    const { changes, coverage = [], corrections } = statements
    const ofMarkets = coverage.flatMap(({ venue, ticker }) =>
      ticker === null ? [] : [{ venue, ticker }],
    )
    const ids = (await history.marketIds(ofMarkets)).values()
    const markets = coverage.map(({ ticker }) =>
      ticker === null ? null : (ids.next().value ?? null),
    )
    return history.adoptStated({
      changes: await numbered(changes),
      corrections: await numbered(corrections),
      coverage: coverage.map((row, index) => ({ ...row, market: markets[index] ?? null })),
    })
  }

  const settle = async (outcomes: readonly Outcome[], dryRun: boolean): Promise<OutcomeFate[]> => {
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
    if (!dryRun) await history.adoptFacts(rows)
    return fates
  }

  const tickersNamed = async (
    venue: Venue,
    names: readonly string[],
  ): Promise<(Ticker | null)[]> => {
    const wanted = new Set(names)
    const found = new Map<string, Ticker>()
    for (const { facts } of await history.recordsAt(END_OF_TIME, null)) {
      if (facts.venue !== venue) continue
      for (const alias of facts.aliases) if (wanted.has(alias)) found.set(alias, facts.ticker)
    }
    return names.map((name) => found.get(name) ?? null)
  }

  const assetsNamed = async (ids: readonly string[]): Promise<NamedAsset[]> => {
    const wanted = new Set(ids)
    const records = await history.recordsAt(END_OF_TIME, null)
    return records.flatMap(({ facts: { ticker, assetIds } }) =>
      assetIds.flatMap((asset, index): NamedAsset[] =>
        wanted.has(asset) ? [{ ticker, asset, outcome: index === 0 ? 0 : 1 }] : [],
      ),
    )
  }

  const nameMarkets: ImportHost['nameMarkets'] = async (titles, dryRun) => {
    const versions = await history.recordsBetween(-1 as Millis, END_OF_TIME)
    const { rows, fates } = namedVersions(
      versions.filter(({ facts }) => facts.venue === 'venue_a'),
      titles,
    )
    for (let start = 0; !dryRun && start < rows.length; start += VERSIONS_PER_APPEND) {
      await history.adoptFacts(rows.slice(start, start + VERSIONS_PER_APPEND))
    }
    return fates
  }

  return {
    marketIds: (keys) => history.marketIds(keys),
    adopt: (kind, path, source) => history.adopt(kind, path, source ?? undefined),
    adoptFacts,
    adoptStated,
    settle,
    tickersNamed,
    assetsNamed,
    nameMarkets,
  }
}

function fateOf(outcome: Outcome, { facts }: MarketRecord): OutcomeFate {
  if (facts.status === 'settled') return facts.result === outcome.result ? 'known' : 'other result'
  return outcome.knownAt !== null || facts.status === 'closed' ? 'taken' : 'no end on file'
}

/** At the earliest one millisecond after the version before, so that the two keep their order. */
const settledVersion = (
  { result, settlementPrice, knownAt: toldAt }: Outcome,
  { market, facts, knownAt }: MarketRecord,
): FactsRow => ({
  market,
  knownAt: Math.max(knownAt + 1, toldAt ?? 0) as Millis,
  facts: { ...facts, status: 'settled', result, settlementPrice },
})
