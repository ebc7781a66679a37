/**
 * A process of its own, started by `augury restore`: stages one backup in a data folder, which may be
 * damaged, newer, or in use. Its order comes as a message; lines and the end go back the same way.
 */
import { stageRestore, type StagedRestore } from './features/operations/stage-restore.ts'
import { systemClock } from './lib/clock.ts'
import { ServiceError } from './lib/errors.ts'

export interface RestoreOrder {
  readonly dataDir: string
  readonly folder: string
  readonly force: boolean
}

/** `kind` is that of a ServiceError, null for a bug. */
export type RestoreMessage =
  | { readonly line: string }
  | { readonly done: StagedRestore }
  | { readonly failed: { readonly kind: string | null; readonly message: string } }

const tell = (message: RestoreMessage): void => void process.send?.(message)

process.once('message', (message) => {
  const order = message as RestoreOrder
  stageRestore({ ...order, now: systemClock.now() }, (line) => tell({ line }))
    .then(
      (done) => tell({ done }),
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error)
        tell({ failed: { kind: error instanceof ServiceError ? error.kind : null, message: text } })
      },
    )
    .finally(() => process.disconnect())
})
