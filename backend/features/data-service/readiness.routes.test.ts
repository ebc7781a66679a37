import { describe, expect, it } from 'vitest'
import { testDataService } from '../../testing/data-service.ts'
import type { Part } from './readiness.service.ts'

const readyz = async (change: (app: ReturnType<typeof testDataService>) => void) => {
  const app = testDataService()
  change(app)
  return app.get('/readyz')
}
const failing =
  (...names: string[]) =>
  ({ parts }: { parts: Part[] }) => {
    for (const [index, part] of parts.entries()) {
      if (!names.includes(part.name)) continue
      parts[index] = { ...part, status: 'outage', dataAgeSeconds: 901, message: 'It fell silent' }
    }
  }

describe('/healthz', () => {
  it('is always 200 [health.data.liveness]', async () => {
    const app = testDataService()
    app.board.ready = false
    app.state.databaseAnswers = false
    expect(await app.get('/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
  })
})

describe('/readyz', () => {
  const fine = { ok: true, message: null, ageSeconds: null }

  it('is ready with its checks [health.data.readiness]', async () => {
    expect(await readyz(() => {})).toEqual({
      status: 200,
      body: {
        status: 'ready',
        checks: { database: fine, history: fine, venue_a: fine, venue_b: fine, computed: fine },
      },
    })
  })

  it('requires only one venue', async () => {
    const { status, body } = await readyz(failing('venue_b'))
    expect(status).toBe(200)
    expect(body.checks.venue_b).toEqual({ ok: false, message: 'It fell silent', ageSeconds: 901 })
  })

  it.each<[string, (app: ReturnType<typeof testDataService>) => void, string]>([
    ['its rows cannot be read', ({ state }) => (state.databaseAnswers = false), 'the database'],
    ['rows cannot be written', failing('history'), 'the history'],
    ['the first load is unfinished', ({ board }) => (board.ready = false), 'the history'],
    ['neither venue delivers', failing('venue_a', 'venue_b'), 'a venue'],
    ['no source is open', ({ state }) => (state.opened = false), 'a venue'],
    [
      'nothing works',
      (app) => {
        app.state.databaseAnswers = false
        failing('history', 'venue_a', 'venue_b')(app)
      },
      'the database, the history, a venue',
    ],
  ])('is not ready while %s [health.data.readiness]', async (_why, change, missing) => {
    const { status, body } = await readyz(change)
    expect(status).toBe(503)
    expect(body).toMatchObject({
      status: 'not_ready',
      code: 'NOT_READY',
      error: `Not ready: waits for ${missing}`,
    })
  })

  it('states when to retry', async () => {
    const app = testDataService()
    app.board.ready = false
    const bound = await app.listen()
    const answer = await fetch(`${bound.url}/readyz`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    await bound.close(0)
  })
})
