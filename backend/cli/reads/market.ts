import { amount, cents, centsChange, lines, minute, table, text } from '../output.ts'
import type { Screen } from '../screen.ts'
import { single } from './answer.ts'
import { given, oneOf } from './read-flags.ts'
import type { Read } from './read.ts'
import { segmentOf } from '../segment.ts'

interface Level {
  readonly price: number
  readonly size: number
}

interface Market {
  readonly title: string
  readonly subtitle: string | null
  readonly eventTitle: string | null
  readonly category: string
  readonly venue: string
  readonly status: string
  readonly result: string | null
  readonly price: number | null
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly spread: number | null
  readonly lastPrice: number | null
  readonly change24h: number | null
  readonly volume: number | null
  readonly volume24h: number | null
  readonly volumeUnit: string
  readonly openInterest: number | null
  readonly liquidityScore: string
  readonly closeTime: string | null
  readonly updatedAt: string
  readonly description: string
  readonly ticker: string
  readonly bidLevels?: readonly Level[]
  readonly askLevels?: readonly Level[]
}

/** `augury market TICKER`: the facts and prices of one market. */
export const MARKET: Read = {
  name: 'market',
  summary: 'one market, with its book on demand',
  words: 'TICKER',
  flags: {
    depth: given('depth', true, 'the best five levels of its book'),
    'cv-preset': oneOf(
      'cv_preset',
      ['arb', 'world', 'detail', 'browse'],
      'how sure the match on the other venue must be',
    ),
  },
  ask: ({ words: [ticker = ''] }) => ({
    path: `/api/public/market/${segmentOf(ticker)}`,
    answer: single((market: Market, { screen }) => describe(market, screen)),
  }),
}

function describe(market: Market, screen: Screen): string {
  const unit = market.volumeUnit === 'usd' ? ' USD' : ' contracts'
  const counted = (value: number | null): string =>
    value === null ? amount(null) : amount(value) + unit
  const facts = lines([
    ['title', text(market.title)],
    ['subtitle', text(market.subtitle)],
    ['event', text(market.eventTitle)],
    ['category', text(market.category)],
    ['venue', text(market.venue)],
    ['status', text(market.status)],
    ['result', text(market.result)],
    ['price', cents(market.price)],
    ['bid', cents(market.bestBid)],
    ['ask', cents(market.bestAsk)],
    ['spread', cents(market.spread)],
    ['last', cents(market.lastPrice)],
    ['change 24h', centsChange(market.change24h)],
    ['volume', counted(market.volume)],
    ['volume 24h', counted(market.volume24h)],
    ['open interest', counted(market.openInterest)],
    ['liquidity', text(market.liquidityScore)],
    ['closes', minute(market.closeTime)],
    ['updated', minute(market.updatedAt)],
    ['rules', text(market.description)],
    ['ticker', text(market.ticker)],
  ])
  const { bidLevels, askLevels } = market
  if (bidLevels === undefined || askLevels === undefined) return facts
  return `${facts}\n\n${ladder(bidLevels, askLevels, screen)}`
}

const ladder = (bids: readonly Level[], asks: readonly Level[], screen: Screen): string =>
  table(
    Array.from({ length: Math.max(bids.length, asks.length) }, (_, index) => ({
      bid: bids[index],
      ask: asks[index],
    })),
    [
      { title: 'Bid size', of: ({ bid }) => amount(bid?.size), align: 'right' },
      { title: 'Bid', of: ({ bid }) => cents(bid?.price), align: 'right' },
      { title: 'Ask', of: ({ ask }) => cents(ask?.price), align: 'right' },
      { title: 'Ask size', of: ({ ask }) => amount(ask?.size), align: 'right' },
    ],
    screen,
  )
