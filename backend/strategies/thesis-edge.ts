import type { StrategyModule } from '../domain/backtest/strategy.ts'

/**
 * Trades an own view against the market: a fair price for every market whose title contains a
 * word, bought on the side that is cheap by more than an edge, and sold when the edge is gone.
 */
const thesisEdge: StrategyModule = {
  name: 'thesis-edge',
  about:
    'Sets a fair price for markets with a word in their title; buys below it by an edge, sells when the edge is gone.',
  feeds: ['quotes', 'books', 'bars'],
  params: { word: '', fair: 50, edge: 8, contracts: 20, minutes: 60, max: 100 },
  create({ word, fair, edge, contracts, minutes, max }) {
    const text = String(word).toLowerCase()
    const matches = new Map<number, boolean>()
    return {
      onStart: (run) => run.every(Number(minutes) * 60_000, 'look'),
      onTimer(_timer, run) {
        for (const market of run.markets()) {
          if (!run.isTradable(market)) continue
          let isMeant = matches.get(market)
          if (isMeant === undefined) {
            isMeant = text === '' || run.facts(market).title.toLowerCase().includes(text)
            matches.set(market, isMeant)
          }
          if (!isMeant) continue
          const [bid, ask, position] = [run.bid(market), run.ask(market), run.position(market)]
          if (bid === null || ask === null) continue
          if (position !== null) {
            const proceedsPerContract = position.side === 'yes' ? bid : 100 - ask
            const sideValue = position.side === 'yes' ? Number(fair) : 100 - Number(fair)
            if (proceedsPerContract >= sideValue)
              run.sell(market, position.side, position.contracts, proceedsPerContract)
          } else if (run.positions().length < Number(max)) {
            if (Number(fair) - ask >= Number(edge)) run.buy(market, 'yes', Number(contracts), ask)
            else if (bid - Number(fair) >= Number(edge)) {
              run.buy(market, 'no', Number(contracts), 100 - bid)
            }
          }
        }
      },
    }
  },
}
export default thesisEdge
