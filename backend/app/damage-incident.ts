import type { Damage } from '../domain/history-damage.ts'

const STORE_NAMES: Readonly<Record<Damage['store'], string>> = {
  history: 'history',
  state: 'operational rows',
  secrets: 'session key',
}

/** The incident of a damaged store that was recovered, as the status page shows it. */
export const damageIncident = ({ store, at, summary, missing }: Damage) => ({
  component: store === 'history' ? 'history' : 'database',
  title: `Damage of the ${STORE_NAMES[store]} was found and ${missing === null ? 'repaired' : 'repaired in part'}`,
  impact: 'degraded' as const,
  startedAt: at,
  updates: [{ at, text: summary }],
})
