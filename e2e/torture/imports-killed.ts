import { setTimeout as sleep } from 'node:timers/promises'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf } from './chance.ts'
import { ImportedRows, type ImportAnswer, type StartedImport } from './imported-rows.ts'
import { scratchFolder } from './leftovers.ts'
import { killWhileStarting, startService } from './running-service.ts'

const ROWS = 20_000
/** The engine writes so many rows to its file before they are committed. */
const BULK_ROWS = 130_000
/** Approximate time from the requests to the end of their imports. */
const LATEST_KILL_MS = 2_500
/** Every third kill is followed by one while the service starts. */
const SECOND_KILL_EVERY = 3
const LATEST_SECOND_KILL_MS = 1_500
const IMPORTS_A_KILL = 3

/**
 * The service is killed while imports run, and sometimes again while it restarts. Imports resume
 * automatically, and every row is stored and reported exactly once.
 */
export const importsKilled: TortureCampaign = {
  name: 'imports-killed',
  about: 'F1 over HTTP: kill -9 during imports, and again while the service starts',
  rounds: 100,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const imported = new ImportedRows(scratchFolder('imports-killed'), ROWS)
    const dataDir = scratchFolder('imports-killed-data')
    const ended: ImportAnswer[] = []
    let [kills, resumed, splits] = [0, 0, 0]
    let service = await startService(FLAGS, { dataDir })
    try {
      while (kills < rounds) {
        const started: StartedImport[] = []
        started.push(await imported.start(service, BULK_ROWS))
        while (started.length < IMPORTS_A_KILL) started.push(await imported.start(service))
        await sleep(chance.integer(LATEST_KILL_MS))
        await service.kill()
        kills += 1
        if (kills % SECOND_KILL_EVERY === 0) {
          kills += 1
          await killWhileStarting(FLAGS, dataDir, chance.integer(LATEST_SECOND_KILL_MS))
        }
        service = await startService(FLAGS, { dataDir })
        for (const one of started) ended.push(await imported.end(service, one))
        const ours = ended.slice(-IMPORTS_A_KILL)
        resumed += ours.filter(({ interruptions = 0 }) => interruptions > 0).length
        splits += ours.filter(({ files }) => (files[0]?.rowsTakenBefore ?? 0) > 0).length
        log(`${kills} kills: ${JSON.stringify(await imported.verify(service, IMPORTS_A_KILL))}`)
      }
      const failed = ended.filter(({ state }) => state !== 'done')
      for (const { state, files } of failed.slice(0, 3)) log(`${state}: ${files[0]?.error ?? ''}`)
      const verdict = await imported.verify(service)
      const none = (name: string, value: number) => ({ name, value, goal: '0', met: value === 0 })
      return [
        { name: 'kills', value: kills },
        { name: 'imports', value: ended.length },
        { name: 'imports that were resumed', value: resumed },
        { name: 'of them with rows from before the kill', value: splits },
        none('imports that did not end done', failed.length),
        none('acknowledged rows lost', verdict.lost),
        none('rows stored twice', verdict.doubled),
        none('rows that differ from the file', verdict.wrong),
        none('reports that count other rows', verdict.misreported),
      ]
    } finally {
      await service.stop()
    }
  },
}

const FLAGS = ['--source', 'none']
