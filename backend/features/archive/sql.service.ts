import { SECOND } from '../../domain/units.ts'
import type { HistoryQueries, QueryOutcome } from '../../history/history-queries.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import { InvalidInput, NotReady, TooCostly } from '../../lib/errors.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import { DEFAULT_ROWS } from '../../contract/archive.ts'
import type { AskSql } from '../../contract/archive.ts'

const MAX_DURATION = 10 * SECOND
/** Statements that run at a time, each in its own process; a small machine has two processors. */
const MAX_CONCURRENT = 2
const MAX_QUEUED = 8
/** Largest result, bytes of JSON; larger results need an export. */
const MAX_ANSWER_LENGTH = 32 * 1024 * 1024

export interface SqlService {
  /**
   * Runs a statement and returns its result as JSON. Two statements run at a time; others are
   * queued for at most the time limit of one.
   * @param disconnectSignal aborts when the client disconnects; the statement ends with it
   * @throws InvalidInput for a statement that cannot be answered, with the position of the error
   * @throws TooCostly after ten seconds, or over a limit of memory or rows
   * @throws NotReady if no process became free, or the service stops
   */
  ask(body: AskSql, disconnectSignal?: AbortSignal): Promise<string>
  /** Ends running statements and refuses new ones. */
  close(): void
}

/** Runs users' SQL statements on the views of the history. */
export function createSqlService(deps: {
  readonly history: HistoryQueries
  readonly wallClock: Clock
}): SqlService {
  const { history, wallClock } = deps
  const closing = new AbortController()
  const semaphore = createSemaphore(
    {
      permits: MAX_CONCURRENT,
      maxWait: MAX_DURATION,
      maxQueued: MAX_QUEUED,
      refusal: 'Other statements are running. Try again in a few seconds',
    },
    wallClock,
  )

  const run = async (
    sql: string,
    maxRows: number,
    disconnectSignal: AbortSignal,
  ): Promise<QueryOutcome> => {
    const abortController = new AbortController()
    const overtime = new AbortController()
    void sleepUnless(abortController.signal, wallClock, MAX_DURATION).then((isOver) => {
      if (isOver) overtime.abort()
    })
    const signal = AbortSignal.any([overtime.signal, closing.signal, disconnectSignal])
    try {
      const outcome = await history.query(sql, { maxRows, maxLength: MAX_ANSWER_LENGTH, signal })
      if (closing.signal.aborted) throw new NotReady('The service is stopping')
      return outcome
    } finally {
      abortController.abort()
    }
  }

  return {
    close: () => closing.abort(),
    ask: ({ sql, maxRows = DEFAULT_ROWS }, disconnectSignal = new AbortController().signal) =>
      semaphore.run(async () => {
        const outcome = await run(sql, maxRows, disconnectSignal)
        if (outcome.kind === 'answered') {
          const { columns, rows, isTruncated } = outcome.answer
          return `{"columns":${JSON.stringify(columns)},"rows":[${rows.join()}],"truncated":${isTruncated}}`
        }
        if (outcome.kind === 'faulty') throw new InvalidInput(problemOf(sql, outcome))
        if (outcome.kind === 'too-large') {
          throw new TooCostly('QUERY_TOO_LARGE', tooLargeOf(outcome))
        }
        throw new TooCostly(
          'QUERY_TIMEOUT',
          `The statement exceeded ${MAX_DURATION / SECOND} s and was cancelled. Narrow it, preferably by ticker and ts_ms`,
        )
      }),
  }
}

function tooLargeOf({ limit, limitMb }: Extract<QueryOutcome, { kind: 'too-large' }>): string {
  return limit === 'memory'
    ? `The statement needs more than ${limitMb} MB of memory and was cancelled. Read fewer rows, group them, or build shorter texts and lists`
    : `The statement reads more than ${limitMb} MB of rows and was cancelled. Select fewer columns, or narrow it by ticker and ts_ms`
}

/** The error with line and column (both from 1) if its position is known. */
function problemOf(
  sql: string,
  { message, at }: { readonly message: string; readonly at: number | null },
): string {
  if (at === null || at > sql.length) return `sql: ${message}`
  const linesBefore = sql.slice(0, at).split('\n')
  return `sql: ${message} (line ${linesBefore.length}, column ${(linesBefore.at(-1)?.length ?? 0) + 1})`
}
