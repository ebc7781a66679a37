import {
  canonicalTicker,
  MARKET_STATUSES,
  type MarketFacts,
  type PriceRange,
} from '../../../domain/market.ts'
import { listOf, wireOf } from '../../../venues/fields.ts'
import { priceInRange } from '../../../venues/parsed.ts'
import { RefusedRow, type Cells } from '../cells.ts'
import { requireValue, neededText, choiceIn, priceIn, timeOf } from './exported-cells.ts'
import { rowLayout } from '../read-rows.ts'
import type { PriceE4 } from '../../../domain/units.ts'

/**
 * Columns of `augury export --kind markets`: one row per version of a market's facts.
 * `known_at_ms` and the times are Unix ms, `settlement_price_e4` is 1e-4 dollars; tags,
 * price_ranges (start, end and step in 1e-4 dollars), aliases and asset_ids are JSON texts;
 * status, result and volume_unit have the values of `MarketFacts`.
 */
export const MARKETS_COLUMNS = [
  'venue',
  'ticker',
  'known_at_ms',
  'title',
  'subtitle',
  'description',
  'rules_url',
  'event_id',
  'event_title',
  'series_id',
  'series_title',
  'category',
  'tags',
  'status',
  'result',
  'settlement_price_e4',
  'open_time_ms',
  'close_time_ms',
  'expiration_time_ms',
  'exclusive',
  'price_ranges',
  'volume_unit',
  'aliases',
  'asset_ids',
] as const

/** Versions of facts as `augury export` writes them; see `augury-export.ts`. */
export const exportedMarkets = rowLayout({
  name: 'augury_markets',
  venue: null,
  columns: MARKETS_COLUMNS,
  rank: 1,
  counted: 'market_described',
  rowsOf: () => (cells) => {
    const facts = factsOf(cells)
    const knownAt = timeOf(cells, 'known_at_ms')
    if (knownAt === null) throw new RefusedRow('known_at_ms is missing')
    const { venue, ticker } = facts
    return [
      {
        type: 'market_described',
        venue,
        ticker,
        at: knownAt,
        receivedAt: knownAt,
        origin: 'imported',
        facts,
      },
    ]
  },
})

function listIn(cells: Cells, column: string): readonly unknown[] {
  const text = cells.text(column)
  if (text === null) return []
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return listOf(value)
  } catch {
    // Refused below, like JSON that is no list.
  }
  throw new RefusedRow(`${column} is not a JSON list`)
}

const textsIn = (cells: Cells, column: string): string[] =>
  listIn(cells, column).map((value) => {
    if (typeof value !== 'string') throw new RefusedRow(`${column} is not a list of texts`)
    return value
  })

const isPrice = (price: PriceE4 | null | undefined): price is PriceE4 =>
  price !== null && price !== undefined

const rangesIn = (cells: Cells): PriceRange[] =>
  listIn(cells, 'price_ranges').map((value) => {
    const range = wireOf(value) ?? {}
    const [start, end, step] = [range['start'], range['end'], range['step']].map((price) =>
      typeof price === 'number' && Number.isInteger(price) ? priceInRange(price) : null,
    )
    if (!isPrice(start) || !isPrice(end) || !isPrice(step)) {
      throw new RefusedRow('price_ranges is not a list of price ranges')
    }
    return { start, end, step }
  })

const factsOf = (cells: Cells): MarketFacts => ({
  venue: requireValue(choiceIn(cells, 'venue', ['venue_a', 'venue_b']), 'venue'),
  ticker: canonicalTicker(neededText(cells, 'ticker')),
  title: cells.text('title') ?? '',
  subtitle: cells.text('subtitle'),
  description: cells.text('description') ?? '',
  rulesUrl: cells.text('rules_url'),
  eventId: cells.text('event_id') ?? '',
  eventTitle: cells.text('event_title'),
  seriesId: cells.text('series_id'),
  seriesTitle: cells.text('series_title'),
  category: cells.text('category') ?? '',
  tags: textsIn(cells, 'tags'),
  status: requireValue(choiceIn(cells, 'status', MARKET_STATUSES), 'status'),
  result: choiceIn(cells, 'result', ['yes', 'no', 'scalar', 'void']),
  settlementPrice: priceIn(cells, 'settlement_price_e4'),
  openTime: timeOf(cells, 'open_time_ms'),
  closeTime: timeOf(cells, 'close_time_ms'),
  expirationTime: timeOf(cells, 'expiration_time_ms'),
  exclusive: cells.flag('exclusive') === true,
  priceRanges: rangesIn(cells),
  volumeUnit: requireValue(choiceIn(cells, 'volume_unit', ['contracts', 'usd']), 'volume_unit'),
  aliases: textsIn(cells, 'aliases'),
  assetIds: textsIn(cells, 'asset_ids'),
})
