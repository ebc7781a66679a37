import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sleepUnless } from '../../lib/clock.ts'
import type { Engine } from '../duckdb/engine.ts'
import type { WholeHistory } from '../history.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import type { Probe } from './probe-host.ts'
import { DAMAGED_BLOCK, openChecked, type DurableOptions, type Opened } from './open-checked.ts'
import { walkTables } from './walk.ts'

/** The log is folded into the file when it is longer; replaying it is what a start after a kill waits for. */
const LONGEST_LOG = 16 * 1024 * 1024
const LOOK_AT_LOG_EVERY = 16
/** Room that folding the log in may need, as a multiple of its size. */
const ROOM_FOR_LOG = 2
const FIRST_PAUSE = 250
/** A read waits so long for the history to be open again. */
const PATIENCE = 3_000
/** What must not be done twice; all other calls may be asked again. */
const WRITES: ReadonlySet<string> = new Set([
  'append',
  'adopt',
  'adoptFacts',
  'adoptStated',
  'sortClosedHours',
  'appendContext',
  'thinSnapshots',
  'marketIds',
])
/** Writes of live operation, after which the log may have grown long. */
const APPENDS: ReadonlySet<string> = new Set(['append', 'appendContext'])
/** Answered from memory, at once, open or not. */
const IN_MEMORY: ReadonlySet<string> = new Set(['marketIdOf', 'keyOf'])
type Calls = Readonly<Record<string, ((...values: unknown[]) => unknown) | undefined>>
const LONGEST_PAUSE = 5_000
/** Rest between slices of the slow reading. */
const WALK_REST = 200

/**
 * The history that survives its engine: opened behind a probe, opened again when the engine gives it
 * up (a disk that was full), and rebuilt when its content turns out to be damaged, all behind the same
 * store. While it is away every call fails with StoreFailed.
 */
export class DurableHistory {
  /** The store; it stays the same whatever happens to the file. */
  readonly store: WholeHistory
  readonly #options: DurableOptions
  readonly #stop = new AbortController()
  readonly #lent = new Set<Promise<unknown>>()
  #engine: Engine
  #current: WholeHistory
  #reopening: Promise<void> | null = null
  #appends = 0

  /** @param probe a process that waits to look at the file; absent: one is started where needed */
  static async open(options: DurableOptions, probe?: Probe): Promise<DurableHistory> {
    const { opened, damage, walked } = await openChecked(options, options.wasClean, null, probe)
    const durable = new DurableHistory(options, opened)
    if (damage !== null) options.onDamage(damage)
    if (!walked) void durable.#walkSlowly()
    return durable
  }

  private constructor(options: DurableOptions, opened: Opened) {
    this.#options = options
    this.#engine = opened.engine
    this.#current = opened.history
    this.store = this.#forwarding()
  }

  /** Lends a connection of its own to a task in the background. */
  withConnection = async <T>(task: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    await this.#reopening
    const connection = await this.#engine.connect()
    const run = task(connection)
      .catch((error: unknown) => {
        this.#notice(error)
        throw error
      })
      .finally(() => connection.closeSync())
    const lent = run.catch(() => {}).finally(() => this.#lent.delete(lent))
    this.#lent.add(lent)
    return run
  }

  /** Whether the log is folded in, so that the file is all there is. */
  get isFolded(): boolean {
    return !existsSync(`${this.#options.path}.wal`)
  }

  /** Every call goes to the store that is open now, and its failures are looked at on the way. */
  #forwarding(): WholeHistory {
    const names = Object.keys(this.#current) as (keyof WholeHistory)[]
    const forward =
      (name: keyof WholeHistory) =>
      (...values: unknown[]): unknown => {
        const call = (): unknown => (this.#current as unknown as Calls)[name]?.(...values)
        const isWrite = WRITES.has(name)
        if (this.#reopening !== null && !isWrite && !IN_MEMORY.has(name)) return this.#later(call)
        const result = call()
        if (!(result instanceof Promise)) return result
        return result.then(
          (value: unknown) => (APPENDS.has(name) ? this.#afterAppend().then(() => value) : value),
          (error: unknown) => {
            this.#notice(error)
            if (this.#reopening !== null && !isWrite) return this.#later(call)
            throw error
          },
        )
      }
    const calls = names.map((name) => [name, forward(name)] as const)
    return { ...(Object.fromEntries(calls) as unknown as WholeHistory), close: () => this.#close() }
  }

  /** A read that waits for the history to be open again, for a while. */
  async #later(call: () => unknown): Promise<unknown> {
    const waited = new AbortController()
    const patience = sleepUnless(waited.signal, this.#options.clock, PATIENCE)
    await Promise.race([this.#reopening, patience])
    waited.abort()
    return call()
  }

  /** Folds a long log in. It fails on a disk without room for it, which the engine does not survive. */
  async #afterAppend(): Promise<void> {
    this.#appends += 1
    if (this.#appends % LOOK_AT_LOG_EVERY !== 0) return
    const { path, logger } = this.#options
    const log = statSync(`${path}.wal`, { throwIfNoEntry: false })
    if (log === undefined || log.size < LONGEST_LOG) return
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
    await this.#letGo()
    const isDamaged = DAMAGED_BLOCK.test(messagesOf(error))
    let reason = isDamaged ? messagesOf(error) : null
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
      try {
        const { opened, damage } = await openChecked(this.#options, reason === null, reason)
        this.#engine = opened.engine
        this.#current = opened.history
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

  async #letGo(): Promise<void> {
    await this.#current.close().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'the history was closed out of order')
    })
    // A connection that is still open would keep the old opening of the file alive beside the new one.
    await Promise.all(this.#lent)
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
    await Promise.all(this.#lent)
    await this.#current.close()
  }
}
