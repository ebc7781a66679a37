import type { StrategyModule } from '../backend/domain/backtest/strategy.ts'

/** Prices stored per market; a power of two that covers the longer mean. */
export const RING = 128
export const FAST = 20
export const SLOW = 100
/**
 * Threshold of the means' distance, 1e-4 dollars: so that about one event in a hundred and fifty
 * trades.
 */
export const BAND = 1_000
export const CONTRACTS = 10

/** Means of 20 and 100 trades: holds YES while the faster one is above, in every market. */
const smaCross: StrategyModule = {
  name: 'sma-cross',
  about: 'The strategy of the benchmarks.',
  feeds: ['trades'],
  params: { markets: 1 },
  create({ markets }) {
    const count = Number(markets)
    const rings = new Float64Array(count * RING)
    const seen = new Int32Array(count)
    const fast = new Float64Array(count)
    const slow = new Float64Array(count)
    const hasPosition = new Uint8Array(count)
    return {
      onEvent(event, run) {
        const { market, priceE4 } = event
        const at = market * RING
        const n = seen[market] as number
        let f = (fast[market] as number) + priceE4
        let s = (slow[market] as number) + priceE4
        if (n >= FAST) f -= rings[at + ((n - FAST) & (RING - 1))] as number
        if (n >= SLOW) s -= rings[at + ((n - SLOW) & (RING - 1))] as number
        rings[at + (n & (RING - 1))] = priceE4
        fast[market] = f
        slow[market] = s
        seen[market] = n + 1
        if (n < SLOW) return
        const apart = f / FAST - s / SLOW
        if (apart > BAND && hasPosition[market] === 0) {
          hasPosition[market] = 1
          run.buy(market, 'yes', CONTRACTS)
        } else if (apart < -BAND && hasPosition[market] === 1) {
          hasPosition[market] = 0
          run.sell(market, 'yes', CONTRACTS)
        }
      },
    }
  },
}
export default smaCross
