import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Millis } from '../../../domain/units.ts'
import { Session } from '../engine/connections.ts'
import { openRelatedConnections, quoteText, type Engine } from '../engine/engine.ts'
import { migrate } from '../migrations/migrations.ts'
import { historyOn, type HistoryOptions, type OpenHistory } from '../open.ts'
import { OVERLAY, fillOverlay, READERS_PATH } from './point-in-time-views.ts'

/**
 * Opens a history over the one that is attached as `past`. It returns what was known at an instant,
 * plus rows appended to it, which are stored in a new file of its own. The engine has one at a
 * time.
 * @throws StoreFailed when the file cannot be created or filled
 */
export async function openHistoryAt(
  instance: DuckDBInstance,
  at: Millis,
  options: HistoryOptions,
): Promise<OpenHistory> {
  const connection = await instance.connect()
  await connection.run(`attach ${quoteText(options.path)} as ${OVERLAY}`)
  const detach = async (): Promise<void> => {
    await connection.run(`detach ${OVERLAY}`)
    connection.closeSync()
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
    await connection.run(`use ${OVERLAY}`)
    return connection
  }
  const openConnection = async (): Promise<DuckDBConnection> => {
    const connection = await connect()
    connections.push(connection)
    return connection
  }
  try {
    const writer = await openConnection()
    await migrate(writer)
    const filling = new Session(await connect())
    try {
      await fillOverlay(filling, at)
    } finally {
      filling.close()
    }
    const others = await openRelatedConnections(openConnection)
    for (const reader of others.readers) await reader.run(`set search_path = '${READERS_PATH}'`)
    return { writer, ...others, connect, close }
  } catch (error) {
    close()
    throw error
  }
}
