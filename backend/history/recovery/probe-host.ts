import { fileURLToPath } from 'node:url'
import { startTask, type WaitingTask } from './child-task.ts'
import type { Millis } from '../../domain/units.ts'
import type { FailureKind } from './failure-kind.ts'

export interface ProbeRequest {
  readonly dataDir: string
  readonly path: string
  /** Milliseconds for reading. */
  readonly budget: number
  readonly now: Millis
}

/**
 * Result of a probe; `whole` is whether it read everything in its time, `damagedLogCopy` is the copy of a
 * damaged log whose end the engine dropped.
 */
export type ProbeReport =
  | { readonly outcome: 'sound'; readonly whole: boolean; readonly damagedLogCopy: string | null }
  | { readonly outcome: FailureKind; readonly message: string }

const PROBE = fileURLToPath(new URL('./probe.ts', import.meta.url))
/** A probe that hangs counts as one that died. */
const MAX_DURATION = 120_000

/** An idle process that can probe a history. */
export type Probe = WaitingTask<ProbeReport>

/** Starts reading the file in a process, while the caller does other things. */
export const startProbe = (): Probe => startTask<ProbeReport>(PROBE)

/**
 * Opens a history in a child process first, which isolates this process from an engine that aborts.
 */
export async function probeHistory(
  request: ProbeRequest,
  probe = startProbe(),
): Promise<ProbeReport> {
  const taskEnd = await probe.run(request, MAX_DURATION)
  if (taskEnd.answer !== null) return taskEnd.answer
  return {
    outcome: 'damaged',
    message: `the engine died while it opened the file: ${taskEnd.failure}`,
  }
}
