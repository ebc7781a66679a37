import type { StrategyModule } from '../domain/backtest/strategy.ts'

/**
 * Favourite–longshot: long shots win less often than they cost, favourites more. Sells the first by
 * buying their NO, once a market, at a limit, and waits for the settlement.
 */
const calibrationFade: StrategyModule = {
  name: 'calibration-fade',
  about: 'Buys NO of long shots and YES of favourites, once a market, and holds to the end.',
  feeds: ['quotes', 'books', 'bars', 'trades'],
  params: { longshot: 12, favourite: 92, contracts: 20, widest: 4, most: 500 },
  create({ longshot, favourite, contracts, widest, most }) {
    const done = new Set<number>()
    return {
      onEvent({ market }, run) {
        if (done.has(market) || done.size >= Number(most) || !run.isTradable(market)) return
        const [bid, ask] = [run.bid(market), run.ask(market)]
        // Both sides must stand: a one-sided book tells no price.
        if (bid === null || ask === null || ask - bid > Number(widest)) return
        const middle = (bid + ask) / 2
        if (middle <= Number(longshot) && bid > 1) {
          done.add(market)
          run.order({ market, action: 'buy', side: 'no', contracts: Number(contracts), limit: (100 - bid) as typeof bid, timeInForce: 'ioc', tag: 'longshot' }) // prettier-ignore
        } else if (middle >= Number(favourite) && ask < 99) {
          done.add(market)
          run.order({ market, action: 'buy', side: 'yes', contracts: Number(contracts), limit: ask, timeInForce: 'ioc', tag: 'favourite' }) // prettier-ignore
        }
      },
    }
  },
}
export default calibrationFade
