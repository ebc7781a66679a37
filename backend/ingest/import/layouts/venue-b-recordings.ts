import { idOf, listOf, pick, textOf, wireOf, type Wire } from '../../../venues/fields.ts'
import { parseEventContext } from '../../../venues/venue-b/event-context.ts'
import { parseGammaMarketsPage } from '../../../venues/venue-b/parse.ts'
import { parseDataTradesPage, type Ordinals } from '../../../venues/venue-b/parse-tape.ts'
import { gammaOfClob } from './venue-b-messages.ts'
import type { RecordedRow, Recording } from '../recording.ts'

/**
 * The recording of a response of venue_b's catalogue or trade tape, detected by its content; null
 * for any other payload.
 */
export function venueBRecording(body: unknown): Recording | null {
  const page = wireOf(body)
  const isSingle = page !== null && (isMarket(page) || isEvent(page))
  const list = page === null ? listOf(body) : isSingle ? [page] : (listIn(page) ?? [page])
  const first = wireOf(list[0])
  if (first === null) return null
  if (isTrade(first)) return tradesRecording(list)
  if (isMarket(first)) {
    const rows = list.map(
      (market): RecordedRow =>
        (context) =>
          parseGammaMarketsPage([gammaOfClob(wireOf(market) ?? {})], context),
    )
    return marketsOf('venue_b_markets', rows)
  }
  return isEvent(first) ? marketsOf('venue_b_events', list.flatMap(nestedRows)) : null
}

const listIn = (page: Wire): readonly unknown[] | null =>
  [page['events'], page['markets'], page['data']].find((value) => Array.isArray(value)) ?? null

const isTrade = (row: Wire): boolean =>
  textOf(row['conditionId']) !== null && textOf(row['side']) !== null && row['price'] !== undefined
const isMarket = (row: Wire): boolean =>
  textOf(pick(row, 'conditionId', 'condition_id')) !== null && textOf(row['question']) !== null
const isEvent = (row: Wire): boolean =>
  idOf(row['id']) !== null && textOf(row['slug']) !== null && Array.isArray(row['markets'])

const marketsOf = (layout: string, rows: readonly RecordedRow[]): Recording => ({
  layout,
  venue: 'venue_b',
  rank: 1,
  counted: 'market_described',
  rows,
})

/** The markets of an event, each parsed separately; shared fields are read from the whole event. */
function nestedRows(event: unknown): RecordedRow[] {
  const eventContext = parseEventContext(event)
  const { markets, ...eventFields } = wireOf(event) ?? {}
  return listOf(markets).map(
    (market) => (context) =>
      parseGammaMarketsPage(
        [{ ...wireOf(market), events: [eventFields] }],
        context,
        () => eventContext,
      ),
  )
}

function tradesRecording(trades: readonly unknown[]): Recording {
  const ordinals: Ordinals = new Map()
  return {
    layout: 'venue_b_trades',
    venue: 'venue_b',
    rank: 3,
    counted: 'trade_printed',
    rows: trades.map(
      (trade) => (context) => parseDataTradesPage([trade], context, () => null, ordinals),
    ),
  }
}
