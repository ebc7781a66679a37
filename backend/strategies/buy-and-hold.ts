import type { StrategyModule } from '../domain/backtest/strategy.ts'

/** The benchmark: buys a little of everything at the first price and holds it until settlement. */
const buyAndHold: StrategyModule = {
  name: 'buy-and-hold',
  about:
    'Buys some YES of every market at its first quote and holds it: the benchmark of every strategy.',
  feeds: ['quotes', 'books', 'bars', 'trades'],
  params: { contracts: 10, maxPrice: 95, markets: 200 },
  create({ contracts, maxPrice, markets }) {
    const boughtMarkets = new Set<number>()
    return {
      onEvent(event, run) {
        const { market } = event
        if (
          boughtMarkets.size >= Number(markets) ||
          boughtMarkets.has(market) ||
          !run.isTradable(market)
        )
          return
        const ask = run.ask(market) ?? run.last(market)
        if (ask === null || ask <= 0 || ask > Number(maxPrice)) return
        boughtMarkets.add(market)
        run.buy(market, 'yes', Number(contracts))
      },
    }
  },
}
export default buyAndHold
