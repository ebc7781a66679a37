import type { PanelContent } from '../panel-content.ts'
import type { PanelSources } from '../panel-sources.ts'

/** A day of quarter hours with both its ends. */
const MOST_POINTS = 97

/** The index of the world and how it was over the day. */
export async function index24h({
  reads,
  context,
}: Pick<PanelSources, 'reads' | 'context'>): Promise<PanelContent> {
  const { at } = await context.grid(null)
  const [current, series] = await Promise.all([reads.index(), reads.indexOfDay()])
  return {
    payload: { kind: 'sf_index_24h', current, series: series.slice(-MOST_POINTS) },
    source: { name: 'index_snapshots', asOf: current === null ? null : at, cadence: 'computed' },
  }
}
