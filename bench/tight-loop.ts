import { BAND, CONTRACTS, FAST, RING, SLOW } from './sma-strategy.ts'

/** Trades of many markets in time order, as one array per column. */
export interface Ticks {
  readonly known: Float64Array
  readonly market: Int32Array
  readonly price: Int32Array
}
export interface LoopResult {
  readonly fills: number
  readonly cash: number
  readonly equity: number
  readonly drawdown: number
}

/**
 * The baseline of backtests: the same strategy in one loop over the arrays, as fast as it can be
 * written, with fees, fills on the next tick, settlement, equity and drawdown at every event and a log.
 */
export function tightLoop(
  { known, market, price }: Ticks,
  markets: number,
  start: number,
): LoopResult {
  const rings = new Float64Array(markets * RING)
  const seen = new Int32Array(markets)
  const [fast, slow] = [new Float64Array(markets), new Float64Array(markets)]
  const [hasPosition, pending] = [new Uint8Array(markets), new Int8Array(markets)]
  const [size, last] = [new Float64Array(markets), new Float64Array(markets)]
  const log: number[] = []
  let [cash, value, peak, drawdown] = [start, 0, start, 0]
  for (let i = 0; i < price.length; i++) {
    const m = market[i] as number
    const p = price[i] as number
    const remaining = pending[m] ?? 0
    if (remaining !== 0) {
      pending[m] = 0
      const share = p / 10_000
      const fee = Math.ceil(7 * CONTRACTS * share * (1 - share)) * 10_000
      cash -= remaining * CONTRACTS * p * 100 + fee
      value -= (size[m] as number) * (last[m] as number) * 100
      size[m] = (size[m] as number) + remaining * CONTRACTS
      value += size[m] * (last[m] as number) * 100
      log.push(known[i] as number, m, remaining, p, fee)
    }
    value += (size[m] ?? 0) * (p - (last[m] ?? 0)) * 100
    last[m] = p
    const equity = cash + value
    if (equity > peak) peak = equity
    else if (1 - equity / peak > drawdown) drawdown = 1 - equity / peak
    const at = m * RING
    const n = seen[m] as number
    let f = (fast[m] as number) + p
    let s = (slow[m] as number) + p
    if (n >= FAST) f -= rings[at + ((n - FAST) & (RING - 1))] as number
    if (n >= SLOW) s -= rings[at + ((n - SLOW) & (RING - 1))] as number
    rings[at + (n & (RING - 1))] = p
    fast[m] = f
    slow[m] = s
    seen[m] = n + 1
    if (n < SLOW) continue
    const apart = f / FAST - s / SLOW
    if (apart > BAND && hasPosition[m] === 0) {
      hasPosition[m] = 1
      pending[m] = 1
    } else if (apart < -BAND && hasPosition[m] === 1) {
      hasPosition[m] = 0
      pending[m] = -1
    }
  }
  // Settlement of positions: YES when the last price is above 50.
  for (let m = 0; m < markets; m++) {
    if ((size[m] as number) === 0) continue
    value -= (size[m] as number) * (last[m] as number) * 100
    cash += (last[m] as number) >= 5_000 ? (size[m] as number) * 1e6 : 0
  }
  return { fills: log.length / 5, cash, equity: cash + value, drawdown }
}
