import type { StrategyModule } from '../domain/backtest/strategy.ts'

/**
 * Favourite–longshot bias: long shots win less often than their price implies, favourites more
 * often. Sells long shots by buying their NO, once per market, at a limit, and waits for the
 * settlement.
 */
const calibrationFade: StrategyModule = {
  name: 'calibration-fade',
  about: 'Buys NO of long shots and YES of favourites, once per market, and holds to settlement.',
  feeds: ['quotes', 'books', 'bars', 'trades'],
  params: { longshot: 12, favourite: 92, contracts: 20, widest: 4, max: 500 },
  create({ longshot, favourite, contracts, widest, max }) {
    const decidedMarkets = new Set<number>()
    return {
      onEvent({ market }, run) {
        if (
          decidedMarkets.has(market) ||
          decidedMarkets.size >= Number(max) ||
          !run.isTradable(market)
        )
          return
        const [bid, ask] = [run.bid(market), run.ask(market)]
        // Both sides must be quoted: a one-sided book has no usable price.
        if (bid === null || ask === null || ask - bid > Number(widest)) return
        const middle = (bid + ask) / 2
        if (middle <= Number(longshot) && bid > 1) {
          decidedMarkets.add(market)
          run.order({
            market,
            action: 'buy',
            side: 'no',
            contracts: Number(contracts),
            limit: (100 - bid) as typeof bid,
            timeInForce: 'ioc',
            tag: 'longshot',
          })
        } else if (middle >= Number(favourite) && ask < 99) {
          decidedMarkets.add(market)
          run.order({
            market,
            action: 'buy',
            side: 'yes',
            contracts: Number(contracts),
            limit: ask,
            timeInForce: 'ioc',
            tag: 'favourite',
          })
        }
      },
    }
  },
}
export default calibrationFade
