import type { Command } from './command.ts'
import { EXIT } from './failure.ts'
import { amount, cents, centsChange, lines, minute, table, text } from './output.ts'

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
export const marketCommand: Command = {
  name: 'market',
  synopsis: 'TICKER [--depth] [--cv-preset P]',
  summary: 'one market, with its book on demand',
  flags: { depth: 'switch', 'cv-preset': 'word' },
  words: [1, 1],
  async run({ words, flags, client, around }) {
    const body = await client.get(`/api/public/market/${encodeURIComponent(words[0] ?? '')}`, {
      depth: flags.on('depth') ? true : null,
      cv_preset: flags.word('cv-preset'),
      asOf: flags.word('as-of'),
    })
    if (flags.on('json')) around.print(`${body.trimEnd()}\n`)
    else around.print(`${describe(JSON.parse(body) as Market)}\n`)
    return EXIT.done
  },
}

function describe(market: Market): string {
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
  return `${facts}\n\n${ladder(bidLevels, askLevels)}`
}

const ladder = (bids: readonly Level[], asks: readonly Level[]): string =>
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
  )
