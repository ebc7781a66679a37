import { SECOND } from '../../domain/units.ts'
import type { HistoryQueries, QueryOutcome } from '../../history/history-queries.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import { InvalidInput, TooCostly } from '../../lib/errors.ts'
import { createSlots } from '../../lib/slots.ts'
import { USUAL_ROWS, type AskSql } from './sql.schema.ts'

const LONGEST = 10 * SECOND
const WAITING = 8
const LOOK_EVERY = 50
/** Rows of an answer together, as JSON; a reader of more wants an export. */
const LONGEST_ANSWER = 32 * 1024 * 1024

export interface SqlService {
  /**
   * The answer as JSON. One statement runs at a time; the others wait, no longer than one may take.
   * @throws InvalidInput for a statement that cannot be answered, with the place in it
   * @throws TooCostly after ten seconds, or over the share of memory
   * @throws NotReady when no turn came
   */
  ask(body: AskSql): Promise<string>
}

/**
 * Statements of users over the views of the history.
 * @param deps.memoryShare bytes that a statement may take besides what is cached of the file
 * @param deps.residentBytes memory that this process holds now
 */
export function createSqlService(deps: {
  readonly history: HistoryQueries
  readonly memoryShare: number
  readonly residentBytes: () => number
  readonly wallClock: Clock
}): SqlService {
  const { history, memoryShare, residentBytes, wallClock } = deps
  const slots = createSlots(
    {
      ...{ slots: 1, patience: LONGEST, waiting: WAITING },
      refusal: 'Another statement is being answered. Try again in a few seconds',
    },
    wallClock,
  )
  const usedBytes = async (): Promise<number> => residentBytes() - (await history.cachedBytes())

  /** Ends the statement when it takes too much, and tells what it was that it took. */
  const watched = async (
    ask: (signal: AbortSignal) => Promise<QueryOutcome>,
  ): Promise<{ readonly outcome: QueryOutcome; readonly over: 'time' | 'memory' | null }> => {
    const stop = new AbortController()
    const ended = new AbortController()
    let over: 'time' | 'memory' | null = null
    const end = (what: 'time' | 'memory'): void => {
      if (over !== null || ended.signal.aborted) return
      over = what
      stop.abort()
    }
    const before = await usedBytes()
    const watch = async (): Promise<void> => {
      while (!ended.signal.aborted && over === null) {
        await sleepUnless(ended.signal, wallClock, LOOK_EVERY)
        if ((await usedBytes()) - before > memoryShare) end('memory')
      }
    }
    void sleepUnless(ended.signal, wallClock, LONGEST).then(() => end('time'))
    const watching = watch().catch(() => {})
    try {
      return { outcome: await ask(stop.signal), over }
    } finally {
      ended.abort()
      await watching
    }
  }

  return {
    ask: ({ sql, maxRows = USUAL_ROWS }) =>
      slots.run(async () => {
        const { outcome, over } = await watched((signal) =>
          history.query(sql, { maxRows, maxLength: LONGEST_ANSWER, signal }),
        )
        if (outcome.kind === 'answered') {
          const { columns, rows, isTruncated } = outcome.answer
          return `{"columns":${JSON.stringify(columns)},"rows":[${rows.join()}],"truncated":${isTruncated}}`
        }
        if (outcome.kind === 'faulty') throw new InvalidInput(faultOf(sql, outcome))
        if (outcome.kind === 'too-large' || over === 'memory') {
          throw new TooCostly(
            'QUERY_TOO_LARGE',
            'The statement needs more memory than it may have. Ask for fewer rows, or group them',
          )
        }
        throw new TooCostly(
          'QUERY_TIMEOUT',
          `The statement took over ${LONGEST / SECOND} s. Narrow it, best by ticker and ts_ms`,
        )
      }),
  }
}

/** The fault with line and column, both from 1, where the place is known. */
function faultOf(
  sql: string,
  { message, at }: { readonly message: string; readonly at: number | null },
): string {
  if (at === null || at > sql.length) return `sql: ${message}`
  const before = sql.slice(0, at).split('\n')
  return `sql: ${message} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`
}
