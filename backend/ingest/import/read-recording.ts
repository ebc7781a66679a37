import type { Millis } from '../../domain/units.ts'
import type { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import type { TitleFate } from './import-host.ts'
import type { Reading } from './reading.ts'
import type { Context, Recording } from './recording.ts'
import { createTaker } from './take-events.ts'

/**
 * Takes a recorded payload. A row counts by its main event: a market's quote and counters are
 * stored beside its facts and not counted again.
 */
export async function readRecording(
  { rows, counted }: Recording,
  receivedAt: Millis,
  catalogue: RememberedCatalogue,
  reading: Reading,
): Promise<void> {
  const context = { origin: 'imported', receivedAt } as const
  const taker = createTaker(counted, reading)
  rows.forEach((parse, index) => {
    const { events, skipped } = parse(context, catalogue)
    taker.add(events, index + 1, Object.keys(skipped)[0])
  })
  await taker.finish()
}

/** Names the markets of series or events, and counts these by what became of their markets. */
export async function readContext({ of, ids, titles }: Context, reading: Reading): Promise<void> {
  const fates = await reading.host.nameMarkets(titles, reading.dryRun)
  const named = new Map<string, TitleFate>()
  titles.events.forEach(({ eventId }, index) => {
    named.set(eventId, fates.events[index] ?? 'no such market')
  })
  titles.series.forEach(({ seriesId }, index) => {
    named.set(seriesId, fates.series[index] ?? 'no such market')
  })
  ids.forEach((id, index) => {
    if (id === null) reading.tally.refuse(`${of} without a ticker`, 1, index + 1)
    else countTitle(of, id, named.get(id) ?? 'no such market', index + 1, reading)
  })
}

/** An event or a series counts as taken when it named a market, of this import or from before. */
export function countTitle(
  of: 'event' | 'series',
  id: string,
  fate: TitleFate,
  row: number,
  { tally, described }: Reading,
): void {
  const here = described.get(`${of} ${id}`)
  if (here === 'taken' || fate === 'taken') tally.take(1)
  else if (here === 'known' || fate === 'known') tally.know(1)
  else tally.refuse(`no market of this ${of} is known: import its markets first`, 1, row)
}
