/** A process of its own that performs one rebuild. */
import { serveTask } from './child-task.ts'
import { messagesOf } from './failure-kind.ts'
import { rebuild, type RebuildOrder } from './rebuild.ts'

serveTask((order) =>
  rebuild(order as RebuildOrder).catch((error: unknown) => {
    throw new Error(messagesOf(error))
  }),
)
