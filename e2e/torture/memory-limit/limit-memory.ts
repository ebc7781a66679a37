/**
 * Loaded into the service before its own code: the history's engine gets `?mb=` megabytes instead
 * of the service's setting. The limit itself, and its effects, are the engine's.
 */
import { DuckDBConnection } from '@duckdb/node-api'

const megabytes = Number(new URL(import.meta.url).searchParams.get('mb'))
const original = Object.getOwnPropertyDescriptor(DuckDBConnection.prototype, 'run')
  ?.value as DuckDBConnection['run']

DuckDBConnection.prototype.run = function (sql, ...rest) {
  const requested = sql.replace(/^set memory_limit = .*$/, `set memory_limit = '${megabytes}MiB'`)
  return original.call(this, requested, ...rest)
}
