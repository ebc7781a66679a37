import type { QueryAnswer, QueryMarket } from '../../contract/query.ts'
import { VENUES, type Venue } from '../../domain/venue.ts'
import { MODEL_TIERS } from '../../lib/language-model.ts'
import { cents, cleanLines, minute, table, text, type Column } from '../terminal/output.ts'
import { single, type View } from './answer.ts'
import {
  CLOSES,
  leftAlignedColumn,
  PRICE,
  right,
  TICKER,
  TITLE,
  VENUE,
  VOLUME,
} from './market-columns.ts'
import { toggle, choiceFlag, textFlag } from './read-flags.ts'
import { request, type Read } from './read.ts'

const MARKET_COLUMNS: readonly Column<QueryMarket & { readonly venue: Venue }>[] = [
  TITLE,
  PRICE,
  right('Bid', (row) => cents(row.bestBid)),
  right('Ask', (row) => cents(row.bestAsk)),
  VOLUME,
  CLOSES,
  VENUE,
  TICKER,
]
const TEXT_COLUMNS: readonly Column<NonNullable<QueryAnswer['content']>[number]>[] = [
  TITLE,
  leftAlignedColumn('Kind', (row) => text(row.kind)),
  leftAlignedColumn('Published', (row) => minute(row.publishedAt)),
  leftAlignedColumn('Address', (row) => text(row.url)),
]

/** `augury query TEXT…`: a question in plain language. */
export const QUERY: Read = {
  name: 'query',
  summary: 'answer a question from markets and texts',
  synopsis: 'TEXT…',
  list: 'limited',
  flags: {
    mode: choiceFlag('mode', ['full', 'raw'], 'raw omits the phrased answer'),
    sources: textFlag('sources', 'S,S', 'sources to search'),
    model: choiceFlag('model', MODEL_TIERS, 'model that phrases the answer'),
    depth: toggle('depth', true, 'books of the first markets'),
  },
  routeOf: ({ args: words, flags, settings }) =>
    request('/api/public/query', single(show), {
      q: words.join(' '),
      model: flags.text('model') ?? settings.defaultModel,
    }),
}

function show(printResult: QueryAnswer, { screen }: View): string {
  const { answer, keyFactors, content = [], meta } = printResult
  const markets = VENUES.flatMap((venue) =>
    (printResult[venue] ?? []).map((market) => ({ ...market, venue })),
  )
  return [
    answer === undefined ? '' : cleanLines(answer).trim(),
    keyFactors.map((factor) => `- ${text(factor)}`).join('\n'),
    markets.length === 0 ? '' : table(markets, MARKET_COLUMNS, screen),
    content.length === 0 ? '' : table(content, TEXT_COLUMNS, screen),
    meta.unavailable.length === 0 ? '' : `not available: ${text(meta.unavailable.join(', '))}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
