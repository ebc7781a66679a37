import { describe, expect, it } from 'vitest'
import type { HistoryQueries, QueryBounds, QueryOutcome } from '../../history/history-queries.ts'
import { NotReady, TooCostly } from '../../lib/errors.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createSqlService } from './sql.service.ts'

/** Statements that run until they are stopped. */
const endless: HistoryQueries = {
  query: (_sql: string, { signal }: QueryBounds) =>
    new Promise<QueryOutcome>((resolve) => {
      const stop = (): void => resolve({ kind: 'stopped' })
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
    }),
}
const ending = (outcome: QueryOutcome): HistoryQueries => ({
  query: () => Promise.resolve(outcome),
})

const failureOf = (requested: Promise<unknown>): Promise<unknown> =>
  requested.then(
    () => null,
    (error: unknown) => error,
  )

describe('a long statement', () => {
  // [sql.route.bounds]
  it('leaves room for one other; queued ones time out after ten seconds, and one over the queue limit is refused at once', async () => {
    const clock = new FakeClock()
    const sql = createSqlService({ history: endless, wallClock: clock })
    const requested = Array.from({ length: 11 }, () => failureOf(sql.ask({ sql: 'x' })))
    expect(await requested[10]).toBeInstanceOf(NotReady)
    await clock.advance(10_000)
    expect(await requested[0]).toMatchObject({ code: 'QUERY_TIMEOUT' })
    expect(await requested[1]).toMatchObject({ code: 'QUERY_TIMEOUT' })
    expect(await requested[9]).toBeInstanceOf(NotReady)
    await clock.advance(10_000)
    await Promise.all(requested)
  })

  // [sql.route.bounds]
  it('is cancelled when its client disconnects, and when the service closes', async () => {
    const sql = createSqlService({ history: endless, wallClock: new FakeClock() })
    const disconnect = new AbortController()
    const left = failureOf(sql.ask({ sql: 'x' }, disconnect.signal))
    disconnect.abort()
    expect(await left).toBeInstanceOf(TooCostly)
    const running = failureOf(sql.ask({ sql: 'x' }))
    sql.close()
    expect(await running).toBeInstanceOf(NotReady)
  })
})

describe('a statement over a limit', () => {
  // [sql.route.bounds]
  it.each([
    ['memory', 512, /more than 512 MB of memory.*shorter texts/],
    ['rows', 2_048, /reads more than 2048 MB of rows.*ticker and ts_ms/],
  ] as const)('of %s reports which limit and what to do', async (limit, limitMb, message) => {
    const history = ending({ kind: 'too-large', limit, limitMb })
    const sql = createSqlService({ history, wallClock: new FakeClock() })
    const failure = await failureOf(sql.ask({ sql: 'x' }))
    expect(failure).toMatchObject({ code: 'QUERY_TOO_LARGE' })
    expect((failure as Error).message).toMatch(message)
  })
})
