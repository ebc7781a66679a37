import type { PanelContent } from '../panel-content.ts'
import type { PanelSources } from '../panel-sources.ts'

const WINDOW = '6h'
const MAX_LINKS = 15
const MAX_PAIRS = 10
const MIN_CONFIDENCE = 0.75

/** Contagion gaps, cross-venue first, and the widest pairs. */
export async function crossVenueContagion({
  reads,
  context,
}: Pick<PanelSources, 'reads' | 'context'>): Promise<PanelContent> {
  const { at } = await context.snapshot(null)
  const [links, pairs] = await Promise.all([
    reads.contagion(WINDOW, MAX_LINKS),
    reads.pairs(MIN_CONFIDENCE, MAX_PAIRS),
  ])
  return {
    payload: {
      kind: 'cross_venue_contagion',
      window: WINDOW,
      links: [...links],
      pairs: [...pairs],
    },
    source: { name: 'contagion', asOf: at, cadence: 'computed' },
  }
}
