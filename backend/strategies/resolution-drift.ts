import type { StrategyModule } from '../domain/backtest/strategy.ts'

const HOUR = 3_600_000

/**
 * Near the end prices move to 0 or 100 and seldom reverse: follows a decided price for the last
 * hours.
 */
const resolutionDrift: StrategyModule = {
  name: 'resolution-drift',
  about: 'Buys the side that the price has almost decided on in the last hours before the close.',
  feeds: ['quotes', 'books', 'bars', 'trades'],
  params: { hours: 12, min: 85, maxPrice: 97, contracts: 20, every: 30 },
  create({ hours, min, maxPrice, contracts, every }) {
    const decidedMarkets = new Set<number>()
    return {
      onStart: (run) => run.every(Number(every) * 60_000, 'look'),
      onTimer(_timer, run) {
        for (const market of run.markets()) {
          if (decidedMarkets.has(market) || !run.isTradable(market)) continue
          const { closeTime } = run.facts(market)
          if (closeTime === null || closeTime - run.now > Number(hours) * HOUR) continue
          const [bid, ask] = [run.bid(market), run.ask(market)]
          if (bid === null || ask === null) continue
          const side = bid >= Number(min) ? 'yes' : ask <= 100 - Number(min) ? 'no' : null
          if (side === null) continue
          const limit = side === 'yes' ? ask : 100 - bid
          if (limit > Number(maxPrice)) continue
          decidedMarkets.add(market)
          run.buy(market, side, Number(contracts), limit)
        }
      },
    }
  },
}
export default resolutionDrift
