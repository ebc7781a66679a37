import type { MarketBoard } from '../../../computed/board/market-board.ts'
import type {
  DecisionMarket,
  HeldMarket,
  TradingPair,
} from '../../../domain/portfolio/decisions/decision-parts.ts'
import { contractsOf, type SizeE6 } from '../../../domain/units.ts'
import type { AccountFigures } from '../account-figures.ts'
import { centsOfMoney } from '../intent-served.ts'
import type { OrderBooks } from '../order-books.ts'
import type { ModelAccount } from './model-decisions.ts'

/** Markets as decisions see them; those of pairs with the sizes at their best prices. */
export async function marketsOf(
  deps: { readonly board: MarketBoard; readonly books: Pick<OrderBooks, 'follow' | 'get'> },
  tickers: ReadonlySet<string>,
  pairs: readonly TradingPair[],
): Promise<Map<string, DecisionMarket>> {
  const { board, books } = deps
  const sizedTickers = new Set(pairs.flatMap(({ a, b }) => [a, b]))
  const markets = new Map<string, DecisionMarket>()
  for (const [ticker, view] of await board.markets([...tickers], null)) {
    const { status, bestBid: bid, bestAsk: ask, facts } = view
    if (sizedTickers.has(ticker)) books.follow(view.market)
    const book = books.get(view.market)
    const contracts = (size: SizeE6 | null | undefined): number | null =>
      size === null || size === undefined ? null : contractsOf(size)
    const sizes = { bidSize: contracts(book?.bidSize), askSize: contracts(book?.askSize) }
    markets.set(ticker, { venue: facts.venue, title: facts.title, status, bid, ask, ...sizes })
  }
  return markets
}

/** Contracts of an open position, by the basis they were bought for. */
export const holdingOf = ({ position }: AccountFigures['open'][number]): HeldMarket[] =>
  position.parts.map(({ size, ...basis }) => ({
    ...basis,
    ticker: position.ticker,
    venue: position.venue,
    title: position.marketTitle,
    direction: position.direction,
    quantity: contractsOf(size),
  }))

/** The account as a model sees it. */
export const modelAccountOf = (
  { balance, exposure, open }: AccountFigures,
  lastNote: string | null,
): ModelAccount => ({
  balanceCents: centsOfMoney(balance),
  exposureCents: centsOfMoney(exposure),
  openPositions: open.length,
  lastNote,
})
