import { fileURLToPath } from 'node:url'
import { startTask, type WaitingTask } from './child-task.ts'
import type { Millis } from '../../domain/units.ts'
import type { FailureKind } from './failure-kind.ts'

export interface ProbeOrder {
  readonly dataDir: string
  readonly path: string
  /** Milliseconds for reading. */
  readonly budget: number
  readonly now: Millis
}

/**
 * What a probe found; `whole` says whether it read everything in its time, `keptLog` is where a damaged
 * log was kept whose end the engine dropped.
 */
export type ProbeReport =
  | { readonly outcome: 'sound'; readonly whole: boolean; readonly keptLog: string | null }
  | { readonly outcome: FailureKind; readonly message: string }

const PROBE = fileURLToPath(new URL('./probe.ts', import.meta.url))
/** A probe that hangs is as bad as one that dies. */
const LONGEST = 120_000

/** A process that is ready to look at a history. */
export type Probe = WaitingTask<ProbeReport>

/** Has a process read what a probe needs, while the caller does other things. */
export const startProbe = (): Probe => startTask<ProbeReport>(PROBE)

/** Opens a history in a child process first, so that an engine that aborts takes the child with it. */
export async function probeHistory(order: ProbeOrder, probe = startProbe()): Promise<ProbeReport> {
  const ended = await probe.run(order, LONGEST)
  if (ended.answer !== null) return ended.answer
  return { outcome: 'damaged', message: `the engine died while it opened the file: ${ended.died}` }
}
