import type { DataState, Note } from '../../electron/bridge.ts'
import { VENUES } from '../api/freshness.ts'
import { formatAge, venueLetter } from '../lib/format.ts'
import type { Terminal } from './terminal.svelte.ts'

type Told = Pick<Terminal, 'health' | 'pausing'>

/** How the data are, in the words of tray and notifications. */
export function dataStateOf({ health, pausing }: Told): DataState {
  const isPaused = pausing.isAll || pausing.count > 0
  if (!health.connected) {
    const text = health.connecting ? 'Connecting' : 'The service is not reachable'
    return { tone: health.connecting ? 'late' : 'lost', text, isPaused }
  }
  const late = VENUES.filter((venue) => health.venue(venue) !== 'fresh')
  const age = `data ${formatAge(health.worstAge)} old`
  if (late.length === 0) return { tone: 'fresh', text: `Connected, ${age}`, isPaused }
  const tone = health.feeds === 'stale' ? 'stale' : 'late'
  const names = late.map((venue) => `Venue ${venueLetter(venue)}`).join(' and ')
  return { tone, text: `${names} ${tone}, ${age}`, isPaused }
}

const isBad = (tone: DataState['tone']): boolean => tone === 'stale' || tone === 'lost'

/** What a change of the data's state is worth telling to somebody who looks elsewhere. */
export function noteOfChange(before: DataState | null, now: DataState): Note | null {
  if (before === null || isBad(before.tone) === isBad(now.tone)) return null
  if (now.tone === 'late') return null
  return {
    title: isBad(now.tone) ? 'Augury: prices are no longer current' : 'Augury: prices are current',
    ...{ body: now.text, line: 'HEALTH' },
  }
}
