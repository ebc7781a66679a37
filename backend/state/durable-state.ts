import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Damage } from '../domain/damage.ts'
import type { Millis } from '../domain/units.ts'
import { moveDurably } from '../lib/durable-file.ts'
import type { Logger } from '../lib/logger.ts'
import { stampForName } from '../lib/quarantine.ts'
import { openState, type State } from './open.ts'
import { breakSeal, seal, sealedAlike, sealStateOf } from './seal.ts'
import { isWalSound } from './sqlite-wal.ts'

/** The log is folded into the file, and the file copied, when the log is longer. */
const LONGEST_LOG = 4 * 1024 * 1024

/** Operational rows that notice damage and come back from their own copy. */
export interface DurableState {
  readonly state: State
  readonly damage: Damage | null
  /** Folds a long log in and renews the copy; call it now and then. */
  tend(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the operational rows. A file that is not what we last wrote is set aside and replaced by its
 * copy beside it (`.bak`, as old as the last folding of the log, which is kept and applied to it).
 */
export async function openDurableState(
  path: string,
  now: Millis,
  logger: Logger,
): Promise<DurableState> {
  const damage = repair(path, now)
  const state = await openState(path)
  // Only we fold the log in, so that the seal tells of the file between two foldings.
  await sql`pragma wal_autocheckpoint = 0`.execute(state)
  if (damage !== null) logger.error({ ...damage }, damage.summary)
  const fold = async (): Promise<void> => {
    breakSeal(path)
    // A number that only grows makes every generation of the file another one in its header.
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(state)
    const generation = (rows[0]?.user_version ?? 0) + 1
    await sql.raw(`pragma user_version = ${generation}`).execute(state)
    await sql`pragma wal_checkpoint(truncate)`.execute(state)
    seal(path)
  }
  const renewCopy = async (): Promise<void> => {
    await copyFile(path, `${path}.bak.part`)
    breakSeal(`${path}.bak`)
    moveDurably(`${path}.bak.part`, `${path}.bak`)
    seal(`${path}.bak`)
  }
  await fold()
    .then(renewCopy)
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'the state was not copied at its opening'),
    )
  return {
    state,
    damage,
    async tend() {
      const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
      if (log === undefined || log.size < LONGEST_LOG) return
      await fold()
      await renewCopy()
    },
    async close() {
      try {
        await fold()
        await renewCopy()
      } catch (error) {
        logger.warn({ err: error }, 'the state was not copied at its end')
      }
      await state.destroy()
    },
  }
}

/** Looks at the files before SQLite does; null when they are sound or not there. */
function repair(path: string, now: Millis): Damage | null {
  if (!existsSync(path)) return null
  const log = `${path}-wal`
  const aside = `${path}.corrupt-${stampForName(now)}`
  const damage = (reason: string, summary: string): Damage => ({
    store: 'state',
    at: now,
    reason,
    quarantined: basename(aside),
    fromCopies: 0,
    salvaged: 0,
    lost: [],
    isLogCut: false,
    summary,
  })
  const isLogSound = isWalSound(log)
  if (!isLogSound) copyFileSync(log, `${aside}-wal`)
  const cut = isLogSound
    ? 'Nothing is lost.'
    : 'Its log was damaged too: changes after the damaged place are lost.'
  if (isSound(path)) {
    if (isLogSound) return null
    return damage(
      'a frame of the log does not fit its checksum',
      `The log of the operational rows was damaged: changes after the damaged place are lost; it is kept as ${basename(aside)}-wal.`,
    )
  }
  const copy = `${path}.bak`
  const isCopyUsable = existsSync(copy) && isSound(copy)
  const isCopyCurrent = isCopyUsable && sealedAlike(path, copy)
  renameSync(path, aside)
  rmSync(`${path}-shm`, { force: true })
  if (!isCopyCurrent && existsSync(log)) renameSync(log, `${aside}-wal`)
  breakSeal(path)
  if (isCopyUsable) {
    copyFileSync(copy, `${path}.part`)
    moveDurably(`${path}.part`, path)
  }
  const kept = `The file of the operational rows was damaged and is set aside as ${basename(aside)};`
  if (!isCopyUsable) {
    return damage(
      'the file is not what was written',
      `${kept} there was no sound copy: how far feeds were read, past imports, keys and incidents are lost.`,
    )
  }
  return damage(
    'the file is not what was written',
    isCopyCurrent
      ? `${kept} its copy took its place. ${cut}`
      : `${kept} an older copy took its place: changes after it was made are lost.`,
  )
}

function isSound(path: string): boolean {
  const sealed = sealStateOf(path)
  return sealed === 'intact' || (sealed === 'unknown' && passesCheck(path))
}

/** SQLite's own check; it finds broken structure, not changed content. */
function passesCheck(path: string): boolean {
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const row = database.prepare('pragma quick_check(1)').get()
    return row?.['quick_check'] === 'ok'
  } catch {
    return false
  } finally {
    database?.close()
  }
}
