import { pathOf, targetOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'
import type { Hydration } from '../../backend/contract/panels/panels.ts'

const SECOND = 1_000

/** Every panel with its content. Polled faster when one of them is due. */
export const board: PolledQuery<Hydration> = {
  path: pathOf('/api/dashboard2/market-watch-v2'),
  interval: 30 * SECOND,
  cadence: 60 * SECOND,
  isOwn: true,
  isOfMarkets: true,
  timeOf: ({ generatedAt }) => generatedAt,
}

/** Route that adds panels. */
export const panelsRoute = '/api/dashboard2/market-watch/panels'
export const panelRoute = (id: string) =>
  targetOf('/api/dashboard2/market-watch/panels/:id', { id })
export const runRoute = (id: string) =>
  targetOf('/api/dashboard2/market-watch/panels/:id/run', { id })
export const reorderRoute = '/api/dashboard2/market-watch/panels/reorder'
