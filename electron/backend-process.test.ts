import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  keepRunning,
  linesOf,
  mayRestart,
  restartDelay,
  type BackendChild,
  type BackendState,
  type Timers,
} from './backend-process.ts'

const READY = JSON.stringify({
  ready: true,
  url: 'http://127.0.0.1:4870',
  source: 'demo',
  dataDir: '/data',
  version: '0.1.0',
})

class FakeChild implements BackendChild {
  readonly requested: string[] = []
  emitLine: (line: string) => void = () => {}
  exit: (code: number | null) => void = () => {}
  onLine(listener: (line: string) => void) {
    this.emitLine = listener
  }
  onExit(listener: (code: number | null) => void) {
    this.exit = listener
  }
  terminate() {
    this.requested.push('terminate')
  }
  kill() {
    this.requested.push('kill')
  }
}

class FakeTimers implements Timers {
  now = 0
  due: { at: number; task: () => void }[] = []
  monotonic() {
    return this.now
  }
  after(ms: number, task: () => void) {
    const entry = { at: this.now + ms, task }
    this.due.push(entry)
    return () => {
      this.due = this.due.filter((other) => other !== entry)
    }
  }
  advance(ms: number) {
    this.now += ms
    const ripe = this.due.filter(({ at }) => at <= this.now)
    this.due = this.due.filter(({ at }) => at > this.now)
    for (const { task } of ripe) task()
  }
}

function supervised() {
  const children: FakeChild[] = []
  const states: BackendState[] = []
  const timers = new FakeTimers()
  const spawn = () => {
    const child = new FakeChild()
    children.push(child)
    return child
  }
  const backend = keepRunning(spawn, timers, (state) => states.push(state))
  return { children, states, timers, backend, kinds: () => states.map(({ kind }) => kind) }
}

describe('keepRunning', () => {
  it('reads the address from the ready line only', () => {
    const { children, backend } = supervised()
    children[0]!.emitLine('{"ready":false}')
    children[0]!.emitLine('Listening on http://127.0.0.1:1')
    expect(backend.state.kind).toBe('starting')
    children[0]!.emitLine(READY)
    expect(backend.state).toMatchObject({
      kind: 'running',
      ready: { url: 'http://127.0.0.1:4870' },
    })
  })

  it('starts again after a crash, later each time', () => {
    const { children, timers, states } = supervised()
    children[0]!.emitLine(READY)
    children[0]!.exit(1)
    timers.advance(499)
    expect(children).toHaveLength(1)
    timers.advance(1)
    expect(children).toHaveLength(2)
    children[1]!.exit(null)
    expect(states.at(-1)).toEqual({ kind: 'restarting', afterMs: 1_000, code: null })
  })

  it('resets the delay after a minute without a crash', () => {
    const { children, timers, states } = supervised()
    children[0]!.emitLine(READY)
    children[0]!.exit(1)
    timers.advance(500)
    children[1]!.emitLine(READY)
    timers.advance(60_000)
    children[1]!.exit(1)
    expect(states.at(-1)).toEqual({ kind: 'restarting', afterMs: 500, code: 1 })
  })

  it('does not repeat a start that was never ready', () => {
    const { children, timers, states } = supervised()
    children[0]!.exit(2)
    timers.advance(60_000)
    expect(states.at(-1)).toEqual({ kind: 'refused', code: 2 })
    expect(children).toHaveLength(1)
  })

  it('requests the stop and waits for it', async () => {
    const { children, backend, kinds } = supervised()
    children[0]!.emitLine(READY)
    const stopped = backend.stop()
    expect(children[0]!.requested).toEqual(['terminate'])
    children[0]!.exit(0)
    await stopped
    expect(kinds()).toEqual(['starting', 'running', 'stopped'])
  })

  it('kills it if the request has no effect', async () => {
    const { children, backend, timers } = supervised()
    const stopped = backend.stop()
    timers.advance(6_000)
    expect(children[0]!.requested).toEqual(['terminate', 'kill'])
    children[0]!.exit(null)
    await stopped
  })

  it('stops while a restart is scheduled', async () => {
    const { children, backend, timers } = supervised()
    children[0]!.emitLine(READY)
    children[0]!.exit(1)
    await backend.stop()
    timers.advance(60_000)
    expect(children).toHaveLength(1)
    expect(backend.state.kind).toBe('stopped')
  })
})

describe('restart delays', () => {
  it('double up to half a minute', () => {
    expect([1, 2, 3, 6, 7, 50].map(restartDelay)).toEqual([
      500, 1_000, 2_000, 16_000, 30_000, 30_000,
    ])
  })

  it.each([
    [1, true, true],
    [null, true, true],
    [1, false, false],
    [2, true, false],
    [3, true, false],
  ])('code %s with readiness %s: %s', (code, wasReady, again) => {
    expect(mayRestart(code, wasReady)).toBe(again)
  })
})

it('splits a stream into lines wherever chunks end', async () => {
  const stream = new PassThrough()
  const lines: string[] = []
  linesOf(stream, (line) => lines.push(line))
  stream.write('{"a":1}\n{"b"')
  stream.end(':2}\nrest')
  await new Promise((resolve) => stream.once('end', resolve))
  expect(lines).toEqual(['{"a":1}', '{"b":2}'])
})
