import type { Outcome, OutcomeFate } from './import-host.ts'
import type { Reading } from './reading.ts'

/** Settles the markets of these rows and counts what became of each. */
export async function settleRows(
  rows: readonly { readonly outcome: Outcome; readonly row: number }[],
  whenUnknown: string,
  reading: Reading,
): Promise<void> {
  if (rows.length === 0) return
  const { tally, host, dryRun } = reading
  const reasons: Record<Exclude<OutcomeFate, 'taken' | 'known'>, string> = {
    'no such market': whenUnknown,
    'no end on file': 'market has not ended',
    'other result': 'another result is stored',
  }
  const fates = await host.settle(
    rows.map(({ outcome }) => outcome),
    dryRun,
  )
  rows.forEach(({ outcome, row }, index) => {
    const fate = fates[index] ?? 'no such market'
    if (fate === 'taken' || isToCome(fate, outcome, reading)) tally.take(1)
    else if (fate === 'known') tally.know(1)
    else tally.refuse(reasons[fate], 1, row)
  })
}

/** On a dry run a market of the same import is not in the history yet. */
const isToCome = (fate: OutcomeFate, { venue, ticker }: Outcome, reading: Reading): boolean =>
  reading.dryRun &&
  (fate === 'no such market' || fate === 'no end on file') &&
  reading.named.has(`${venue} ${ticker}`)
