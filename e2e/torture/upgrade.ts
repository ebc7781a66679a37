import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEngine } from '../../backend/history/duckdb/engine/engine.ts'
import { HISTORY_SCHEMA, migrate } from '../../backend/history/duckdb/migrations/migrations.ts'
import { messagesOf } from '../../backend/history/recovery/failure-kind.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { openState, STATE_MIGRATIONS } from '../../backend/state/open.ts'
import { DataFolderProblem } from '../../backend/lib/process/start-problems.ts'
import { openStores } from '../../backend/app/stores.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf } from './chance.ts'
import { endWithUs, scratchFolder } from './leftovers.ts'
import { markLater } from './later-version.store.ts'

const MIGRATE = fileURLToPath(new URL('./migrate-folder.ts', import.meta.url))
/** Upper bound for a migration of an empty folder, from the start of its process. */
const MAX_WAIT = 400

/**
 * Folders of every earlier schema open and are migrated to ours; those of a later one are rejected
 * with instructions and stay unchanged; a killed migration leaves a folder that opens.
 */
export const upgrade: TortureCampaign = {
  name: 'upgrade',
  about: 'F14: folders of other versions, and kills while one is migrated',
  rounds: 60,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const root = scratchFolder('upgrade')
    let [folders, opened, killed, survived] = [0, 0, 0, 0]
    try {
      // Each earlier schema of one store with one of the other.
      const levels = STATE_MIGRATIONS.map((state, index) => ({
        history: Math.min(index + 1, HISTORY_SCHEMA),
        state,
      }))
      for (const level of levels) {
        const folder = join(root, `${level.history}-${level.state}`)
        await makeFolder(folder, level)
        folders += 1
        if (await opens(folder, log)) opened += 1
      }
      for (let round = 0; round < rounds; round++) {
        const folder = join(root, 'killed')
        rmSync(folder, { recursive: true, force: true })
        await makeFolder(folder, { history: 1, state: STATE_MIGRATIONS[0] ?? '' })
        killed += await killWhileMigrating(folder, chance.integer(MAX_WAIT))
        if (await opens(folder, log)) survived += 1
      }
      const refused = [await refusesNewerHistory(root), await refusesNewerState(root)]
      for (const problem of refused) if (problem !== null) log(problem)
      const refusals = refused.filter((problem) => problem === null).length
      return [
        { name: 'folders of earlier versions', value: folders },
        { name: 'opened and brought to ours', value: opened, goal: 'all', met: opened === folders },
        { name: 'migrations killed before their end', value: killed },
        { name: 'opened afterwards', value: survived, goal: 'all', met: survived === rounds },
        {
          name: 'newer folders refused untouched, of 2',
          value: refusals,
          goal: '2',
          met: refusals === 2,
        },
      ]
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

async function makeFolder(
  folder: string,
  level: { history: number; state: string },
): Promise<void> {
  mkdirSync(folder, { mode: 0o700 })
  const engine = await openEngine({ path: join(folder, 'history.duckdb'), dataDir: folder })
  await migrate(engine.writer, level.history)
  engine.close()
  await (await openState(join(folder, 'state.sqlite'), level.state)).destroy()
}

/** Whether the stores open without a recovery and respond. */
async function opens(folder: string, log: (line: string) => void): Promise<boolean> {
  try {
    const stores = await openStores(folder, silentLogger)
    let damages = 0
    stores.upkeep?.onDamage(() => (damages += 1))
    await stores.history.size()
    await stores.state.selectFrom('export_run').selectAll().execute()
    await stores.close()
    if (damages > 0) log(`${folder}: reported as damaged`)
    return damages === 0
  } catch (error) {
    log(`${folder}: ${messagesOf(error)}`)
    return false
  }
}

/** 1 when the process was killed before it had ended by itself. */
async function killWhileMigrating(folder: string, after: number): Promise<number> {
  const child = fork(MIGRATE, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  endWithUs(child)
  const ended = once(child, 'exit')
  child.send(folder)
  await once(child, 'message')
  await Promise.race([sleep(after), ended])
  child.kill('SIGKILL')
  const [code] = (await ended) as [number | null]
  return code === null ? 1 : 0
}

/** Null when the folder was rejected with instructions and is unchanged byte for byte. */
async function refusal(folder: string): Promise<string | null> {
  const before = join(folder, '..', `${folder}-before`)
  cpSync(folder, before, { recursive: true })
  try {
    await (await openStores(folder, silentLogger)).close()
    return `${folder}: a newer folder was opened`
  } catch (error) {
    if (!(error instanceof DataFolderProblem)) return `${folder}: ${messagesOf(error)}`
    if (!error.message.includes('Update Augury')) return `${folder}: ${error.message}`
  }
  const changed = ['history.duckdb', 'state.sqlite'].filter(
    (name) => !readFileSync(join(folder, name)).equals(readFileSync(join(before, name))),
  )
  return changed.length === 0 ? null : `${folder}: changed ${changed.join(', ')}`
}

async function refusesNewerHistory(root: string): Promise<string | null> {
  const folder = join(root, 'newer-history')
  await makeFolder(folder, { history: HISTORY_SCHEMA, state: STATE_MIGRATIONS.at(-1) ?? '' })
  const engine = await openEngine({ path: join(folder, 'history.duckdb'), dataDir: folder })
  await engine.writer.run('insert into schema_version values ($1)', [HISTORY_SCHEMA + 1])
  await engine.writer.run('checkpoint')
  engine.close()
  return refusal(folder)
}

async function refusesNewerState(root: string): Promise<string | null> {
  const folder = join(root, 'newer-state')
  await makeFolder(folder, { history: 1, state: STATE_MIGRATIONS.at(-1) ?? '' })
  markLater(join(folder, 'state.sqlite'))
  return refusal(folder)
}
