import type { KnownOrder, StrategyModule } from '../domain/backtest/strategy.ts'

/**
 * Earns the spread where it is wide: quotes one cent inside both sides, and stops buying a side of
 * which it holds `max` contracts.
 */
const wideBookMaker: StrategyModule = {
  name: 'wide-book-maker',
  about:
    'Quotes one cent inside wide books on both sides, up to a largest position in each market.',
  feeds: ['quotes', 'books', 'trades', 'bars'],
  params: { widest: 30, min: 5, contracts: 10, max: 50, minutes: 10, markets: 40 },
  create({ widest, min, contracts, max, minutes, markets }) {
    const restingOrders = new Map<number, KnownOrder[]>()
    return {
      onStart: (run) => run.every(Number(minutes) * 60_000, 'quote'),
      onTimer(_timer, run) {
        let quotedCount = 0
        for (const market of run.markets()) {
          for (const order of restingOrders.get(market) ?? []) run.cancel(order)
          restingOrders.delete(market)
          if (quotedCount >= Number(markets) || !run.isTradable(market)) continue
          const [bid, ask] = [run.bid(market), run.ask(market)]
          if (bid === null || ask === null) continue
          const spread = ask - bid
          if (spread < Number(min) || spread > Number(widest)) continue
          quotedCount++
          const position = run.position(market)
          const positionSize =
            position === null
              ? 0
              : position.side === 'yes'
                ? position.contracts
                : -position.contracts
          const orders: KnownOrder[] = []
          if (positionSize < Number(max)) {
            orders.push(
              run.order({
                market,
                action: 'buy',
                side: 'yes',
                contracts: Number(contracts),
                limit: (bid + 1) as typeof bid,
                postOnly: true,
                tag: 'bid',
              }),
            )
          }
          if (positionSize > -Number(max)) {
            orders.push(
              run.order({
                market,
                action: 'buy',
                side: 'no',
                contracts: Number(contracts),
                limit: (100 - ask + 1) as typeof ask,
                postOnly: true,
                tag: 'offer',
              }),
            )
          }
          restingOrders.set(market, orders)
        }
      },
    }
  },
}
export default wideBookMaker
