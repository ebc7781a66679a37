import type { ResponseBody } from '../../contract/routes.ts'
import type { JobState } from '../../domain/job-state.ts'
import { routePath, parseJson, type ReadBody } from '../route.ts'
import { interruption, type Client } from '../client.ts'
import type { Call, CliEnvironment } from '../command.ts'
import { CliFailure, EXIT } from '../failure.ts'
import { text } from '../terminal/output.ts'

/** Fields that every long-running job of the service reports. */
export interface JobRun {
  readonly state: JobState
}

/** Routes of the jobs, which are followed with GET and cancelled with DELETE. */
export type JobRoute =
  '/api/imports/:id' | '/api/exports/:id' | '/api/backups/:id' | '/api/backtests/:id'
export type RunOf<R extends JobRoute> = ResponseBody<`GET ${R}`>

/** Prints a line of progress for the person at the keyboard. */
export type ProgressReporter = (line: string) => void

/** Progress lines of a job. */
export interface Progress<R extends JobRun> {
  /** Lines about new events, printed at once; called after each poll. */
  readonly eventLines?: (run: R) => readonly string[]
  /**
   * Line about the progress so far, called once a second in which no other line was printed; null
   * prints nothing.
   */
  readonly progressLine: (run: R, elapsedMs: number) => string | null
}

const POLL_MS = 300
/** Polling time is added to it, so that a line is printed each second. */
const MIN_PROGRESS_INTERVAL_MS = 1_000 - POLL_MS

/** Progress of a command goes to stderr, and nowhere with `--quiet`. */
export const progressReporterOf =
  ({ flags, system }: Pick<Call, 'flags' | 'system'>): ProgressReporter =>
  (line) => {
    if (!flags.has('quiet')) system.report(`${line}\n`)
  }

/**
 * Polls a job at its path until it has ended and returns its final state. An interruption is
 * passed on to the service.
 * @throws CliFailure
 */
export async function followJob<R extends JobRoute>(
  client: Pick<Client, 'get' | 'send'>,
  route: R,
  id: string,
  { clock, signal }: Pick<CliEnvironment, 'clock' | 'signal'>,
  reportProgress: ProgressReporter,
  { eventLines, progressLine }: Progress<RunOf<R>>,
): Promise<{ readonly body: ReadBody<R>; readonly run: RunOf<R> }> {
  const path = routePath(route, { id })
  const startedAt = clock.now()
  let reportedAt = startedAt
  const report = (line: string): void => {
    reportedAt = clock.now()
    reportProgress(line)
  }
  for (;;) {
    const body = await client.get(path)
    const run = parseJson(body)
    for (const line of eventLines?.(run) ?? []) report(line)
    if (run.state !== 'queued' && run.state !== 'running') return { body, run }
    const now = clock.now()
    const line =
      now - reportedAt >= MIN_PROGRESS_INTERVAL_MS ? progressLine(run, now - startedAt) : null
    if (line !== null) report(line)
    try {
      await clock.sleep(POLL_MS, signal)
    } catch {
      // The job may have ended on its own in the meantime; then there is nothing to cancel.
      await client.send('DELETE', path).catch(() => {})
      throw interruption()
    }
  }
}

/**
 * Throws for a job that ended without reaching its goal.
 * @param kind of the job, as in `export`
 * @throws CliFailure
 */
export function refuseUnlessDone(
  kind: string,
  { state, error }: JobRun & { readonly error: string | null },
): void {
  if (state === 'cancelled') throw cancellation(kind)
  if (state === 'failed') {
    throw new CliFailure(EXIT.failed, `${kind.toUpperCase()}_FAILED`, text(error))
  }
}

export const cancellation = (kind: string): CliFailure =>
  new CliFailure(EXIT.failed, 'CANCELLED', `The ${kind} was cancelled`)
