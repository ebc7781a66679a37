import type { Venue } from '../../../../domain/market.ts'
import type { Millis } from '../../../../domain/units.ts'
import { descriptorOf, venueName } from '../../../../domain/venue.ts'
import { cellsOf, RefusedRow } from '../../cells.ts'
import type { Outcome } from '../../import-host.ts'
import { labTicker, resultByName, venueOfPlatform } from './lab-markets.ts'
import type { Reading, TableLayout } from '../../reading.ts'
import { resolveNames, textRows } from '../../read-rows.ts'
import { recordOutcomes } from '../../staging/record-outcomes.ts'

const COLUMNS = ['platform', 'platform_market_id', 'result', 'yes_payout', 'settled_at'] as const

/** Results of both venues, each known from the instant that the source states. */
export const labSettlements: TableLayout = {
  name: 'lab_settlements',
  venue: null,
  columns: [...COLUMNS, 'settlement_source'],
  rank: 2,
  async read(table, reading) {
    await resolveNames(table, 'platform_market_id', reading)
    const rows = await textRows(table, COLUMNS, reading)
    for await (const chunk of rows.yieldRowObjectJs()) {
      reading.signal.throwIfAborted()
      const outcomes: { outcome: Outcome; row: number }[] = []
      for (const row of chunk) {
        try {
          outcomes.push({ outcome: outcomeOf(row, reading), row: Number(row['#']) })
        } catch (error) {
          if (!(error instanceof RefusedRow)) throw error
          reading.tally.refuse(error.message, 1, Number(row['#']))
        }
      }
      await recordOutcomes(outcomes, 'market is unknown: import lab_markets with it', reading)
    }
  },
}

function outcomeOf(row: Readonly<Record<string, unknown>>, { named, venue }: Reading): Outcome {
  const cells = cellsOf(row)
  const platformVenue: Venue = venueOfPlatform(cells)
  if (venue !== null && platformVenue !== venue)
    throw new RefusedRow(`row belongs to another venue than ${venueName(venue)}`)
  const ticker = labTicker(cells, platformVenue, (name) => named.get(`venue_b ${name}`) ?? null)
  const result = resultByName(cells.needed('result'))
  if (cells.neededPrice('yes_payout') !== result.settlementPrice) {
    throw new RefusedRow('yes_payout is not that of the result')
  }
  const knownAt = (cells.neededTime('settled_at') +
    descriptorOf(platformVenue).publicationDelay) as Millis
  return { venue: platformVenue, ticker, ...result, knownAt }
}
