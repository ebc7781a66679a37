import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Millis } from '../../domain/units.ts'
import type { CoverageRow } from '../coverage.ts'
import { runTask } from './child-task.ts'

export interface ExamineTask {
  readonly path: string
  /** Milliseconds for reading blocks. */
  readonly budget: number
  readonly from: Millis
  readonly now: Millis
}

/** Result of examining a closed history; the files are not changed. */
export type ExamineReport =
  | { readonly outcome: 'absent' }
  | {
      readonly outcome: 'sound'
      readonly schema: number
      readonly isNewer: boolean
      /** Every block was read and matches its checksum. */
      readonly whole: boolean
      readonly gaps: readonly CoverageRow[]
    }
  | { readonly outcome: 'held'; readonly message: string }
  | { readonly outcome: 'damaged'; readonly message: string }

const EXAMINE = fileURLToPath(new URL('./examine-process.ts', import.meta.url))
const MAX_DURATION = 120_000

/** Reads a history in a process of its own, which isolates this one from an engine that aborts. */
export async function examineHistory(task: ExamineTask): Promise<ExamineReport> {
  if (!existsSync(task.path)) return { outcome: 'absent' }
  const { answer, failure } = await runTask<ExamineReport>(EXAMINE, task, MAX_DURATION)
  return answer ?? { outcome: 'damaged', message: failure }
}
