import { describe, expect, it } from 'vitest'
import type { HistoryQueries, QueryBounds, QueryOutcome } from '../../history/history-queries.ts'
import { NotReady, TooCostly } from '../../lib/errors.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createSqlService } from './sql.service.ts'

const MB = 1024 * 1024

/** Statements that run until they are stopped. */
function endless(): HistoryQueries & { cached: number } {
  return {
    cached: 0,
    query: (_sql: string, { signal }: QueryBounds) =>
      new Promise<QueryOutcome>((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'stopped' }))
      }),
    cachedBytes() {
      return Promise.resolve(this.cached)
    },
  }
}

function service() {
  const clock = new FakeClock()
  const history = endless()
  const memory = { resident: 100 * MB }
  const sql = createSqlService({
    ...{ history, memoryShare: 50 * MB, wallClock: clock, residentBytes: () => memory.resident },
  })
  return { clock, history, memory, sql }
}

describe('a statement that goes on', () => {
  // [sql.route.bounds]
  it('is ended when it takes more than its share of memory, not counting what is cached', async () => {
    const { clock, history, memory, sql } = service()
    let said: unknown = null
    const asked = sql.ask({ sql: 'x' }).catch((error: unknown) => (said = error))
    await clock.advance(100)
    ;[memory.resident, history.cached] = [400 * MB, 299 * MB]
    await clock.advance(100)
    expect(said).toBeNull()
    memory.resident = 451 * MB
    await clock.advance(100)
    await asked
    expect(said).toBeInstanceOf(TooCostly)
    expect(said).toMatchObject({ code: 'QUERY_TOO_LARGE' })
  })

  // [sql.route.bounds]
  it('keeps others waiting, who are told so after ten seconds; too many are told at once', async () => {
    const { clock, sql } = service()
    const asked = Array.from({ length: 10 }, () =>
      sql.ask({ sql: 'x' }).catch((error: unknown) => error),
    )
    expect(await asked[9]).toBeInstanceOf(NotReady)
    const first = asked[0]
    await clock.advance(10_000)
    expect(await first).toMatchObject({ code: 'QUERY_TIMEOUT' })
    expect(await asked[8]).toBeInstanceOf(NotReady)
    await clock.advance(10_000)
    await Promise.all(asked)
  })
})
