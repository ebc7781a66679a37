import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Millis } from '../../domain/units.ts'
import { Session } from './connections.ts'
import { connectionsBeside, quoted, type Engine } from './engine.ts'
import { migrate } from './migrations/migrations.ts'
import { historyOn, type HistoryOptions, type OpenHistory } from './open.ts'
import { BEGUN, beginFrom, READERS_PATH } from './past-views.ts'

/**
 * Opens a history over the one that is attached as `past`: it answers with what was known at an instant
 * and what is appended to it, which stands in a new file of its own. The engine has one at a time.
 * @throws StoreFailed when the file cannot be made or filled
 */
export async function openBegun(
  instance: DuckDBInstance,
  at: Millis,
  options: HistoryOptions,
): Promise<OpenHistory> {
  const keeper = await instance.connect()
  await keeper.run(`attach ${quoted(options.path)} as ${BEGUN}`)
  const detach = async (): Promise<void> => {
    await keeper.run(`detach ${BEGUN}`)
    keeper.closeSync()
  }
  try {
    const history = await historyOn(await engineOf(instance, at), options)
    let closing: Promise<void> | null = null
    const close = async (): Promise<void> => {
      await history.close()
      await detach()
    }
    return { ...history, close: () => (closing ??= close()) }
  } catch (error) {
    await detach().catch(() => {})
    throw error
  }
}

async function engineOf(instance: DuckDBInstance, at: Millis): Promise<Engine> {
  const connections: DuckDBConnection[] = []
  const close = (): void => {
    for (const connection of connections) connection.closeSync()
  }
  const connect = async (): Promise<DuckDBConnection> => {
    const connection = await instance.connect()
    await connection.run(`use ${BEGUN}`)
    return connection
  }
  const connectOwn = async (): Promise<DuckDBConnection> => {
    const connection = await connect()
    connections.push(connection)
    return connection
  }
  try {
    const writer = await connectOwn()
    await migrate(writer)
    const filling = new Session(await connect())
    try {
      await beginFrom(filling, at)
    } finally {
      filling.close()
    }
    const others = await connectionsBeside(connectOwn)
    for (const reader of others.readers) await reader.run(`set search_path = '${READERS_PATH}'`)
    return { writer, ...others, connect, close }
  } catch (error) {
    close()
    throw error
  }
}
