import type { Catalyst, EdgeRow, Idea, IdeaMarket } from '../../contract/edges.ts'
import { amount, cents, lines, minute, table, text, type Column } from '../terminal/output.ts'
import { list, single } from './answer.ts'
import { changed, left, PRICE, right, TICKER, TITLE, VENUE } from './market-columns.ts'
import { number, venue, word } from './read-flags.ts'
import { request, type Read } from './read.ts'
import { routePath } from '../route.ts'

const EDGE_COLUMNS: readonly Column<EdgeRow>[] = [
  TITLE,
  left('Side', (row) => text(row.direction)),
  right('Market', (row) => cents(row.marketPrice)),
  right('Thesis', (row) => cents(row.thesisPrice)),
  changed('Edge', (row) => row.edge),
  changed('Executable', (row) => row.executableEdge),
  right('Confidence', (row) => amount(row.confidence)),
  left('Type', (row) => text(row.edgeType)),
  VENUE,
  TICKER,
]

const IDEA_COLUMNS: readonly Column<Idea>[] = [
  left('Headline', (row) => text(row.headline), 60),
  left('Side', (row) => text(row.direction)),
  left('Conviction', (row) => text(row.conviction)),
  right('Edge', (row) => cents(row.edgeCents)),
  left('Horizon', (row) => text(row.timeHorizon)),
  left('Basis', (row) => text(row.basis)),
  left('Catalyst', (row) => minute(row.catalystAt)),
  left('Id', (row) => text(row.id)),
  left('Ticker', ({ markets }) => text(markets[0]?.ticker)),
]
const IDEA_MARKET_COLUMNS: readonly Column<IdeaMarket>[] = [
  TITLE,
  left('Role', (row) => text(row.role)),
  PRICE,
  right('Ask', (row) => cents(row.bestAsk)),
  VENUE,
  TICKER,
]

const ideaAnswer = single((idea: Idea, { screen }) => {
  const facts = lines([
    ['headline', text(idea.headline)],
    ['pitch', text(idea.pitch)],
    ['side', text(idea.direction)],
    ['conviction', text(idea.conviction)],
    ['edge', cents(idea.edgeCents)],
    ['basis', text(idea.basis)],
    ['horizon', text(idea.timeHorizon)],
    ['catalyst', text(idea.catalyst)],
    ['catalyst at', minute(idea.catalystAt)],
    ['risk', text(idea.risk)],
    ['category', text(idea.category)],
    ['made', minute(idea.createdAt)],
    ['expires', minute(idea.expiresAt)],
    ['id', text(idea.id)],
  ])
  return `${facts}\n\n${table(idea.markets, IDEA_MARKET_COLUMNS, screen)}`
})

const CALENDAR_COLUMNS: readonly Column<Catalyst>[] = [
  TITLE,
  left('At (UTC)', ({ timeKnown, at, date }) => (timeKnown ? minute(at) : text(date))),
  left('Kind', (row) => text(row.kind)),
  left('Importance', (row) => text(row.importance)),
  left('Category', (row) => text(row.category)),
  right('Price', ({ market }) => cents(market?.price)),
  left('Ticker', ({ market, tickers }) => text(market?.ticker ?? tickers[0])),
]

/** Trading opportunities in current prices, and the calendar of their resolution. */
export const OPPORTUNITIES: readonly Read[] = [
  {
    name: 'edges',
    summary: 'markets priced differently by theses, widest edge first',
    list: 'limited',
    flags: {
      'min-strength': number('minStrength', 'C', 'minimum edge, cents'),
      theme: word('theme', 'T', 'theme of the market'),
      venue: venue('venue', 'markets of one venue'),
    },
    routeOf: () => request('/api/edges', list('edges', EDGE_COLUMNS)),
  },
  {
    name: 'ideas',
    summary: 'trade ideas by confidence, or one of them',
    words: '[ID]',
    list: 'limited',
    routeOf: ({ words: [id] }) =>
      id === undefined
        ? request('/api/public/ideas', list('ideas', IDEA_COLUMNS))
        : request(routePath('/api/public/ideas/:id', { id }), ideaAnswer),
  },
  {
    name: 'calendar',
    summary: 'calendar of resolutions, soonest first',
    list: 'limited',
    flags: { days: number('days', 'N', 'number of days ahead') },
    routeOf: () => request('/api/public/calendar', list('events', CALENDAR_COLUMNS)),
  },
]
