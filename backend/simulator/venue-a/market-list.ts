import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { pageOf } from '../page-cursor.ts'
import type { Tape } from '../tape/trades.ts'
import { badRequest, integer, list, seconds } from './answers.ts'
import { combos } from './combos.ts'
import { closeTimeOf, listStatusOf, updatedAt, wireMarket } from './wire.ts'

const FAMILIES = ['created', 'close', 'settled', 'updated'] as const
type Family = (typeof FAMILIES)[number]
/** Status values that may be combined with a family of time filters. */
const ALLOWED: Record<Family, readonly string[]> = {
  created: ['unopened', 'open'],
  close: ['closed'],
  settled: ['settled'],
  updated: [],
}
const STATUSES = ['unopened', 'open', 'paused', 'closed', 'settled']

/** `GET /markets`: newest first, with the venue's rules for combinations of filters. */
export function marketList(
  query: URLSearchParams,
  now: number,
  cutoff: number,
  catalogue: Catalogue,
  tape: Tape,
): { markets: unknown[]; cursor: string } {
  const limit = integer(query, 'limit', 100, 1, 1_000)
  const { status, keep } = filterOf(query, now)
  const mve = query.get('mve_filter')
  const rows: Row[] = []
  if (mve !== 'only')
    for (const market of catalogue.markets('venue_a', now))
      if (market.settledAt >= cutoff && keep(market))
        rows.push({
          createdAt: market.createdAt,
          id: market.id,
          wire: () => wireMarket(market, now, tape),
        })
  const wantsCombos =
    mve !== 'exclude' && (status === null || status === 'open') && !isNarrow(query)
  if (wantsCombos) {
    const pausedCount = Math.max(2, Math.round(catalogue.markets('venue_a', now).length / 5))
    for (const combo of combos(catalogue, now, pausedCount))
      rows.push({ ...combo, wire: () => combo.wire })
  }
  rows.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
  const page = pageOf(rows, (row) => [-row.createdAt, row.id], limit, query.get('cursor'))
  if (page === null) throw badRequest('invalid cursor')
  return { markets: page.page.map((row) => row.wire()), cursor: page.next }
}

interface Row {
  readonly createdAt: number
  readonly id: string
  readonly wire: () => Record<string, unknown>
}

const isNarrow = (query: URLSearchParams): boolean =>
  [
    'tickers',
    'event_ticker',
    'series_ticker',
    'min_close_ts',
    'max_close_ts',
    'min_settled_ts',
    'max_settled_ts',
    'min_updated_ts',
    'max_updated_ts',
    'min_created_ts',
    'max_created_ts',
  ].some((name) => query.has(name))

function filterOf(
  query: URLSearchParams,
  now: number,
): { status: string | null; keep: (market: SimMarket) => boolean } {
  const status = query.get('status') === '' ? null : query.get('status')
  if (status !== null && !STATUSES.includes(status)) throw badRequest(`invalid status ${status}`)
  const usedFamilies = FAMILIES.filter(
    (family) => query.has(`min_${family}_ts`) || query.has(`max_${family}_ts`),
  )
  if (usedFamilies.length > 1) throw badRequest('timestamp filters cannot be combined')
  const family = usedFamilies[0] ?? null
  if (family !== null && status !== null && !ALLOWED[family].includes(status))
    throw badRequest(`status ${status} cannot be combined with ${family} filters`)
  if (family === 'updated' && query.has('series_ticker') && query.get('mve_filter') !== 'exclude')
    throw badRequest('series_ticker needs mve_filter=exclude here')
  const from = family === null ? null : seconds(query, `min_${family}_ts`)
  const to = family === null ? null : seconds(query, `max_${family}_ts`)
  const tickers = list(query.get('tickers'))
  const tickerSet = tickers.length === 0 ? null : new Set(tickers)
  const event = query.get('event_ticker')
  const series = query.get('series_ticker')
  return {
    status,
    keep: (market) => {
      if (status !== null && listStatusOf(market, now) !== status) return false
      if (tickerSet !== null && !tickerSet.has(market.id)) return false
      if (event !== null && event !== '' && market.event.id !== event) return false
      if (series !== null && series !== '' && market.event.seriesTicker !== series) return false
      if (family === null) return true
      const time = timeOf(market, family, now)
      return time !== null && (from === null || time >= from) && (to === null || time <= to)
    },
  }
}

function timeOf(market: SimMarket, family: Family, now: number): number | null {
  switch (family) {
    case 'created':
      return market.createdAt
    case 'close':
      return closeTimeOf(market, now)
    case 'settled':
      return market.settledAt <= now ? market.settledAt : null
    case 'updated':
      return updatedAt(market, now)
  }
}
