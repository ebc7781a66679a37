/** A process of its own that performs one rebuild. */
import { serveTask } from './child-task.ts'
import { messagesOf } from './failure-kind.ts'
import { rebuild, type RebuildTask } from './rebuild.ts'

serveTask((task) =>
  rebuild(task as RebuildTask).catch((error: unknown) => {
    throw new Error(messagesOf(error))
  }),
)
