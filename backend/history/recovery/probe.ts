/**
 * A process of its own: opens the history, which replays the log and folds it in, and reads as much of
 * it as fits into the time. Dying without an answer says enough.
 */
import { systemClock } from '../../lib/clock.ts'
import { openEngine } from '../duckdb/engine.ts'
import { serveTask } from './child-task.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import type { ProbeOrder, ProbeReport } from './probe-host.ts'
import { keepDamagedLog } from '../../lib/quarantine.ts'
import { inspectWal } from './wal-chain.ts'
import { walkTables } from './walk.ts'

serveTask((order) =>
  probe(order as ProbeOrder).catch((error: unknown): ProbeReport => ({
    outcome: failureKindOf(error),
    message: messagesOf(error),
  })),
)

async function probe({ dataDir, path, budget, now }: ProbeOrder): Promise<ProbeReport> {
  // The engine drops what follows a damaged length in the log without a word: kept before it opens.
  const isCut = inspectWal(`${path}.wal`).state === 'damaged'
  const keptLog = isCut ? keepDamagedLog(path, now) : null
  const engine = await openEngine({ path, dataDir })
  try {
    const deadline = systemClock.monotonic() + budget
    const whole = await walkTables(engine.writer, () => systemClock.monotonic() < deadline)
    // Folding the log in here means that the opening afterwards has none to replay.
    await engine.writer.run('checkpoint')
    return { outcome: 'sound', whole, keptLog }
  } finally {
    engine.close()
  }
}
