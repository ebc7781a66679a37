/**
 * A process of its own, started by `augury doctor` where no service answers: looks at the stores of one
 * data folder and changes nothing. Its order comes as a message; its checks go back as one.
 */
import { checkStoreFiles } from './features/operations/store-checks.ts'
import { systemClock } from './lib/clock.ts'

process.once('message', (message) => {
  const { dataDir } = message as { dataDir: string }
  checkStoreFiles(dataDir, systemClock.now())
    .then((checks) => process.send?.({ checks }))
    .catch((error: unknown) => {
      process.send?.({ failed: error instanceof Error ? error.message : String(error) })
    })
    .finally(() => process.disconnect())
})
