import { marketEdges } from '../../backend/computed/market-edges.ts'
import type { SampleMoment } from './sample-world.ts'

/** Distances in cents from the true chance: of the fair prices of edges, and of the prices beside them. */
export interface FairErrors {
  readonly fair: readonly number[]
  readonly price: readonly number[]
}

/** Fair prices that edges state, and headline prices of the same markets, against the hidden state. */
export function fairErrors({ at, worldSnapshot, truth, marketOf }: SampleMoment): FairErrors {
  const found = [...marketEdges(worldSnapshot.snapshot)].flatMap(([ticker, [edge]]) => {
    const price = worldSnapshot.snapshot.markets.get(ticker)?.view.price ?? null
    if (edge === undefined || price === null) return []
    const chance = 100 * truth.chance(marketOf(ticker), at)
    const fair = edge.direction === 'yes' ? edge.fair : 100 - edge.fair
    return [{ fair: Math.abs(fair - chance), price: Math.abs(price - chance) }]
  })
  return { fair: found.map(({ fair }) => fair), price: found.map(({ price }) => price) }
}
