import type { Question } from './source.svelte.ts'
import type { Board } from './watch-types.ts'

const SECOND = 1_000

/** Every panel with what it shows. Asked sooner when one of them is due. */
export const board: Question<Board> = {
  path: '/api/dashboard2/market-watch-v2',
  every: 30 * SECOND,
  cadence: 60 * SECOND,
  isOwn: true,
  isOfMarkets: true,
  timeOf: ({ generatedAt }) => generatedAt,
}

const PANELS = '/api/dashboard2/market-watch/panels'
/** Where panels are added. */
export const panelsRoute = PANELS
export const panelRoute = (id: string): string => `${PANELS}/${encodeURIComponent(id)}`
export const runRoute = (id: string): string => `${panelRoute(id)}/run`
export const reorderRoute = `${PANELS}/reorder`
