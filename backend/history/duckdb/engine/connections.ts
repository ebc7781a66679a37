import {
  LIST,
  BIGINT,
  VARCHAR,
  listValue,
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
} from '@duckdb/node-api'
import { release } from './columns.ts'
import { StoreFailed } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'

/** A bound parameter: whole numbers are passed as BIGINT, lists as LIST. */
export type BoundValue = number | string | readonly number[] | readonly string[]
export type Bounds = Readonly<Record<string, BoundValue>>

/** A connection that caches its prepared statements. Used by one caller at a time. */
export class Session {
  readonly connection: DuckDBConnection
  readonly #statements = new Map<string, DuckDBPreparedStatement>()
  #isInterrupted = false

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  /** Runs a prepared query and reads its chunks; parameters are named in the SQL (`$market`). */
  async read(sql: string, values: Bounds = {}): Promise<DuckDBDataChunk[]> {
    return (await this.#run(sql, values)).fetchAllChunks()
  }

  /**
   * Like `read`, for many rows: reports their number and passes chunk by chunk, yielding to other
   * work in between. A chunk is released after its callback.
   */
  async readBulk(
    sql: string,
    values: Bounds,
    onRows: (rows: number) => void,
    onChunk: (chunk: DuckDBDataChunk, firstRow: number) => void,
  ): Promise<void> {
    const result = await this.#run(sql, values)
    onRows(result.rowCount)
    let firstRow = 0
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      onChunk(chunk, firstRow)
      firstRow += chunk.rowCount
    }
  }

  /**
   * Like `read`, for more rows than fit into memory: passes chunk by chunk while the engine
   * computes the next ones. A chunk is released after its callback; a callback that returns a
   * promise pauses the engine.
   */
  async readStream(
    sql: string,
    values: Bounds,
    onChunk: (chunk: DuckDBDataChunk) => Promise<void> | undefined,
  ): Promise<void> {
    const result = isFixed(values)
      ? await this.#open().stream(sql)
      : await (await this.#preparedStatement(sql, values)).stream()
    let next = result.fetchChunk()
    for (;;) {
      const chunk = await next
      if (chunk === null || chunk.rowCount === 0) return
      // The engine fetches the next chunk while this one is processed.
      next = result.fetchChunk()
      try {
        const processing = onChunk(chunk)
        if (processing !== undefined) await processing
        release(chunk)
      } catch (error) {
        // The fetch must end before the connection is used again.
        await next.catch(() => {})
        throw error
      }
    }
  }

  /** Runs a prepared statement; returns the number of rows it changed. */
  async change(sql: string, values: Bounds = {}): Promise<number> {
    return (await this.#run(sql, values)).rowsChanged
  }

  /** Cancels the running query, whose promise rejects, and refuses later ones. */
  interrupt(): void {
    this.#isInterrupted = true
    this.connection.interrupt()
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.destroySync()
    this.#statements.clear()
    this.connection.closeSync()
  }

  async #run(sql: string, values: Bounds): Promise<DuckDBMaterializedResult> {
    if (isFixed(values)) return this.#open().run(sql)
    return (await this.#preparedStatement(sql, values)).run()
  }

  #open(): DuckDBConnection {
    if (this.#isInterrupted) throw closedError()
    return this.connection
  }

  async #preparedStatement(sql: string, values: Bounds): Promise<DuckDBPreparedStatement> {
    this.#open()
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = await this.connection.prepare(sql)
      this.#statements.set(sql, statement)
    }
    for (const [name, value] of Object.entries(values)) bind(statement, name, value)
    return statement
  }
}

/**
 * Whether a statement has no parameters. Such a statement is planned for each run: the plan of a
 * prepared one holds counts, limits and empty filters of the rows at its preparation, and answers
 * with them after rows were added. A statement with parameters is planned again for each run.
 */
const isFixed = (values: Bounds): boolean => Object.keys(values).length === 0

function bind(statement: DuckDBPreparedStatement, name: string, value: BoundValue): void {
  const index = statement.parameterIndex(name)
  if (typeof value === 'string') statement.bindVarchar(index, value)
  else if (typeof value === 'number') statement.bindBigInt(index, bigintOf(value))
  else if (value.every((item) => typeof item === 'string')) {
    statement.bindList(index, listValue([...value]), LIST(VARCHAR))
  } else {
    statement.bindList(index, listValue(value.map((item) => bigintOf(item))), LIST(BIGINT))
  }
}

/** Times may be ±Infinity for "no bound"; the engine gets the nearest safe integer. */
const bigintOf = (value: number): bigint =>
  BigInt(Math.floor(Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, value))))

/** Wraps any error of the engine in StoreFailed; StoreFailed errors pass unchanged. */
export function storeFailure(error: unknown, action: string): StoreFailed {
  if (error instanceof StoreFailed) return error
  return new StoreFailed(`The history could not ${action}`, { cause: error })
}

/** A pool of read connections; a reader waits while all are in use. */
export class ReadPool {
  readonly #idle: Session[]
  readonly #all: readonly Session[]
  readonly #waiters: { resolve: (session: Session) => void; reject: (error: Error) => void }[] = []
  #closed = false
  #whenIdle: (() => void) | null = null

  constructor(connections: readonly DuckDBConnection[]) {
    this.#all = connections.map((connection) => new Session(connection))
    this.#idle = [...this.#all]
  }

  /** Lends a session to `task`; failures are rethrown as StoreFailed. */
  async with<T>(task: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#acquire()
    try {
      return await task(session)
    } catch (error) {
      throw storeFailure(error, 'answer')
    } finally {
      this.#release(session)
    }
  }

  /** Like `with`, inside one read transaction: all its queries see the same rows. */
  async snapshot<T>(task: (session: Session) => Promise<T>): Promise<T> {
    return this.with(async (session) => {
      await session.connection.run('begin transaction read only')
      try {
        const result = await task(session)
        await session.connection.run('commit')
        return result
      } catch (error) {
        await session.connection.run('rollback').catch(() => {})
        throw error
      }
    })
  }

  /** Refuses new readers and cancels running queries; `close` follows. */
  interrupt(): void {
    this.#rejectAll()
    for (const session of this.#all) if (!this.#idle.includes(session)) session.interrupt()
  }

  /** Refuses new readers, waits for running ones, closes the connections. */
  async close(): Promise<void> {
    this.#rejectAll()
    if (this.#idle.length < this.#all.length) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    for (const session of this.#all) session.close()
  }

  #rejectAll(): void {
    this.#closed = true
    for (const waiter of this.#waiters.splice(0)) waiter.reject(closedError())
  }

  #acquire(): Promise<Session> {
    if (this.#closed) return Promise.reject(closedError())
    const session = this.#idle.pop()
    if (session !== undefined) return Promise.resolve(session)
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }))
  }

  #release(session: Session): void {
    const next = this.#waiters.shift()
    if (next !== undefined) return next.resolve(session)
    this.#idle.push(session)
    if (this.#idle.length === this.#all.length) this.#whenIdle?.()
  }
}

const closedError = (): StoreFailed => new StoreFailed('The history is closed')

/** The only connection that writes; tasks run one after another, each in a transaction. */
export class Writer {
  readonly #session: Session
  readonly #logger: Logger
  readonly #appenders = new Map<string, DuckDBAppender>()
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  constructor(connection: DuckDBConnection, logger: Logger) {
    this.#session = new Session(connection)
    this.#logger = logger
  }

  /**
   * Runs `task` in its own transaction; its rows are durable when the promise resolves.
   * `committed` updates the memory with the result before any later task starts.
   */
  transaction<T>(
    task: (work: Session) => Promise<T>,
    onCommit: (result: T) => void = () => {},
  ): Promise<T> {
    return this.#queue(async () => {
      const { connection } = this.#session
      await connection.run('begin transaction')
      try {
        const result = await task(this.#session)
        await connection.run('commit')
        onCommit(result)
        return result
      } catch (error) {
        this.#dropAppenders()
        await connection.run('rollback').catch(() => {})
        throw error
      }
    })
  }

  /**
   * Checkpoints the write-ahead log into the file. Rows are durable without it: if the engine
   * cannot do it now, it does so later by itself.
   */
  checkpoint(): Promise<void> {
    return this.#queue(async () => {
      try {
        await this.#session.connection.run('checkpoint')
      } catch (error) {
        this.#logger.warn({ err: error }, 'history checkpoint put off')
      }
    })
  }

  /** The cached appender of a table; flush it before the transaction ends. */
  async appender(table: string): Promise<DuckDBAppender> {
    const appender = this.#appenders.get(table)
    if (appender !== undefined) return appender
    const newAppender = await this.#session.connection.createAppender(table)
    this.#appenders.set(table, newAppender)
    return newAppender
  }

  /** Waits for running tasks, checkpoints the log into the file, closes. */
  async close(): Promise<void> {
    if (this.#closed) return
    await this.checkpoint()
    this.#closed = true
    await this.#last.catch(() => {})
    this.#dropAppenders()
    this.#session.close()
  }

  #queue<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closedError())
    const run = this.#last.then(task).catch((error: unknown) => {
      throw storeFailure(error, 'keep the rows')
    })
    this.#last = run.catch(() => {})
    return run
  }

  #dropAppenders(): void {
    for (const appender of this.#appenders.values()) {
      try {
        appender.clear()
        appender.closeSync()
      } catch {
        // A failed appender cannot be closed cleanly; its rows were rolled back.
      }
    }
    this.#appenders.clear()
  }
}
