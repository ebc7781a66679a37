/**
 * The baseline of `start.ts`: the same libraries imported, the same file opened, one bare response.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { node } from '@elysiajs/node'
import { Elysia } from 'elysia'
import { Kysely } from 'kysely'
import { pino } from 'pino'
import { WebSocketServer } from 'ws'

const { values } = parseArgs({
  options: { source: { type: 'string' }, port: { type: 'string' }, data: { type: 'string' } },
})
const folder = values.data ?? '.'
const instance = await DuckDBInstance.create(join(folder, 'history.duckdb'))
await instance.connect()
const imported = [node, Elysia, Kysely, pino, WebSocketServer].length
createServer((_request, response) => response.end(String(imported))).listen(
  Number(values.port),
  '127.0.0.1',
)
process.once('SIGTERM', () => process.exit(0))
