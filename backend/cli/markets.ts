import type { Command } from './command.ts'
import { EXIT, misuse } from './failure.ts'
import { amount, cents, centsChange, minute, table, text, type Column } from './output.ts'

interface MarketRow {
  readonly title: string
  readonly ticker: string
  readonly venue: string
  readonly price: number | null
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly change24h: number | null
  readonly volume24h: number | null
  readonly closeTime: string | null
}

interface MarketPage {
  readonly markets: readonly MarketRow[]
  readonly nextCursor: string | null
  readonly hasMore: boolean
}

const COLUMNS: readonly Column<MarketRow>[] = [
  { title: 'Title', of: (row) => text(row.title), most: 60 },
  { title: 'Price', of: (row) => cents(row.price), align: 'right' },
  { title: 'Bid', of: (row) => cents(row.bestBid), align: 'right' },
  { title: 'Ask', of: (row) => cents(row.bestAsk), align: 'right' },
  { title: '24h', of: (row) => centsChange(row.change24h), align: 'right' },
  { title: 'Volume 24h', of: (row) => amount(row.volume24h), align: 'right' },
  { title: 'Closes', of: (row) => minute(row.closeTime) },
  { title: 'Venue', of: (row) => text(row.venue) },
  { title: 'Ticker', of: (row) => text(row.ticker) },
]

/** `augury markets`: the list of markets, a page or all of them. */
export const marketsCommand: Command = {
  name: 'markets',
  synopsis:
    '[--q TEXT] [--topic T] [--venue V] [--status S] [--sort KEY] [--limit N] [--cursor C] [--all]',
  summary: 'markets by filter and rank',
  flags: {
    ...{ q: 'word', topic: 'word', venue: 'word', status: 'word', sort: 'word' },
    ...{ limit: 'number', cursor: 'word', all: 'switch' },
  },
  words: [0, 0],
  async run({ flags, client, around }) {
    if (flags.on('all') && flags.on('cursor')) throw misuse('--all and --cursor exclude each other')
    const query = {
      ...{ q: flags.word('q'), topic: flags.word('topic'), venue: flags.word('venue') },
      ...{ status: flags.word('status'), sort: flags.word('sort') },
      ...{ limit: flags.number('limit'), asOf: flags.word('as-of') },
    }
    const rows: MarketRow[] = []
    let cursor = flags.word('cursor')
    for (;;) {
      const body = await client.get('/api/public/markets', { ...query, cursor })
      const page = JSON.parse(body) as MarketPage
      if (flags.on('json')) around.print(`${body.trimEnd()}\n`)
      rows.push(...page.markets)
      cursor = page.nextCursor
      if (!flags.on('all') || cursor === null) break
    }
    if (flags.on('json')) return EXIT.done
    around.print(`${table(rows, COLUMNS)}\n`)
    if (cursor !== null && !flags.on('quiet')) around.tell(`More with: --cursor ${cursor}\n`)
    return EXIT.done
  },
}
