import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sleepUnless } from '../../lib/clock.ts'
import type { Engine } from '../duckdb/engine/engine.ts'
import type { WholeHistory } from '../history.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import type { Probe } from './probe-host.ts'
import {
  DAMAGED_BLOCK,
  openChecked,
  type DurableOptions,
  type OpenedHistory,
} from './open-checked.ts'
import { walkTables } from './walk.ts'
import { markAsRecorded, WriteRecords } from './write-record.ts'

/**
 * A log longer than this is checkpointed into the file, because a start after a kill has to replay
 * it.
 */
const MAX_LOG_BYTES = 16 * 1024 * 1024
const LOG_CHECK_INTERVAL = 16
/** Disk space that a checkpoint may need, as a multiple of the log's size. */
const ROOM_FOR_LOG = 2
const FIRST_PAUSE = 250
/** Longest time in ms that a read waits for the history to be reopened. */
const LOCK_TIMEOUT = 3_000
/** Calls that must not be repeated; all others may be retried. */
const WRITES: ReadonlySet<string> = new Set([
  'append',
  'adopt',
  'adoptFacts',
  'storeStatements',
  'sortClosedHours',
  'appendContext',
  'thinSnapshots',
  'marketIds',
])
/** Writes of live operation, after which the log may have grown long. */
const APPENDS: ReadonlySet<string> = new Set(['append', 'appendContext'])
/** Served from memory at once, whether the history is open or not. */
const IN_MEMORY: ReadonlySet<string> = new Set(['marketIdOf', 'keyOf', 'interrupt'])
type Calls = Readonly<Record<string, ((...values: unknown[]) => unknown) | undefined>>
const MAX_PAUSE = 5_000
/** Pause between slices of the background read, ms. */
const WALK_REST = 200

/**
 * A history that survives failures of its engine: it is opened after a probe, reopened when the
 * engine invalidates it (a full disk), and rebuilt when its content is damaged, all behind the same
 * store. While it is unavailable every call fails with StoreFailed.
 */
export class DurableHistory {
  /** The store; the object stays the same whatever happens to the file. */
  readonly store: WholeHistory
  readonly #options: DurableOptions
  readonly #stop = new AbortController()
  readonly #pendingReads = new Set<Promise<unknown>>()
  #engine: Engine
  #current: WholeHistory
  #reopening: Promise<void> | null = null
  #appends = 0
  #records: WriteRecords
  #isRecordFailing = false

  /** @param probe an idle process that examines the file; absent: one is started when needed */
  static async open(options: DurableOptions, probe?: Probe): Promise<DurableHistory> {
    const { opened, damage, walked } = await openChecked(options, options.wasClean, null, probe)
    const durable = new DurableHistory(options, opened)
    await durable.#writeRecords()
    if (damage !== null) options.onDamage(damage)
    if (!walked) void durable.#walkSlowly()
    return durable
  }

  private constructor(options: DurableOptions, openedHistory: OpenedHistory) {
    this.#options = options
    this.#engine = openedHistory.engine
    this.#current = openedHistory.history
    this.#records = this.#newRecords()
    this.store = this.#forwarding()
  }

  /** Lends a separate connection to a background task. */
  withConnection = async <T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    await this.#reopening
    const connection = await this.#engine.connect()
    const run = task(connection)
      .catch((error: unknown) => {
        this.#notice(error)
        throw error
      })
      .finally(() => connection.closeSync())
    const pendingRun = run.catch(() => {}).finally(() => this.#pendingReads.delete(pendingRun))
    this.#pendingReads.add(pendingRun)
    return run
  }

  /** Whether the log is checkpointed, so that the file is complete. */
  get isFolded(): boolean {
    return !existsSync(`${this.#options.path}.wal`)
  }

  /** Forwards every call to the store that is open now, and inspects its failures. */
  #forwarding(): WholeHistory {
    const names = Object.keys(this.#current) as (keyof WholeHistory)[]
    const forward =
      (name: keyof WholeHistory) =>
      (...values: unknown[]): unknown => {
        const call = (): unknown => (this.#current as unknown as Calls)[name]?.(...values)
        const isWrite = WRITES.has(name)
        if (this.#reopening !== null && !isWrite && !IN_MEMORY.has(name))
          return this.#callWhenOpen(call)
        const result = call()
        if (!(result instanceof Promise)) return result
        return result.then(
          (value: unknown) => {
            if (isWrite) this.#recordWrite()
            return APPENDS.has(name) ? this.#runAppended().then(() => value) : value
          },
          (error: unknown) => {
            this.#notice(error)
            if (this.#reopening !== null && !isWrite) return this.#callWhenOpen(call)
            throw error
          },
        )
      }
    const calls = names.map((name) => [name, forward(name)] as const)
    return { ...(Object.fromEntries(calls) as unknown as WholeHistory), close: () => this.#close() }
  }

  #newRecords(): WriteRecords {
    const { path, clock } = this.#options
    const records = new WriteRecords(path, () => clock.now())
    records.append()
    return records
  }

  async #writeRecords(): Promise<void> {
    try {
      await markAsRecorded(this.#engine.writer)
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'the history does not note its records')
    }
  }

  /** A write is valid whether or not its record can be written. */
  #recordWrite(): void {
    try {
      this.#records.append()
    } catch (error) {
      if (!this.#isRecordFailing) {
        this.#options.logger.warn({ err: error }, 'writes of the history cannot be written down')
      }
      this.#isRecordFailing = true
    }
  }

  /** Waits a limited time for the history to be reopened, then runs the read. */
  async #callWhenOpen(call: () => unknown): Promise<unknown> {
    const wait = new AbortController()
    const lockTimeout = sleepUnless(wait.signal, this.#options.clock, LOCK_TIMEOUT)
    await Promise.race([this.#reopening, lockTimeout])
    wait.abort()
    return call()
  }

  /**
   * Checkpoints a long log. On a disk without enough space this fails, and the engine does not
   * survive it.
   */
  async #runAppended(): Promise<void> {
    this.#appends += 1
    if (this.#appends % LOG_CHECK_INTERVAL !== 0) return
    const { path, logger } = this.#options
    const log = statSync(`${path}.wal`, { throwIfNoEntry: false })
    if (log === undefined || log.size < MAX_LOG_BYTES) return
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize < log.size * ROOM_FOR_LOG) return
    await this.withConnection((connection) => connection.run('checkpoint')).catch(
      (error: unknown) => logger.warn({ err: error }, 'history checkpoint put off'),
    )
  }

  #notice(error: unknown): void {
    if (this.#stop.signal.aborted || this.#reopening !== null) return
    const kind = failureKindOf(error)
    if (kind !== 'invalidated' && !DAMAGED_BLOCK.test(messagesOf(error))) return
    this.#options.logger.error({ err: error }, 'the history is opened again')
    this.#reopening = this.#reopen(error).finally(() => {
      this.#reopening = null
    })
  }

  async #reopen(error: unknown): Promise<void> {
    const { clock, logger, onDamage } = this.#options
    const { signal } = this.#stop
    await this.#release()
    const isDamaged = DAMAGED_BLOCK.test(messagesOf(error))
    let reason = isDamaged ? messagesOf(error) : null
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(MAX_PAUSE, 2 * pause)) {
      try {
        const { opened, damage } = await openChecked(this.#options, reason === null, reason)
        this.#engine = opened.engine
        this.#current = opened.history
        this.#records = this.#newRecords()
        await this.#writeRecords()
        logger.info({}, 'the history is open again')
        if (damage !== null) onDamage(damage)
        return
      } catch (failure) {
        logger.warn({ err: failure, pause }, 'the history cannot be opened yet')
        if (failureKindOf(failure) === 'damaged') reason = messagesOf(failure)
        await sleepUnless(signal, clock, pause)
      }
    }
  }

  async #release(): Promise<void> {
    await this.#current.close().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'the history was closed out of order')
    })
    // A connection that is still open would keep the old instance of the file open beside the new
    // one.
    await Promise.all(this.#pendingReads)
    this.#records.close()
  }

  async #walkSlowly(): Promise<void> {
    const { signal } = this.#stop
    const goOn = () => sleepUnless(signal, this.#options.clock, WALK_REST)
    await this.withConnection((connection) => walkTables(connection, goOn)).catch(
      (error: unknown) =>
        this.#options.logger.warn({ err: error }, 'the history could not be read to its end'),
    )
  }

  async #close(): Promise<void> {
    this.#stop.abort()
    await this.#reopening
    await Promise.all(this.#pendingReads)
    await this.#current.close()
    this.#records.close()
  }
}
