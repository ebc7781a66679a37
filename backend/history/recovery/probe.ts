/**
 * Child process that opens the history, which replays and checkpoints the log, and reads as much of
 * it as the time allows. A death without an answer is a result too.
 */
import { truncateSync } from 'node:fs'
import { systemClock } from '../../lib/clock.ts'
import { openEngine } from '../duckdb/engine/engine.ts'
import { inspectWal } from '../duckdb/engine/wal.ts'
import { serveTask } from './child-task.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import type { ProbeOrder, ProbeReport } from './probe-host.ts'
import { keepDamagedLog } from '../../lib/files/quarantine.ts'
import { walkTables } from './walk.ts'

serveTask((order) =>
  probe(order as ProbeOrder).catch((error: unknown): ProbeReport => ({
    outcome: failureKindOf(error),
    message: messagesOf(error),
  })),
)

async function probe({ dataDir, path, budget, now }: ProbeOrder): Promise<ProbeReport> {
  // The engine silently drops what follows a damaged length in the log, except bulk inserts of the
  // transaction that it is in: a copy is kept, and the log ends with the commit before.
  const { state, commitEnd } = inspectWal(`${path}.wal`)
  const damagedLogCopy = state === 'damaged' ? keepDamagedLog(path, now) : null
  if (damagedLogCopy !== null) truncateSync(`${path}.wal`, commitEnd)
  const engine = await openEngine({ path, dataDir })
  try {
    const deadline = systemClock.monotonic() + budget
    const whole = await walkTables(engine.writer, () => systemClock.monotonic() < deadline)
    // Checkpointing here means that the next opening has no log to replay.
    await engine.writer.run('checkpoint')
    return { outcome: 'sound', whole, damagedLogCopy }
  } finally {
    engine.close()
  }
}
