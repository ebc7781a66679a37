/**
 * A process of its own that migrates the stores of one folder to our schema, to be killed
 * meanwhile.
 */
import { join } from 'node:path'
import { openEngine } from '../../backend/history/duckdb/engine/engine.ts'
import { migrate } from '../../backend/history/duckdb/migrations/migrations.ts'
import { openState } from '../../backend/state/open.ts'

process.once('message', (message) => {
  void migrateFolder(String(message)).then(() => process.disconnect())
  process.send?.('begun')
})

async function migrateFolder(folder: string): Promise<void> {
  const engine = await openEngine({ path: join(folder, 'history.duckdb'), dataDir: folder })
  await migrate(engine.writer)
  engine.close()
  await (await openState(join(folder, 'state.sqlite'))).destroy()
}
