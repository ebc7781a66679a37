import { VENUES, venueName } from '../../../backend/domain/venue.ts'
import type { DataState, Note } from '../../../electron/bridge.ts'
import { formatAge } from '../../lib/format.ts'
import type { Terminal } from '../terminal.svelte.ts'

type Reported = Pick<Terminal, 'health' | 'pausing'>

/** Freshness of the data, as texts for tray and notifications. */
export function dataStateOf({ health, pausing }: Reported): DataState {
  const isPaused = pausing.isAll || pausing.count > 0
  if (!health.connected) {
    const text = health.connecting ? 'Connecting' : 'The service is not reachable'
    return { tone: health.connecting ? 'late' : 'lost', text, isPaused }
  }
  const lateVenues = VENUES.filter((venue) => health.venue(venue) !== 'fresh')
  const age = `data ${formatAge(health.worstAge)} old`
  if (lateVenues.length === 0) return { tone: 'fresh', text: `Connected, ${age}`, isPaused }
  const tone = health.feeds === 'stale' ? 'stale' : 'late'
  const names = lateVenues.map(venueName).join(' and ')
  return { tone, text: `${names} ${tone}, ${age}`, isPaused }
}

const isBad = (tone: DataState['tone']): boolean => tone === 'stale' || tone === 'lost'

/** The notification for a change of the data's freshness; null when none is needed. */
export function noteOfChange(before: DataState | null, now: DataState): Note | null {
  if (before === null || isBad(before.tone) === isBad(now.tone)) return null
  if (now.tone === 'late') return null
  return {
    title: isBad(now.tone) ? 'Augury: prices are no longer current' : 'Augury: prices are current',
    body: now.text,
    line: 'HEALTH',
  }
}
