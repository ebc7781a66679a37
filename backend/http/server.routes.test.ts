import { describe, expect, it } from 'vitest'
import { ListenFailed } from '../lib/process/start-problems.ts'
import { ask, jsonOf } from '../testing/asking.ts'
import { closedAfterTest, probe } from '../testing/probe-service.ts'
import { bind } from './server.ts'

describe('the port', () => {
  it('reports that a port is in use', async () => {
    const first = closedAfterTest(await probe().serve())
    const second = bind({ host: '127.0.0.1', port: first.port })
    await expect(second).rejects.toThrow(ListenFailed)
    await expect(second).rejects.toThrow(/in use/)
  })

  // [conventions.errors.not-ready]
  it('answers 503 until it serves an app, and stops on request', async () => {
    const bound = await bind({ host: '127.0.0.1', port: 0 })
    const answer = await ask(`${bound.url}/api/health`)
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(jsonOf(answer)).toMatchObject({ code: 'NOT_READY' })
    await bound.close()
    await expect(ask(`${bound.url}/api/health`)).rejects.toThrow(/ECONNREFUSED/)
  })
})
