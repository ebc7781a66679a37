/**
 * Loaded into the service before its own code: from its ready line on, the history's engine may use
 * `?mb=` megabytes. Starting needs more than a campaign wants to leave, and how much more depends
 * on the machine. The limit itself, and its effects, are the engine's.
 */
import { DuckDBConnection } from '@duckdb/node-api'
import { systemClock } from '../../../backend/lib/clock.ts'

const megabytes = Number(new URL(import.meta.url).searchParams.get('mb'))
const LOCK = 'set lock_configuration = true'
const original = Object.getOwnPropertyDescriptor(DuckDBConnection.prototype, 'run')
  ?.value as DuckDBConnection['run']

/** Connections whose settings are locked only after the limit is set. */
const unlocked = new Set<DuckDBConnection>()

DuckDBConnection.prototype.run = function (sql, ...rest) {
  if (sql.startsWith('set memory_limit = ')) unlocked.add(this)
  const isLock = sql === LOCK && unlocked.has(this)
  return original.call(this, isLock ? 'select 1' : sql, ...rest)
}

async function limitMemory(): Promise<void> {
  for (const connection of unlocked) {
    while (!(await isSettled(connection))) await systemClock.sleep(20)
  }
}

/** False while reads of the start hold more than the limit: the engine takes it when they ended. */
async function isSettled(connection: DuckDBConnection): Promise<boolean> {
  try {
    await original.call(connection, `set memory_limit = '${megabytes}MiB'`)
    await original.call(connection, LOCK)
    return true
  } catch (error) {
    if (String(error).includes('Out of Memory')) return false
    if (String(error).includes('connection disconnected')) return true
    throw error
  }
}

const write = process.stdout.write.bind(process.stdout)
process.stdout.write = (chunk: string | Uint8Array) => {
  const isReady = typeof chunk === 'string' && chunk.startsWith('{"ready":true')
  if (!isReady) return write(chunk)
  void limitMemory().then(() => write(chunk))
  return true
}
