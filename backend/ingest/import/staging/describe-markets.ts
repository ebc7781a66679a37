import type { DuckDBResult } from '@duckdb/node-api'
import type { FactsVersion } from '../import-host.ts'
import type { Reading } from '../reading.ts'

const ROWS_PER_REQUEST = 1_000

type Row = Readonly<Record<string, unknown>>

/**
 * Imports rows that each describe a market.
 * @param rows with a column `row`, the number of the row
 * @param versionsOf the versions of the market's facts, oldest first, or why the row is refused
 */
export async function describeMarkets(
  rows: DuckDBResult,
  versionsOf: (row: Row) => readonly FactsVersion[] | string,
  reading: Reading,
): Promise<void> {
  let pendingVersions: (readonly FactsVersion[])[] = []
  for await (const chunk of rows.yieldRowObjectJs()) {
    reading.signal.throwIfAborted()
    for (const row of chunk) {
      const versions = versionsOf(row)
      if (typeof versions === 'string') reading.tally.refuse(versions, 1, Number(row['row']))
      else pendingVersions.push(versions)
    }
    if (pendingVersions.length >= ROWS_PER_REQUEST) {
      await adoptMarkets(pendingVersions, reading)
      pendingVersions = []
    }
  }
  if (pendingVersions.length > 0) await adoptMarkets(pendingVersions, reading)
}

/** A row counts as taken when the first version of its market is new. */
export async function adoptMarkets(
  markets: readonly (readonly FactsVersion[])[],
  { tally, host, dryRun, described, named, assets }: Reading,
): Promise<void> {
  const first = markets.flatMap((versions) => versions.slice(0, 1))
  const laterVersions = markets.flatMap((versions) => versions.slice(1))
  // The later versions are stored first: after an interruption between the two, the row still
  // counts as new.
  if (laterVersions.length > 0 && !dryRun) await host.adoptFacts(laterVersions, false)
  const adoptionCounts = dryRun ? { taken: first.length, known: 0 } : await host.adoptFacts(first)
  const status = adoptionCounts.taken > 0 ? 'taken' : 'known'
  for (const { facts } of first) {
    named.set(`${facts.venue} ${facts.ticker}`, facts.ticker)
    const [yes, no] = facts.assetIds
    if (yes !== undefined) assets.set(`${facts.ticker} ${yes}`, 0)
    if (no !== undefined) assets.set(`${facts.ticker} ${no}`, 1)
    for (const alias of facts.aliases) named.set(`${facts.venue} ${alias}`, facts.ticker)
    described.set(`event ${facts.eventId}`, status)
    if (facts.seriesId !== null) described.set(`series ${facts.seriesId}`, status)
  }
  tally.settle(adoptionCounts)
}
