/**
 * Entry point of the process that `augury restore` starts: it stages one backup in a data folder,
 * which may be damaged, newer, or in use. It receives its task as a message and sends progress
 * lines and the result back as messages.
 */
import { stageRestore, type StagedRestore } from '../features/operations/stage-restore.ts'
import { systemClock } from '../lib/clock.ts'
import { ServiceError } from '../lib/errors.ts'

export interface RestoreTask {
  readonly dataDir: string
  readonly folder: string
  readonly force: boolean
}

/** `kind` is that of a ServiceError, null for a bug. */
export type RestoreMessage =
  | { readonly line: string }
  | { readonly done: StagedRestore }
  | { readonly failed: { readonly kind: string | null; readonly message: string } }

const report = (message: RestoreMessage): void => void process.send?.(message)

process.once('message', (message) => {
  const task = message as RestoreTask
  stageRestore({ ...task, now: systemClock.now() }, (line) => report({ line }))
    .then(
      (result) => report({ done: result }),
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error)
        report({
          failed: { kind: error instanceof ServiceError ? error.kind : null, message: text },
        })
      },
    )
    .finally(() => process.disconnect())
})
