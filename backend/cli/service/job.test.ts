import { describe, expect, it } from 'vitest'
import { InstantClock } from '../../testing/instant-clock.ts'
import type { Client } from '../client.ts'
import { CliFailure, EXIT } from '../failure.ts'
import { followJob, refuseUnlessDone, type JobRun, type Progress } from './job.ts'

interface Run extends JobRun {
  readonly rows: number
}

/** A service whose job has the states of `runs`, one per poll, and then the last of them. */
function serviceOf(runs: readonly Run[]) {
  const requested: string[] = []
  const client: Pick<Client, 'get' | 'send'> = {
    get(path) {
      const run = runs[Math.min(requested.length, runs.length - 1)]
      requested.push(`GET ${path}`)
      return Promise.resolve(JSON.stringify(run) as never)
    },
    send(method, path) {
      requested.push(`${method} ${path}`)
      return Promise.reject(new Error('it has ended'))
    },
  }
  return { client, requested }
}

const running = (rows: number): Run => ({ state: 'running', rows })
const done: Run = { state: 'done', rows: 9 }
const progressLine: Progress<Run> = {
  progressLine: ({ rows }, elapsed) => `${elapsed} ms: ${rows} rows`,
}

async function follow(
  runs: readonly Run[],
  progress = progressLine,
  signal = new AbortController().signal,
) {
  const printed: string[] = []
  const { client, requested } = serviceOf(runs)
  const system = { clock: new InstantClock(Infinity), signal }
  const end = followJob(
    client,
    '/api/exports/:id',
    '1',
    system,
    (line) => void printed.push(line),
    progress,
  )
  return { end: await end.catch((error: unknown) => error), printed, requested }
}

describe('a job of the service', () => {
  it.each(['done', 'failed', 'cancelled'] as const)('is polled until it is %s', async (state) => {
    const last = { state, rows: 1 }
    const { end, printed, requested } = await follow([
      { state: 'queued', rows: 0 },
      running(0),
      last,
    ])
    expect(end).toEqual({ body: JSON.stringify(last), run: last })
    expect([printed, requested.length]).toEqual([[], 3])
  })

  it('prints progress about once a second', async () => {
    const { printed } = await follow([
      ...Array.from({ length: 8 }, (_, poll) => running(poll)),
      done,
    ])
    expect(printed).toEqual(['900 ms: 3 rows', '1800 ms: 6 rows'])
  })

  it('prints news at once, in place of progress', async () => {
    const eventLines = ({ rows }: Run) => (rows === 3 || rows === 9 ? [`news of ${rows}`] : [])
    const polls = [0, 1, 2, 3, 4, 5, 6].map(running)
    const { printed } = await follow([...polls, done], { ...progressLine, eventLines })
    expect(printed).toEqual(['news of 3', '1800 ms: 6 rows', 'news of 9'])
  })

  it('prints nothing until there is progress', async () => {
    const silent = { progressLine: ({ rows }: Run) => (rows < 5 ? null : `${rows} rows`) }
    const polls = [0, 1, 2, 3, 4, 5, 6].map(running)
    expect((await follow([...polls, done], silent)).printed).toEqual(['5 rows'])
  })

  it('is cancelled by an interruption', async () => {
    const stop = new AbortController()
    const { end, requested } = await follow(
      [running(0)],
      {
        ...progressLine,
        eventLines: ({ rows }) => {
          if (rows === 0) queueMicrotask(() => stop.abort())
          return []
        },
      },
      stop.signal,
    )
    expect(end).toBeInstanceOf(CliFailure)
    expect(end).toMatchObject({ exit: EXIT.interrupted })
    expect(requested).toEqual(['GET /api/exports/1', 'DELETE /api/exports/1'])
  })

  it('fails the command when it did not complete', () => {
    expect(() => refuseUnlessDone('export', { state: 'done', error: null })).not.toThrow()
    expect(() => refuseUnlessDone('export', { state: 'cancelled', error: null })).toThrow(
      expect.objectContaining({ exit: EXIT.failed, code: 'CANCELLED' }),
    )
    expect(() => refuseUnlessDone('export', { state: 'failed', error: 'no room' })).toThrow(
      expect.objectContaining({ code: 'EXPORT_FAILED', message: 'no room' }),
    )
  })
})
