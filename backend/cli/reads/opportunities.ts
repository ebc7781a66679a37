import { VENUES } from '../../domain/market.ts'
import { amount, cents, lines, minute, table, text, type Column } from '../output.ts'
import { list, single } from './answer.ts'
import { changed, left, PRICE, right, TICKER, TITLE, VENUE } from './market-columns.ts'
import { number, oneOf, word } from './read-flags.ts'
import type { Read } from './read.ts'
import { segmentOf } from '../segment.ts'

interface Edge {
  readonly title: string
  readonly ticker: string
  readonly venue: string
  readonly direction: string
  readonly marketPrice: number | null
  readonly thesisPrice: number
  readonly edge: number
  readonly executableEdge: number | null
  readonly confidence: number
  readonly edgeType: string
}
const EDGE_COLUMNS: readonly Column<Edge>[] = [
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

interface IdeaMarket {
  readonly title: string
  readonly ticker: string
  readonly venue: string
  readonly price: number | null
  readonly bestAsk: number | null
  readonly role: string
}
interface Idea {
  readonly id: string
  readonly headline: string
  readonly pitch: string
  readonly conviction: string
  readonly direction: string
  readonly markets: readonly IdeaMarket[]
  readonly catalyst: string | null
  readonly catalystAt: string | null
  readonly timeHorizon: string
  readonly risk: string
  readonly edgeCents: number | null
  readonly basis: string
  readonly category: string
  readonly createdAt: string
  readonly expiresAt: string
}
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

interface CalendarEntry {
  readonly title: string
  readonly at: string
  readonly date: string
  readonly timeKnown: boolean
  readonly kind: string
  readonly importance: string
  readonly category: string
  readonly tickers: readonly string[]
  readonly market?: { readonly ticker: string; readonly price: number | null }
}
const CALENDAR_COLUMNS: readonly Column<CalendarEntry>[] = [
  TITLE,
  left('At (UTC)', ({ timeKnown, at, date }) => (timeKnown ? minute(at) : text(date))),
  left('Kind', (row) => text(row.kind)),
  left('Importance', (row) => text(row.importance)),
  left('Category', (row) => text(row.category)),
  right('Price', ({ market }) => cents(market?.price)),
  left('Ticker', ({ market, tickers }) => text(market?.ticker ?? tickers[0])),
]

/** What prices suggest, and when it is decided. */
export const OPPORTUNITIES: readonly Read[] = [
  {
    name: 'edges',
    summary: 'markets priced differently by theses, widest edge first',
    list: 'limited',
    flags: {
      'min-strength': number('minStrength', 'C', 'least size of the edge, cents'),
      theme: word('theme', 'T', 'theme of the market'),
      venue: oneOf('venue', VENUES, 'markets of one venue'),
    },
    ask: () => ({ path: '/api/edges', answer: list('edges', EDGE_COLUMNS) }),
  },
  {
    name: 'ideas',
    summary: 'trades that prices suggest, surest first, or one of them',
    words: '[ID]',
    list: 'limited',
    ask: ({ words: [id] }) =>
      id === undefined
        ? { path: '/api/public/ideas', answer: list('ideas', IDEA_COLUMNS) }
        : { path: `/api/public/ideas/${segmentOf(id)}`, answer: ideaAnswer },
  },
  {
    name: 'calendar',
    summary: 'what is decided when, soonest first',
    list: 'limited',
    flags: { days: number('days', 'N', 'so many days ahead') },
    ask: () => ({ path: '/api/public/calendar', answer: list('events', CALENDAR_COLUMNS) }),
  },
]
