import { createInterface } from 'node:readline'
import { writeHeapSnapshot } from 'node:v8'
import { join } from 'node:path'
import { createAccountSecrets } from '../features/portfolio/credentials/account-secrets.ts'
import { createCredentialsStore } from '../features/portfolio/credentials/credentials.store.ts'
import { createOpenCredentials } from '../features/portfolio/credentials/open-credentials.ts'
import { installationKeyInFile } from '../lib/files/installation-key.ts'
import { eraseSecrets } from '../lib/secret-buffers.ts'
import { openState } from '../state/open.ts'

/**
 * A process that opens the credentials of a user at venue_a, holds them and erases them, each on a
 * line of stdin. Usage: node credential-holder.ts DATA USER OUT
 */
const [dataDir = '', userId = '', out = ''] = process.argv.slice(2)
const state = await openState(join(dataDir, 'state.sqlite'))
const store = createCredentialsStore(state)
const secrets = createAccountSecrets(store, () => installationKeyInFile(dataDir))
const open = createOpenCredentials(store, secrets)
let held: Awaited<ReturnType<typeof open<'venue_a'>>> = null
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'open') held = await open(userId, 'venue_a')
  if (line === 'erase' && held !== null) eraseSecrets(held)
  if (line === 'dump') {
    writeHeapSnapshot(join(out, 'heap.heapsnapshot'))
    process.report.writeReport(join(out, 'report.json'))
  }
  process.stdout.write(`${held === null ? 'none' : line}\n`)
}
await state.destroy()
