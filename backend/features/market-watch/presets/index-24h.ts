import type { PanelContent } from '../panel-content.ts'
import type { PanelSources } from '../panel-sources.ts'

/** 15-minute points of a day, both ends included. */
const MAX_POINTS = 97

/** The world index and its history over a day. */
export async function index24h({
  reads,
  context,
}: Pick<PanelSources, 'reads' | 'context'>): Promise<PanelContent> {
  const { at } = await context.snapshot(null)
  const [current, series] = await Promise.all([reads.index(), reads.indexOfDay()])
  return {
    payload: { kind: 'sf_index_24h', current, series: series.slice(-MAX_POINTS) },
    source: { name: 'index_snapshots', asOf: current === null ? null : at, cadence: 'computed' },
  }
}
