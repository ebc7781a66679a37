import { rmSync } from 'node:fs'
import { systemClock } from '../../backend/lib/clock.ts'
import { readDamage } from '../../backend/lib/files/damage-journal.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf, quantile } from './chance.ts'
import { ImportedRows, type ImportVerdict, type StartedImport } from './imported-rows.ts'
import { scratchFolder } from './leftovers.ts'
import { killWhileStarting, startService, type RunningService } from './running-service.ts'
import { AcknowledgedRows } from './writes/acknowledged-rows.ts'
import { makeActiveMarket } from './writes/active-market.ts'
import { clientOf, type Client } from './writes/client.ts'
import { storedRows } from './writes/rows.store.ts'
import { Writers } from './writes/write-until-killed.ts'

const FLAGS = ['--source', 'none']
/** Every third kill during writes is followed by one during the start of the service. */
const SECOND_EVERY = 3
const LATEST_SECOND_KILL_MS = 1_500
const IMPORTED_ROWS = 2_000

/**
 * The real service is killed while rows of every kind are written by its routes and files are
 * imported, sometimes again while it starts. After each start every acknowledged row is stored, by
 * its id, exactly once.
 */
export const writes: TortureCampaign = {
  name: 'writes',
  about: 'F1: kill -9 of the service amid writes by its routes, and while it starts again',
  rounds: 500,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const dataDir = scratchFolder('writes')
    const imported = new ImportedRows(scratchFolder('writes-files'), IMPORTED_ROWS)
    const rows = new AcknowledgedRows()
    const writers = new Writers(rows)
    const starts: number[] = []
    let [amid, starting, lost, doubled, notDone] = [0, 0, 0, 0, 0]
    try {
      const ticker = await makeActiveMarket(dataDir)
      let service = await startService(FLAGS, { dataDir })
      let client = await clientOf(service, ticker)
      while (amid + starting < rounds) {
        const importing = importOf(imported, service)
        const cut = await writers.writeUntilKilled(service, client, chance)
        amid += 1
        if (amid % SECOND_EVERY === 0) {
          await killWhileStarting(FLAGS, dataDir, chance.integer(LATEST_SECOND_KILL_MS))
          starting += 1
        }
        const startedAt = systemClock.monotonic()
        service = await startService(FLAGS, { dataDir })
        starts.push(systemClock.monotonic() - startedAt)
        const found = rows.verify(storedRows(dataDir))
        client = await clientOf(service, ticker)
        await writers.repeat(client, cut)
        await removeLeftovers(dataDir, client, rows)
        notDone += await endOf(imported, service, await importing)
        lost = Math.max(lost, found.lost)
        doubled = Math.max(doubled, found.doubled)
        if (amid % 10 === 0) log(`${amid + starting} kills, ${rows.added} rows, lost ${lost}`)
      }
      const last = rows.verify(storedRows(dataDir))
      lost = Math.max(lost, last.lost)
      doubled = Math.max(doubled, last.doubled) + rows.sameIds
      const ofImports = await imported.verify(service)
      await service.stop()
      const damages = readDamage(dataDir)
      for (const { summary } of damages) log(`taken for damage: ${summary}`)
      for (const refusal of writers.refused) log(`refused: ${refusal}`)
      return [
        { name: 'kills amid writes', value: amid },
        { name: 'kills while starting', value: starting },
        { name: 'rows acknowledged', value: rows.added, goal: '> 0', met: rows.added > 0 },
        { name: 'of them revoked, cancelled or removed', value: rows.removed },
        none('writes refused', writers.refused.length),
        none('acknowledged rows lost', lost),
        none('rows doubled', doubled),
        ...importFigures(imported.acknowledged, notDone, ofImports),
        none('taken for damage', damages.length),
        { name: 'ready again p50, ms', value: Math.round(quantile(starts, 0.5)) },
        { name: 'ready again p99, ms', value: Math.round(quantile(starts, 0.99)) },
      ]
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

const none = (name: string, value: number) => ({ name, value, goal: '0', met: value === 0 })

const importFigures = (rows: number, notDone: number, verdict: ImportVerdict) => [
  { name: 'imported rows acknowledged', value: rows },
  none('imports that did not end done', notDone),
  none('imported rows lost', verdict.lost),
  none('imported rows stored twice', verdict.doubled),
  none('imported rows that differ from the file', verdict.wrong),
  none('reports of imports that count other rows', verdict.misreported),
]

/**
 * Removes rows that a kill left, also those without a response, because a user may have only a
 * limited number.
 */
async function removeLeftovers(
  dataDir: string,
  client: Client,
  rows: AcknowledgedRows,
): Promise<void> {
  for (const [table, stored] of storedRows(dataDir)) {
    for (const { id, name, path } of stored) {
      if (path === null || name?.startsWith('write-') !== true) continue
      if (table === 'panel') await client.asPage('DELETE', path)
      else await client.asOwner('DELETE', path)
      rows.removal(table, id, 'acknowledged')
    }
  }
}

/** Starts an import; null when the kill interrupted the response. */
async function importOf(
  imported: ImportedRows,
  service: RunningService,
): Promise<StartedImport | null> {
  try {
    return await imported.start(service)
  } catch (error) {
    // A broken connection is a TypeError; every response except 202 is another error.
    if (error instanceof TypeError) return null
    throw error
  }
}

/** @returns 1 for an import that did not end `done` */
async function endOf(
  imported: ImportedRows,
  service: RunningService,
  started: StartedImport | null,
): Promise<number> {
  if (started === null) return 0
  return Number((await imported.end(service, started)).state !== 'done')
}
