import { statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Damage } from '../domain/history-damage.ts'
import type { Millis } from '../domain/units.ts'
import { moveDurably } from '../lib/files/durable-file.ts'
import type { Logger } from '../lib/logger.ts'
import { CommitLog } from './commit-log.ts'
import { copyOf } from './judge-state.ts'
import { writeGeneration } from './last-generation.ts'
import { openState, type State } from './open.ts'
import { planStateRepair } from './repair-state.ts'
import { breakSeal, generationOf, seal } from './seal.ts'

/** A longer log is checkpointed into the file, and the file copied, bytes. */
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** Operational rows that detect damage and are restored from their own copy. */
export interface DurableState {
  readonly state: State
  readonly damage: Damage | null
  /** Checkpoints a long log and renews the copy; called periodically. */
  maintain(): Promise<void>
  close(): Promise<void>
}

export interface DurableStateOptions {
  readonly now: () => Millis
  readonly logger: Logger
  /** Whether other files in the folder show that it was in use, so that rows must exist. */
  readonly isFolderUsed?: boolean
  /** Called with the damage found, before it is repaired. */
  readonly beforeRepair?: (damage: Damage) => void
}

/**
 * Opens the operational rows. A file that differs from the one last written is set aside and
 * replaced by the copy beside it (`.bak`, as old as the last checkpoint); the log since then is
 * kept and applied to it.
 */
export async function openDurableState(
  path: string,
  { now, logger, isFolderUsed = false, beforeRepair }: DurableStateOptions,
): Promise<DurableState> {
  const repair = planStateRepair(path, now(), isFolderUsed)
  const damage = repair?.damage ?? null
  if (repair !== null) {
    logger.error({ ...repair.damage }, repair.damage.summary)
    beforeRepair?.(repair.damage)
    repair.apply()
  }
  let isFailing = false
  const log = new CommitLog(path, {
    now,
    onFailure(error) {
      if (!isFailing) logger.warn({ err: error }, 'commits cannot be recorded')
      isFailing = true
    },
  })
  const state = await openState(path, undefined, () => log.append())
  const walBytes = (): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const begin = (generation: number): void => {
    log.begin(generation)
    writeGeneration(path, { generation, at: now() })
  }
  const checkpoint = async (): Promise<void> => {
    breakSeal(path)
    // A growing number gives every generation of the file a different header.
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(state)
    const generation = (rows[0]?.user_version ?? 0) + 1
    await sql.raw(`pragma user_version = ${generation}`).execute(state)
    await sql`pragma wal_checkpoint(truncate)`.execute(state)
    // When a reader kept the log from being checkpointed, its records stay too.
    if (walBytes() === 0) begin(generation)
    seal(path)
  }
  const renewCopy = async (): Promise<void> => {
    await copyFile(path, `${copyOf(path)}.part`)
    breakSeal(copyOf(path))
    moveDurably(`${copyOf(path)}.part`, copyOf(path))
    seal(copyOf(path))
  }
  await checkpoint()
    .then(renewCopy)
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'the state was not copied at its opening'),
    )
  return {
    state,
    damage,
    async maintain() {
      if (walBytes() < MAX_LOG_BYTES) return
      await checkpoint()
      await renewCopy()
    },
    async close() {
      try {
        await checkpoint()
        await renewCopy()
      } catch (error) {
        logger.warn({ err: error }, 'the state was not copied at its end')
      }
      await state.destroy()
      // Closing the last connection checkpoints the rest of the log.
      if (walBytes() === 0) begin(generationOf(path) ?? 0)
      log.close()
    },
  }
}
