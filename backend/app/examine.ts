/**
 * Entry point of the process that `augury doctor` starts when no service answers: it examines the
 * stores of one data folder and changes nothing. It receives its request as a message and sends
 * its checks back as another.
 */
import { checkStoreFiles } from '../features/operations/store-checks.ts'
import { systemClock } from '../lib/clock.ts'

process.once('message', (message) => {
  const { dataDir } = message as { dataDir: string }
  checkStoreFiles(dataDir, systemClock.now())
    .then((checks) => process.send?.({ checks }))
    .catch((error: unknown) => {
      process.send?.({ failed: error instanceof Error ? error.message : String(error) })
    })
    .finally(() => process.disconnect())
})
