import type { Catalyst, EdgeRow, Idea, IdeaMarket } from '../../contract/edges.ts'
import { amount, cents, lines, minute, table, text, type Column } from '../terminal/output.ts'
import { list, single } from './answer.ts'
import {
  changeColumn,
  leftAlignedColumn,
  PRICE,
  right,
  TICKER,
  TITLE,
  VENUE,
} from './market-columns.ts'
import { number, venue, textFlag } from './read-flags.ts'
import { request, type Read } from './read.ts'
import { routePath } from '../route.ts'

const EDGE_COLUMNS: readonly Column<EdgeRow>[] = [
  TITLE,
  leftAlignedColumn('Side', (row) => text(row.direction)),
  right('Market', (row) => cents(row.marketPrice)),
  right('Thesis', (row) => cents(row.thesisPrice)),
  changeColumn('Edge', (row) => row.edge),
  changeColumn('Executable', (row) => row.executableEdge),
  right('Confidence', (row) => amount(row.confidence)),
  leftAlignedColumn('Type', (row) => text(row.edgeType)),
  VENUE,
  TICKER,
]

const IDEA_COLUMNS: readonly Column<Idea>[] = [
  leftAlignedColumn('Headline', (row) => text(row.headline), 60),
  leftAlignedColumn('Side', (row) => text(row.direction)),
  leftAlignedColumn('Conviction', (row) => text(row.conviction)),
  right('Edge', (row) => cents(row.edgeCents)),
  leftAlignedColumn('Horizon', (row) => text(row.timeHorizon)),
  leftAlignedColumn('Basis', (row) => text(row.basis)),
  leftAlignedColumn('Catalyst', (row) => minute(row.catalystAt)),
  leftAlignedColumn('Id', (row) => text(row.id)),
  leftAlignedColumn('Ticker', ({ markets }) => text(markets[0]?.ticker)),
]
const IDEA_MARKET_COLUMNS: readonly Column<IdeaMarket>[] = [
  TITLE,
  leftAlignedColumn('Role', (row) => text(row.role)),
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
  leftAlignedColumn('At (UTC)', ({ timeKnown, at, date }) => (timeKnown ? minute(at) : text(date))),
  leftAlignedColumn('Kind', (row) => text(row.kind)),
  leftAlignedColumn('Importance', (row) => text(row.importance)),
  leftAlignedColumn('Category', (row) => text(row.category)),
  right('Price', ({ market }) => cents(market?.price)),
  leftAlignedColumn('Ticker', ({ market, tickers }) => text(market?.ticker ?? tickers[0])),
]

/** Trading opportunities in current prices, and the calendar of their resolution. */
export const OPPORTUNITIES: readonly Read[] = [
  {
    name: 'edges',
    summary: 'markets priced differently by theses, widest edge first',
    list: 'limited',
    flags: {
      'min-strength': number('minStrength', 'C', 'minimum edge, cents'),
      theme: textFlag('theme', 'T', 'theme of the market'),
      venue: venue('venue', 'markets of one venue'),
    },
    routeOf: () => request('/api/edges', list('edges', EDGE_COLUMNS)),
  },
  {
    name: 'ideas',
    summary: 'trade ideas by confidence, or one of them',
    synopsis: '[ID]',
    list: 'limited',
    routeOf: ({ args: [id] }) =>
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
