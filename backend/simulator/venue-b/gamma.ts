import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SimEvent, SimMarket } from '../catalogue/market.ts'
import { json } from '../reply.ts'
import type { Call, Route } from '../http-server.ts'
import type { Reply } from '../reply.ts'
import { pageOf } from '../page-cursor.ts'
import type { Tape } from '../tape/trades.ts'
import { dollarVolume, gammaEvent, gammaMarket, seriesOf, tagsOf } from './gamma-wire.ts'
import { isClosed } from './state.ts'

const MARKET_PAGE = 100
const EVENT_PAGE = 500

const refuse = (message: string): Reply => json({ type: 'validation error', error: message }, 422)
const missing = (): Reply => json({ type: 'not found error', error: 'not found' }, 404)

/** The routes of the metadata service. */
export function gammaRoutes(catalogue: Catalogue, tape: Tape): Route[] {
  const get = (path: string, answer: (call: Call) => Reply): Route => ({
    method: 'GET',
    path,
    answer,
  })
  const marketsFor = ({ query, now }: Call): SimMarket[] =>
    sortByParam(
      catalogue.markets('venue_b', now).filter(marketFilter(query, now)),
      query,
      (market) => marketKey(market, query.get('order'), now, tape),
    )
  const eventsFor = ({ query, now }: Call): SimEvent[] =>
    sortByParam(catalogue.events('venue_b', now).filter(eventFilter(query, now)), query, (event) =>
      eventKey(event, query.get('order'), now, tape),
    )
  const wire =
    ({ query, now }: Call) =>
    (market: SimMarket) =>
      gammaMarket(market, now, tape, true, query.get('include_tag') === 'true')
  const marketReply = (call: Call, market: SimMarket | undefined): Reply =>
    market === undefined ? missing() : json(wire(call)(market))

  return [
    get('/markets/keyset', (call) => {
      if (call.query.has('offset')) return refuse('offset is not supported')
      if (call.query.getAll('condition_ids').length > 100)
        return refuse('condition_ids: at most 100')
      const rows = marketsFor(call)
      const page = pageOf(
        rows.map((row, i) => ({ row, i })),
        keysetOrder(
          (market) => market.createdAt,
          (market) => market.id,
          call.query,
        ),
        limitOf(call.query, MARKET_PAGE),
        call.query.get('after_cursor'),
      )
      if (page === null) return refuse('after_cursor is invalid')
      return json({
        markets: page.page.map(({ row }) => wire(call)(row)),
        ...(page.next === '' ? {} : { next_cursor: page.next }),
      })
    }),
    get('/events/keyset', (call) => {
      if (call.query.has('offset')) return refuse('offset is not supported')
      const rows = eventsFor(call)
      const page = pageOf(
        rows.map((row, i) => ({ row, i })),
        keysetOrder(
          (event) => event.createdAt,
          (event) => event.id,
          call.query,
        ),
        limitOf(call.query, EVENT_PAGE),
        call.query.get('after_cursor'),
      )
      if (page === null) return refuse('after_cursor is invalid')
      return json({
        events: page.page.map(({ row }) => gammaEvent(row, call.now, tape)),
        ...(page.next === '' ? {} : { next_cursor: page.next }),
      })
    }),
    get('/markets', (call) =>
      json(offsetPage(marketsFor(call), call.query, MARKET_PAGE).map(wire(call))),
    ),
    get('/events', (call) =>
      json(
        offsetPage(eventsFor(call), call.query, EVENT_PAGE).map((event) =>
          gammaEvent(event, call.now, tape),
        ),
      ),
    ),
    get('/markets/slug/:slug', (call) =>
      marketReply(
        call,
        catalogue.markets('venue_b', call.now).find((market) => market.slug === call.params[0]),
      ),
    ),
    get('/markets/:id', (call) => {
      const id = call.params[0] ?? ''
      if (!/^\d+$/.test(id)) return refuse('id is invalid')
      return marketReply(
        call,
        catalogue.markets('venue_b', call.now).find((market) => market.number === id),
      )
    }),
    get('/events/slug/:slug', ({ params, now }) => {
      const event = catalogue
        .events('venue_b', now)
        .find((candidate) => candidate.slug === params[0])
      return event === undefined ? missing() : json(gammaEvent(event, now, tape))
    }),
    get('/events/:id', ({ params, now }) => {
      const event = catalogue.event('venue_b', params[0] ?? '', now)
      return event === null ? missing() : json(gammaEvent(event, now, tape))
    }),
    get('/tags', ({ query, now }) =>
      json(offsetPage(unique(catalogue.events('venue_b', now).flatMap(tagsOf)), query, 100)),
    ),
    get('/series', ({ query, now }) => {
      const all = catalogue
        .events('venue_b', now)
        .map(seriesOf)
        .filter((series) => series !== null)
      return json(offsetPage(unique(all), query, 50))
    }),
  ]
}

const unique = <T extends { id: string }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
]

const limitOf = (query: URLSearchParams, max: number): number => {
  const limit = Number(query.get('limit') ?? Math.min(max, 20))
  return Math.max(1, Math.min(max, Number.isInteger(limit) ? limit : max))
}

function offsetPage<T>(rows: readonly T[], query: URLSearchParams, max: number): T[] {
  const offset = Math.max(0, Number(query.get('offset') ?? 0) || 0)
  return rows.slice(offset, offset + limitOf(query, max))
}

/** Rows are ordered by creation, or by rank if an order was requested. */
function keysetOrder<Row>(
  createdAt: (row: Row) => number,
  id: (row: Row) => string,
  query: URLSearchParams,
) {
  const byRank = query.has('order')
  return ({ row, i }: { row: Row; i: number }): readonly [number, string] =>
    byRank ? [i, ''] : [createdAt(row), id(row)]
}

function sortByParam<Row>(rows: Row[], query: URLSearchParams, key: (row: Row) => number): Row[] {
  if (!query.has('order')) return rows
  const sign = query.get('ascending') === 'true' ? 1 : -1
  const keys = new Map(rows.map((row) => [row, key(row)]))
  return rows.sort((a, b) => sign * ((keys.get(a) ?? 0) - (keys.get(b) ?? 0)))
}

function marketKey(market: SimMarket, order: string | null, now: number, tape: Tape): number {
  switch (order) {
    case 'volume24hr':
      return dollarVolume(market, now, tape) - dollarVolume(market, now - 86_400_000, tape)
    case 'volume':
    case 'volumeNum':
      return dollarVolume(market, now, tape)
    case 'endDate':
      return market.endAt
    case 'id':
      return Number(market.number)
    case 'closedTime':
      return market.determinedAt
    default:
      return market.openAt
  }
}

function eventKey(event: SimEvent, order: string | null, now: number, tape: Tape): number {
  if (order === 'endDate') return event.endsAt
  if (order === 'id') return Number(event.id)
  if (order === null || order === 'startDate') return event.createdAt
  return event.markets.reduce((sum, market) => sum + marketKey(market, order, now, tape), 0)
}

/** Closed ones are left out unless requested, even if other filters match them. */
function marketFilter(query: URLSearchParams, now: number): (market: SimMarket) => boolean {
  const closed = query.get('closed') === 'true'
  const conditions = setOf(query, 'condition_ids')
  const ids = setOf(query, 'id')
  const slugs = setOf(query, 'slug')
  const tokens = setOf(query, 'clob_token_ids')
  const tag = query.get('tag_id')
  const endsInRange = endTimeFilter(query)
  return (market) =>
    isClosed(market, now) === closed &&
    (conditions === null || conditions.has(market.id)) &&
    (ids === null || ids.has(market.number)) &&
    (slugs === null || slugs.has(market.slug)) &&
    (tokens === null || market.tokens.some((token) => tokens.has(token))) &&
    (tag === null || tagsOf(market.event).some(({ id }) => id === tag)) &&
    endsInRange(market.endAt)
}

function eventFilter(query: URLSearchParams, now: number): (event: SimEvent) => boolean {
  const closedParam = query.get('closed')
  const ids = setOf(query, 'id')
  const slugs = setOf(query, 'slug')
  const tag = query.get('tag_id')
  const tagSlug = query.get('tag_slug')
  const series = query.get('series_id')
  const endsInRange = endTimeFilter(query)
  return (event) =>
    event.markets
      .filter((market) => market.createdAt <= now)
      .every((market) => isClosed(market, now)) ===
      (closedParam === 'true') &&
    (ids === null || ids.has(event.id)) &&
    (slugs === null || slugs.has(event.slug)) &&
    (tag === null || tagsOf(event).some(({ id }) => id === tag)) &&
    (tagSlug === null || tagsOf(event).some(({ slug }) => slug === tagSlug)) &&
    (series === null || seriesOf(event)?.id === series) &&
    endsInRange(event.endsAt)
}

const setOf = (query: URLSearchParams, name: string): Set<string> | null =>
  query.has(name) ? new Set(query.getAll(name).flatMap((text) => text.split(','))) : null

function endTimeFilter(query: URLSearchParams): (at: number) => boolean {
  const from = Date.parse(query.get('end_date_min') ?? '')
  const to = Date.parse(query.get('end_date_max') ?? '')
  return (at) => !(at < from) && !(at > to)
}
