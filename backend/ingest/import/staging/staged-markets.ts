import { canonicalTicker, type Venue } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import type { FactsVersion, ImportHost } from '../import-host.ts'
import { plainFacts } from '../imported-events.ts'
import { titleOfSlug } from '../slug-outcome.ts'
import type { Tally } from '../tally.ts'
import { UNDESCRIBED } from './undescribed-tag.ts'

const MARKETS_PER_REQUEST = 2_000

/** Rows of one market that a file staged. */
export interface StagedRows {
  readonly venue: Venue
  /** As the file names it. */
  readonly name: string
  readonly rows: number
  /** When the first of them was known. */
  readonly firstKnownAt: Millis
}

/** The markets of which an import staged rows. */
export interface StagedMarkets {
  add(tally: Tally, stagedRows: StagedRows): void
  /**
   * Counts the rows of markets that nothing describes in the reports of their files, and describes
   * these markets by their ids, so that their rows can be read.
   * @param described markets that this import describes, by `venue ticker`
   */
  describe(
    host: ImportHost,
    options: { readonly described: ReadonlyMap<string, unknown>; readonly dryRun: boolean },
  ): Promise<void>
}

interface KnownRows {
  venue: Venue
  name: string
  firstKnownAt: Millis
  readonly rows: Map<Tally, number>
}

export function createStagedMarkets(): StagedMarkets {
  const markets = new Map<string, KnownRows>()
  return {
    add(tally, { venue, name, rows, firstKnownAt }) {
      const key = `${venue} ${canonicalTicker(name)}`
      const existing = markets.get(key)
      if (existing === undefined) {
        markets.set(key, { venue, name, firstKnownAt, rows: new Map([[tally, rows]]) })
        return
      }
      existing.rows.set(tally, (existing.rows.get(tally) ?? 0) + rows)
      if (firstKnownAt < existing.firstKnownAt) existing.firstKnownAt = firstKnownAt
    },
    async describe(host, { described, dryRun }) {
      const open = [...markets]
        .filter(([key]) => (described.get(key) ?? null) === null)
        .map(([, market]) => market)
      for (let start = 0; start < open.length; start += MARKETS_PER_REQUEST) {
        const batch = open.slice(start, start + MARKETS_PER_REQUEST)
        const areAdded = await host.describeByIds(batch.map(versionOf), dryRun)
        batch.forEach(({ rows }, index) => {
          if (areAdded[index] !== true) return
          for (const [tally, count] of rows) tally.leaveUndescribed(count)
        })
      }
    },
  }
}

/** The rows prove that the market exists; a slug serves as its title. */
function versionOf({ venue, name, firstKnownAt }: KnownRows): FactsVersion {
  const title = venue === 'venue_b' && /[a-z]-/.test(name) ? titleOfSlug(name) : name
  const facts = plainFacts(venue, canonicalTicker(name), title, {
    tags: [UNDESCRIBED],
    aliases: [name],
  })
  return { knownAt: firstKnownAt, facts }
}
