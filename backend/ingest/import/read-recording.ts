import type { Millis } from '../../domain/units.ts'
import type { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import type { OutcomeOf } from '../../venues/venue-b/parse-tape.ts'
import { recordOutcomes } from './staging/record-outcomes.ts'
import type { Outcome } from './import-host.ts'
import type { TitleStatus } from './layouts/titles.ts'
import type { Reading } from './reading.ts'
import type { Context, Recording } from './recording.ts'
import { createEventCollector } from './staging/collect-events.ts'

/**
 * Imports a recorded payload. A row counts by its main event: a market's quote and counters are
 * stored beside its facts and not counted again.
 */
export async function readRecording(
  { rows, counted, assets = [], outcomes }: Recording,
  receivedAt: Millis,
  catalogue: RememberedCatalogue,
  reading: Reading,
): Promise<void> {
  if (outcomes !== undefined) return settleRecorded(outcomes, reading)
  if (assets.length > 0) await resolveAssets(reading)
  const context = { origin: 'imported', receivedAt } as const
  const outcomeOf: OutcomeOf = (ticker, asset) => reading.assets.get(`${ticker} ${asset}`) ?? null
  const collector = createEventCollector(counted, reading)
  rows.forEach((parse, index) => {
    const { events, skipped } = parse(context, catalogue, outcomeOf)
    collector.add(events, index + 1, Object.keys(skipped)[0])
  })
  await collector.finish()
}

/** Looks up the outcomes of all assets that files of the import name, once. */
async function resolveAssets({ assets, assetsToResolve, host }: Reading): Promise<void> {
  if (assetsToResolve.size === 0) return
  const ids = [...assetsToResolve]
  assetsToResolve.clear()
  for (const { ticker, asset, outcome } of await host.assetsById(ids)) {
    assets.set(`${ticker} ${asset}`, outcome)
  }
}

async function settleRecorded(
  outcomes: readonly (Outcome | null)[],
  reading: Reading,
): Promise<void> {
  const refusals = outcomes.flatMap((outcome, index) =>
    outcome === null ? [] : [{ outcome, row: index + 1 }],
  )
  outcomes.forEach((outcome, index) => {
    if (outcome === null) reading.tally.refuse('winning outcome is not stated', 1, index + 1)
  })
  await recordOutcomes(refusals, 'market is unknown: import its description with it', reading)
}

/** Counts series or events by the status of the markets that they name. */
export async function readContext(
  { layout, contextKind: contextKind, ids }: Context,
  reading: Reading,
): Promise<void> {
  const { tally, titles } = reading
  if (contextKind === null) return tally.refuse(`${layout} contains no market data`, 1, 1)
  const statuses = await titles.statuses()
  ids.forEach((id, index) => {
    if (id === null) tally.refuse(`${contextKind} without a ticker`, 1, index + 1)
    else
      countTitle(
        contextKind,
        id,
        statuses.get(`${contextKind} ${id}`) ?? 'no such market',
        index + 1,
        reading,
      )
  })
}

/**
 * An event or a series counts as taken when it named a market, of this import or an earlier one.
 */
export function countTitle(
  contextKind: 'event' | 'series',
  id: string,
  status: TitleStatus,
  row: number,
  { tally, described }: Reading,
): void {
  const existingOutcome = described.get(`${contextKind} ${id}`)
  if (existingOutcome === 'taken' || status === 'taken') tally.addRows(1)
  else if (existingOutcome === 'known' || status === 'known') tally.know(1)
  else tally.refuse(`no market of this ${contextKind} is known: import its markets first`, 1, row)
}
