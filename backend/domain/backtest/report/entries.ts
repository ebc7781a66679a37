import { binaryOutcome } from '../../odds/outcomes.ts'
import type { Cents } from '../../units.ts'
import type { MarketIndex } from '../event-columns.ts'
import { CLOSINGS } from '../broker/positions.ts'
import type { RunResult } from './run-result.ts'

/** A settled lot: price paid, on the YES scale, and outcome. */
export interface Entry {
  readonly market: MarketIndex
  readonly price: Cents
  readonly outcome: 0 | 1
}

const SETTLED = CLOSINGS.indexOf('settled')

/** Entry prices on the YES scale as forecasts of the settled lots' outcomes. */
export function entriesOf({ lots, traded }: RunResult): Entry[] {
  const outcomes = new Map(traded.map(({ market, result }) => [market, binaryOutcome(result)]))
  const entries: Entry[] = []
  for (let i = 0; i < lots.market.length; i++) {
    const market = lots.market[i] ?? -1
    const outcome = outcomes.get(market) ?? null
    if (outcome === null || lots.closing[i] !== SETTLED) continue
    const entryCost = lots.entryPrice[i] ?? 0
    const price = ((lots.isYes[i] === 1 ? entryCost : 10_000 - entryCost) / 100) as Cents
    entries.push({ market, price, outcome })
  }
  return entries
}
