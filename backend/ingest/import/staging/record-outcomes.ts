import type { Outcome, OutcomeStatus } from '../import-host.ts'
import type { Reading } from '../reading.ts'

/** Settles the markets of these rows and counts the status of each. */
export async function recordOutcomes(
  rows: readonly { readonly outcome: Outcome; readonly row: number }[],
  whenUnknown: string,
  reading: Reading,
): Promise<void> {
  if (rows.length === 0) return
  const { tally, host, dryRun } = reading
  const reasons: Record<Exclude<OutcomeStatus, 'taken' | 'taken before' | 'known'>, string> = {
    'no such market': whenUnknown,
    'no end on file': 'market has not ended',
    'other result': 'another result is stored',
  }
  const statuses = await host.settle(
    rows.map(({ outcome }) => outcome),
    dryRun,
  )
  rows.forEach(({ outcome, row }, index) => {
    const status = statuses[index] ?? 'no such market'
    if (status === 'taken before') tally.settle({ taken: 1, known: 0, takenBefore: 1 })
    else if (status === 'taken' || isPending(status, outcome, reading)) tally.addRows(1)
    else if (status === 'known') tally.know(1)
    else tally.refuse(reasons[status], 1, row)
  })
}

/** In a dry run a market of the same import is not in the history yet. */
const isPending = (status: OutcomeStatus, { venue, ticker }: Outcome, reading: Reading): boolean =>
  reading.dryRun &&
  (status === 'no such market' || status === 'no end on file') &&
  reading.named.has(`${venue} ${ticker}`)
