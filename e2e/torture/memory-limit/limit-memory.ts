/**
 * Loaded into the service before its own code: the engine of the history gets `?mb=` megabytes in
 * place of what the service asks for. The limit itself, and what happens beyond it, is the engine's.
 */
import { DuckDBConnection } from '@duckdb/node-api'

const megabytes = Number(new URL(import.meta.url).searchParams.get('mb'))
const original = Object.getOwnPropertyDescriptor(DuckDBConnection.prototype, 'run')
  ?.value as DuckDBConnection['run']

DuckDBConnection.prototype.run = function (sql, ...rest) {
  const asked = sql.replace(/^set memory_limit = .*$/, `set memory_limit = '${megabytes}MiB'`)
  return original.call(this, asked, ...rest)
}
