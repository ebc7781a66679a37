import type { BookLevel, Market } from '../../contract/market.ts'
import { venueName } from '../../domain/venue.ts'
import { amount, cents, centsChange, lines, minute, table, text } from '../terminal/output.ts'
import type { Screen } from './screen.ts'
import { single } from './answer.ts'
import { toggle, choiceFlag } from './read-flags.ts'
import { request, type Read } from './read.ts'
import { routePath } from '../route.ts'

/** `augury market TICKER`: the facts and prices of one market. */
export const MARKET: Read = {
  name: 'market',
  summary: 'one market, with its book on demand',
  synopsis: 'TICKER',
  flags: {
    depth: toggle('depth', true, 'the best five levels of its book'),
    'cv-preset': choiceFlag(
      'cv_preset',
      ['arb', 'world', 'detail', 'browse'],
      'minimum confidence of the match on the other venue',
    ),
  },
  routeOf: ({ args: [ticker = ''] }) =>
    request(
      routePath('/api/public/market/:ticker', { ticker }),
      single((market: Market, { screen }) => describe(market, screen)),
    ),
}

function describe(market: Market, screen: Screen): string {
  const unit = market.volumeUnit === 'usd' ? ' USD' : ' contracts'
  const amountWithUnit = (value: number | null): string =>
    value === null ? amount(null) : amount(value) + unit
  const facts = lines([
    ['title', text(market.title)],
    ['subtitle', text(market.subtitle)],
    ['event', text(market.eventTitle)],
    ['category', text(market.category)],
    ['venue', text(venueName(market.venue))],
    ['status', text(market.status)],
    ['result', text(market.result)],
    ['price', cents(market.price)],
    ['bid', cents(market.bestBid)],
    ['ask', cents(market.bestAsk)],
    ['spread', cents(market.spread)],
    ['last', cents(market.lastPrice)],
    ['change 24h', centsChange(market.change24h)],
    ['volume', amountWithUnit(market.volume)],
    ['volume 24h', amountWithUnit(market.volume24h)],
    ['open interest', amountWithUnit(market.openInterest)],
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

const ladder = (bids: readonly BookLevel[], asks: readonly BookLevel[], screen: Screen): string =>
  table(
    Array.from({ length: Math.max(bids.length, asks.length) }, (_, index) => ({
      bid: bids[index],
      ask: asks[index],
    })),
    [
      { title: 'Bid size', cell: ({ bid }) => amount(bid?.size), align: 'right' },
      { title: 'Bid', cell: ({ bid }) => cents(bid?.price), align: 'right' },
      { title: 'Ask', cell: ({ ask }) => cents(ask?.price), align: 'right' },
      { title: 'Ask size', cell: ({ ask }) => amount(ask?.size), align: 'right' },
    ],
    screen,
  )
