/**
 * Child process that opens the history, which replays and checkpoints the log, and reads as much of
 * it as the time allows. If it dies without a report, its host takes that as the result.
 */
import { truncateSync } from 'node:fs'
import { systemClock } from '../../lib/clock.ts'
import { openEngine } from '../duckdb/engine/engine.ts'
import { inspectWal } from '../duckdb/engine/wal.ts'
import { serveTask } from './child-task.ts'
import { failureKindOf, messagesOf } from './failure-kind.ts'
import type { ProbeRequest, ProbeReport } from './probe-host.ts'
import { keepDamagedLog } from '../../lib/files/quarantine.ts'
import { walkTables } from './walk.ts'

serveTask((request) =>
  probe(request as ProbeRequest).catch((error: unknown): ProbeReport => ({
    outcome: failureKindOf(error),
    message: messagesOf(error),
  })),
)

async function probe({ dataDir, path, budget, now }: ProbeRequest): Promise<ProbeReport> {
  // DuckDB silently drops what follows a damaged length in the log, but applies bulk inserts of that
  // transaction. The log is copied, and truncated after its last intact commit.
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
