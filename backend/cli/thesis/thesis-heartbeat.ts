import type { ThesisHeartbeat } from '../../contract/theses/heartbeat.ts'
import { dollars, lines, minute, MISSING, text } from '../terminal/output.ts'

const loopText = (loop: ThesisHeartbeat['config']['closedLoop']): string => {
  if (typeof loop !== 'boolean') return loop.entry ? 'entries' : 'exits'
  return loop ? 'entries and exits' : 'off'
}

/** The schedule of a thesis with its cost, and what it does not read. */
export function heartbeatText({
  config,
  costs,
  sources,
  pausedReason,
  nextRunAt,
  lastRunAt,
  lastError,
}: ThesisHeartbeat): string {
  const limit = config.monthlyBudgetUsd === 0 ? 'no limit' : dollars(config.monthlyBudgetUsd)
  const notes = [costs.budgetNote, sources.news.note, sources.social.note]
  return [
    lines([
      ['state', `${config.mode}${pausedReason === null ? '' : ` (${pausedReason})`}`],
      ['every', `${Math.min(config.newsIntervalMin, config.xIntervalMin)} min`],
      ['last run', lastRunAt === null ? MISSING : minute(lastRunAt)],
      ['next run', nextRunAt === null ? MISSING : minute(nextRunAt)],
      ['error', lastError === null ? MISSING : text(lastError)],
      ['trades', loopText(config.closedLoop)],
      ['cost', `${dollars(costs.monthlyTotal)} of ${limit}, ${costs.llmCalls} calls`],
    ]),
    ...notes.flatMap((note) => note ?? []),
  ].join('\n')
}
