import type { PanelContent } from '../panel-content.ts'
import type { PanelSources } from '../panel-sources.ts'

const DAYS = 7
const MAX_EVENTS = 50

/** Events within a week. */
export async function calendarCatalysts({
  reads,
  context,
}: Pick<PanelSources, 'reads' | 'context'>): Promise<PanelContent> {
  const { at } = await context.snapshot(null)
  const { from, to, events } = await reads.catalysts(DAYS, MAX_EVENTS)
  return {
    payload: { kind: 'calendar_catalysts', from, to, events: [...events] },
    source: { name: 'calendar', asOf: at, cadence: 'computed' },
  }
}
