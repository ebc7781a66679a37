import type { Run, StrategyModule } from '../domain/backtest/strategy.ts'

/** Words of a title that identify its question. */
const wordsOf = (title: string): string =>
  [...new Set(title.toLowerCase().match(/[a-z0-9.]+/g) ?? [])]
    .filter((word) => word.length > 2 || /\d/.test(word))
    .sort()
    .join(' ')

/**
 * The same question should cost the same at both venues: buys the cheaper YES and the cheaper NO
 * when together they cost less than their payout. Pairs are markets with the same words and the
 * same close.
 */
const crossVenueConvergence: StrategyModule = {
  name: 'cross-venue-convergence',
  about: 'Buys YES at one venue and NO at the other when both together cost less than a dollar.',
  feeds: ['quotes', 'books', 'bars'],
  params: { edge: 3, contracts: 20, max: 100 },
  create({ edge, contracts, max }) {
    const byQuestion = new Map<string, number[]>()
    const knownPairs = new Set<number>()
    const pairOf = new Map<number, number>()
    const pairedMarkets = new Set<number>()
    const updateSpread = (market: number, run: Run): void => {
      if (knownPairs.has(market)) return
      knownPairs.add(market)
      const { title, venue } = run.facts(market)
      const question = wordsOf(title)
      const others = byQuestion.get(question) ?? []
      const pairMarket = others.find(
        (candidate) => run.facts(candidate).venue !== venue && !pairOf.has(candidate),
      )
      if (pairMarket !== undefined) {
        pairOf.set(market, pairMarket)
        pairOf.set(pairMarket, market)
      }
      byQuestion.set(question, [...others, market])
    }
    return {
      onStart(run) {
        for (const market of run.markets()) updateSpread(market, run)
      },
      onEvent({ market }, run) {
        updateSpread(market, run)
        const pairMarket = pairOf.get(market)
        if (
          pairMarket === undefined ||
          pairedMarkets.has(market) ||
          pairedMarkets.size >= Number(max)
        )
          return
        if (!run.isTradable(market) || !run.isTradable(pairMarket)) return
        for (const [cheap, expensive] of [
          [market, pairMarket],
          [pairMarket, market],
        ] as const) {
          const [ask, bid] = [run.ask(cheap), run.bid(expensive)]
          if (ask === null || bid === null || bid - ask < Number(edge)) continue
          pairedMarkets.add(market).add(pairMarket)
          run.buy(cheap, 'yes', Number(contracts), ask)
          run.buy(expensive, 'no', Number(contracts), 100 - bid)
          return
        }
      },
    }
  },
}
export default crossVenueConvergence
