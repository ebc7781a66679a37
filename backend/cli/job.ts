import { interrupted, type Client } from './client.ts'
import type { Call, Surroundings } from './command.ts'
import { CliFailure, EXIT } from './failure.ts'
import { text } from './output.ts'

/** What every long job of the service tells of itself. */
export interface JobRun {
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
}

/** Tells a line of progress to the person at the keyboard. */
export type Say = (line: string) => void

/** What a person is told while a job goes on. */
export interface Progress<R extends JobRun> {
  /** Lines about what is new, told at once; asked after each poll. */
  readonly news?: (run: R) => readonly string[]
  /** How far it is, asked about once in a second in which nothing else was told; null tells nothing. */
  readonly far: (run: R, elapsedMs: number) => string | null
}

const POLL_MS = 300
/** Polls are added to it, so that a line is told each second. */
const SILENCE_MS = 1_000 - POLL_MS

/** Progress of a command goes to stderr, and nowhere with `--quiet`. */
export const sayOf =
  ({ flags, around }: Pick<Call, 'flags' | 'around'>): Say =>
  (line) => {
    if (!flags.on('quiet')) around.tell(`${line}\n`)
  }

/**
 * Polls a job at its path until it has ended; answers the service's last words on it. An
 * interruption is passed on to the service.
 * @throws CliFailure
 */
export async function followJob<R extends JobRun>(
  client: Pick<Client, 'get' | 'send'>,
  path: string,
  { clock, signal }: Pick<Surroundings, 'clock' | 'signal'>,
  say: Say,
  { news, far }: Progress<R>,
): Promise<{ readonly body: string; readonly run: R }> {
  const startedAt = clock.now()
  let toldAt = startedAt
  const tell = (line: string): void => {
    toldAt = clock.now()
    say(line)
  }
  for (;;) {
    const body = await client.get(path)
    const run = JSON.parse(body) as R
    for (const line of news?.(run) ?? []) tell(line)
    if (run.state !== 'queued' && run.state !== 'running') return { body, run }
    const now = clock.now()
    const line = now - toldAt >= SILENCE_MS ? far(run, now - startedAt) : null
    if (line !== null) tell(line)
    try {
      await clock.sleep(POLL_MS, signal)
    } catch {
      // It may have ended by itself in the meantime; then there is nothing to cancel.
      await client.send('DELETE', path).catch(() => {})
      throw interrupted()
    }
  }
}

/**
 * Refuses the end of a job that did not reach its goal.
 * @param kind of the job, as in `export`
 * @throws CliFailure
 */
export function refuseUnlessDone(
  kind: string,
  { state, error }: JobRun & { readonly error: string | null },
): void {
  if (state === 'cancelled') throw cancelled(kind)
  if (state === 'failed') {
    throw new CliFailure(EXIT.failed, `${kind.toUpperCase()}_FAILED`, text(error))
  }
}

export const cancelled = (kind: string): CliFailure =>
  new CliFailure(EXIT.failed, 'CANCELLED', `The ${kind} was cancelled`)
