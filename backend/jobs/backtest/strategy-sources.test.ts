import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { WholeHistory } from '../../history/history.ts'
import { systemClock } from '../../lib/clock.ts'
import { quotedHistory, QUOTED_FROM, QUOTED_TO } from '../../testing/quoted-history.ts'
import { createBacktestRunner } from './backtest-runner.ts'

/**
 * Data time of the event at which sources are read: the first quote, which was known a second after
 * its time.
 */
const NOW = QUOTED_FROM + 1_000
const TEXT = '8/3/2026'

/** Expressions that return the run's time, with what they return. */
const OF_THE_RUN: readonly (readonly [source: string, value: unknown])[] = [
  ['Date.now()', NOW],
  ['new Date().getTime()', NOW],
  ['Date()', 'Mon Aug 03 2026 00:00:01 GMT+0000 (Coordinated Universal Time)'],
  ['Date.prototype.constructor.now()', NOW],
  ['new Date(5).constructor.now()', NOW],
  ['Object.getPrototypeOf(Date).now', undefined],
  ['new (class extends Date {})().getTime()', NOW],
  ['Reflect.construct(Date, []).getTime()', NOW],
  ['new Date(2026, 0, 1).getTimezoneOffset()', 0],
  ['new Date().toLocaleDateString()', TEXT],
  ['new Intl.DateTimeFormat().format()', TEXT],
  ['new Intl.DateTimeFormat().format(undefined)', TEXT],
  ['new Intl.DateTimeFormat().formatToParts().map((part) => part.value).join("")', TEXT],
  ['new Intl.DateTimeFormat().resolvedOptions().timeZone', 'UTC'],
  ['new Intl.DateTimeFormat().resolvedOptions().locale', 'en-US'],
  ['(1234.5).toLocaleString()', '1,234.5'],
  ['console.log("x")', undefined],
]

/** Rejected expressions, with the message for the author. */
const REFUSED: readonly (readonly [source: string, message: RegExp])[] = [
  ['new Intl.DateTimeFormat().formatRange()', /TypeError: Invalid time value/],
  ['new Intl.DateTimeFormat().formatRangeToParts()', /TypeError: Invalid time value/],
  ['new Event("x").timeStamp', /strategies have no Event,/],
  ['new CustomEvent("x").timeStamp', /strategies have no CustomEvent,/],
  ['performance.now()', /strategies have no performance,/],
  ['performance.timeOrigin', /strategies have no performance,/],
  ['new PerformanceMark("x")', /strategies have no PerformanceMark,/],
  ['new PerformanceObserver(() => {})', /strategies have no PerformanceObserver,/],
  ['AbortSignal.timeout(1)', /strategies have no AbortSignal,/],
  ['setTimeout(() => {}, 1)', /strategies have no setTimeout,/],
  ['setInterval(() => {}, 1)', /strategies have no setInterval,/],
  ['setImmediate(() => {})', /strategies have no setImmediate,/],
  ['queueMicrotask(() => {})', /strategies have no queueMicrotask,/],
  ['Atomics.wait(new Int32Array(4), 0, 0, 5)', /strategies have no Atomics,/],
  ['new SharedArrayBuffer(4)', /strategies have no SharedArrayBuffer,/],
  ['new WebAssembly.Memory({ initial: 1 })', /strategies have no WebAssembly,/],
  ['process.hrtime()', /strategies have no process,/],
  ['process.binding("fs")', /strategies have no process,/],
  ['structuredClone(1)', /strategies have no structuredClone,/],
  ['new MessageChannel()', /strategies have no MessageChannel,/],
  ['fetch("http://localhost")', /strategies have no fetch,/],
  ['new Blob([])', /strategies have no Blob,/],
  ['new File([], "x").lastModified', /strategies have no File,/],
  ['Temporal.Now.instant()', /Temporal is not defined/],
  ['new Date(5).toTemporalInstant()', /toTemporalInstant is not a function/],
  ['crypto.randomUUID()', /strategies have no crypto,/],
  ['new WeakRef({})', /strategies have no WeakRef,/],
  ['new FinalizationRegistry(() => {})', /strategies have no FinalizationRegistry,/],
  ['Buffer.alloc(1)', /strategies have no Buffer,/],
  ['navigator.hardwareConcurrency', /strategies have no navigator,/],
  ['Function("return this")()', /Code generation from strings disallowed/],
  ['(async function* () {}).constructor("0")', /Code generation from strings disallowed/],
  ['import("node:fs")', /a handler used a promise/],
  ['Array.fromAsync([1])', /a handler used a promise/],
]

const folder = mkdtempSync(join(tmpdir(), 'augury-sources-'))
let history: WholeHistory
beforeAll(async () => {
  history = await quotedHistory()
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a strategy that executes this code at its first event. */
function play(name: string, source: string, seed = 1) {
  const path = join(folder, `${name}.js`)
  writeFileSync(
    path,
    `export default { name: 'sources', about: 'a test', feeds: ['quotes'], create: () => ({ onEvent(event, run) {
      if (run.now !== ${NOW}) return
      ${source}
    } }) }\n`,
  )
  return createBacktestRunner({ history, clock: systemClock }).run(
    {
      module: pathToFileURL(path).href,
      params: {},
      from: QUOTED_FROM,
      to: QUOTED_TO,
      seed,
      tickers: null,
      topic: null,
      startCashUsd: 1_000,
      cutsAt: [0.5],
      checkDeterminism: true,
    },
    new AbortController().signal,
  )
}
const noteOf = (source: string): string => `run.note(String(JSON.stringify(${source})))`
const notesOf = async (name: string, sources: readonly string[], seed = 1): Promise<string[]> => {
  const { report } = await play(name, sources.map(noteOf).join('\n'), seed)
  return report.notes.map(({ text }) => text)
}

describe('sources of time and randomness', () => {
  it('[backtest.strategy.time] return the time of the data', async () => {
    const notes = await notesOf(
      'time',
      OF_THE_RUN.map(([source]) => source),
    )
    expect(OF_THE_RUN.map(([source], i) => [source, notes[i]])).toEqual(
      OF_THE_RUN.map(([source, value]) => [
        source,
        value === undefined ? 'undefined' : JSON.stringify(value),
      ]),
    )
  })

  it('[backtest.strategy.chance] return what the seed decides, the same in each run of a comparison', async () => {
    const sources = ['Math.random()', 'Math.random()', 'run.random()']
    const [first, again, other] = [
      await notesOf('chance', sources),
      await notesOf('chance', sources),
      await notesOf('chance', sources, 2),
    ]
    expect(first).toEqual(again)
    expect(first[0]).not.toBe(first[1])
    expect(first).not.toEqual(other)
    const source = 'if (Math.random() < 0.5) run.buy(event.market, "yes", 1 + Math.random())'
    const { report } = await play('compared', `${source}\n`.repeat(9))
    expect(report).toMatchObject({ isDeterministic: true, checks: [{ isEqual: true }] })
    expect(report.trades).toBeGreaterThan(0)
  })

  it.each(REFUSED)(
    '[backtest.strategy.time] %s is refused',
    async (source, message) => {
      const name = `refused-${REFUSED.findIndex(([one]) => one === source)}`
      await expect(play(name, source)).rejects.toThrow(message)
    },
    60_000,
  )

  it('[backtest.strategy.byte-equal] returns the same bytes at another time in another environment', async () => {
    const sources = [
      ...OF_THE_RUN.map(([source]) => source),
      'Math.random()',
      '["z", "ä", "a"].sort(new Intl.Collator().compare)',
    ]
    const bytes = async (): Promise<string> => {
      const done = await play('bytes', sources.map(noteOf).join('\n'))
      return JSON.stringify([
        done.report,
        [...Object.values(done.fills)].map((column) => [...column]),
      ])
    }
    const first = await bytes()
    vi.stubEnv('TZ', 'Pacific/Auckland')
    vi.stubEnv('LANG', 'sv_SE.UTF-8')
    vi.stubEnv('LC_ALL', 'sv_SE.UTF-8')
    vi.stubEnv('NODE_OPTIONS', '--stack-trace-limit=3')
    expect(await bytes()).toBe(first)
  })
})
