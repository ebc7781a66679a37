import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../domain/backtest/report/report.ts'
import type { WholeHistory } from '../../history/history.ts'
import { systemClock } from '../../lib/clock.ts'
import { JobQueue, type JobRecord } from '../../lib/job-queue.ts'
import { silentLogger } from '../../lib/logger.ts'
import { quotedHistory, QUOTED_FROM, QUOTED_TO } from '../../testing/quoted-history.ts'
import { createBacktestRunner, type BacktestRequest } from './backtest-runner.ts'
import { FAULT_LIMIT } from './messages.ts'
import { STRATEGY_LIMITS, type StrategyLimits } from './strategy-watch.ts'

interface Attack {
  readonly name: string
  /** Source of the module. */
  readonly source: string
  /** Error of the run; null for a completed run. */
  readonly fails: RegExp | null
  readonly ending?: 'js' | 'ts'
  readonly limits?: StrategyLimits
}
interface RunRecord extends JobRecord {
  readonly error: string | null
  readonly report: RunReport | null
}

const IMPATIENT: StrategyLimits = { ...STRATEGY_LIMITS, silenceMs: 1_000 }
const SHORT: StrategyLimits = { ...STRATEGY_LIMITS, runMs: 3_000 }
const ENDED = /did not return within|made no progress for/
/** The module of a strategy that runs this code at its first event. */
const atEvent = (what: string, top = ''): string => `${top}
export default {
  name: 'hostile', about: 'an attack', feeds: ['quotes'],
  create: () => ({ onEvent(event, run) { ${what} } }),
}
`
const withParts = (parts: string): string =>
  `export default { name: 'hostile', about: 'an attack', create: () => ({}), ${parts} }\n`
const patches = (what: string): Attack => ({
  name: what,
  source: atEvent('', `${what}\n`),
  fails: /TypeError: Cannot (?:assign to|add|redefine|define)|not extensible|\[object/,
})
const throws = (what: string, fails: RegExp, limits?: StrategyLimits): Attack => ({
  name: `throws ${what}`,
  source: atEvent(`throw ${what}`),
  fails,
  ...(limits === undefined ? {} : { limits }),
})

const ATTACKS: readonly Attack[] = [
  patches('Array.prototype.push = () => 0'),
  patches('Array.prototype[Symbol.iterator] = function* () {}'),
  patches('Object.prototype.then = (done) => done()'),
  patches('Object.prototype.get = () => 0'),
  patches('Promise.prototype.then = () => {}'),
  patches('Function.prototype.call = () => {}'),
  patches('Map.prototype.get = () => undefined'),
  patches('JSON.stringify = () => "x"'),
  patches('Math.round = () => NaN'),
  patches('Float64Array.prototype.__proto__.slice = () => []'),
  patches('globalThis.Array = class {}'),
  patches('globalThis.mine = 1'),
  patches('Error.prepareStackTrace = () => { for (;;) {} }'),
  patches('Error.stackTraceLimit = Infinity'),
  patches('Object.getPrototypeOf([].values()).next = () => ({ done: true })'),
  patches('(async () => {}).constructor.prototype.x = 1'),
  patches('Object.setPrototypeOf(Array.prototype, {})'),
  {
    name: 'patches the class of `run`',
    source: atEvent('Object.getPrototypeOf(run).buy = () => 0'),
    fails: /read only property 'buy'/,
  },
  {
    name: 'patches the class of `event`',
    source: atEvent('event.constructor.prototype.toOther = 0'),
    fails: /read only property 'toOther'/,
  },
  {
    name: 'changes the facts of a market',
    source: atEvent('run.facts(event.market).closeTime = null'),
    fails: /read only property 'closeTime'/,
  },
  {
    name: 'raises the reserve of an order',
    source: atEvent("run.buy(event.market, 'yes', 1, 1).held = 1e15"),
    fails: /Cannot add property held, object is not extensible/,
  },
  {
    name: 'changes the size of an order',
    source: atEvent("run.buy(event.market, 'yes', 1, 1).size = 1e15"),
    fails: /Cannot set property size/,
  },
  {
    name: 'cancels an order that it made up',
    source: atEvent("run.cancel({ state: 'resting', action: 'buy', held: 1e15, market: 0 })"),
    fails: /TypeError/,
  },
  {
    name: 'patches the class of an order',
    source: atEvent(
      "Object.defineProperty(run.buy(event.market, 'yes', 1, 1).constructor.prototype, 'state', { value: 1 })",
    ),
    fails: /Cannot redefine property/,
  },
  {
    name: 'changes the list of markets',
    source: atEvent('run.markets().length = 0'),
    fails: /read only property 'length'/,
  },
  {
    name: 'freezes the event that the engine writes',
    source: atEvent('Object.freeze(event)'),
    fails: /TypeError: Cannot assign to read only property/,
  },
  // Endless waits.
  { name: 'loops for ever', source: atEvent('for (;;) {}'), fails: ENDED, limits: IMPATIENT },
  { name: 'loops while it is loaded', source: 'for (;;) {}', fails: ENDED, limits: IMPATIENT },
  {
    name: 'waits for ever while it is loaded',
    source: 'await new Promise(() => {})',
    fails: ENDED,
    limits: IMPATIENT,
  },
  {
    name: 'has endless microtasks',
    source: atEvent('', 'const again = () => Promise.resolve().then(again)\nvoid again()'),
    fails: ENDED,
    limits: IMPATIENT,
  },
  {
    name: 'loops in a getter of the module',
    source: 'export default { get name() { for (;;) {} } }',
    fails: ENDED,
    limits: IMPATIENT,
  },
  {
    name: 'loops at the end',
    source: withParts('create: () => ({ onEnd() { for (;;) {} } })'),
    fails: ENDED,
    limits: IMPATIENT,
  },
  {
    name: 'sets endless timers',
    source: withParts(
      'create: () => ({ onStart(run) { run.timer(run.now + 1e-3) }, onTimer(timer, run) { run.timer(run.now + 1e-3) } })',
    ),
    fails: ENDED,
    limits: IMPATIENT,
  },
  {
    name: 'continues slowly',
    source: atEvent('for (let i = 0; i < 3e7; i++) sum += Math.sqrt(i)', 'let sum = 0'),
    fails: /was ended after 3 s/,
    limits: SHORT,
  },
  {
    name: 'has an async handler',
    source: atEvent('void (async () => { await null })()'),
    fails: /used a promise or an async function/,
  },
  {
    name: 'settles a promise in a handler',
    source: atEvent('go()', 'let go = () => {}\nnew Promise((resolve) => (go = resolve))'),
    fails: /used a promise or an async function/,
  },
  {
    name: 'rejects a promise that nobody handles',
    source: atEvent('', 'Promise.reject(null)'),
    fails: /null was thrown/,
  },
  // Odd values.
  throws('null', /: null was thrown$/),
  throws('undefined', /: undefined was thrown$/),
  throws('Symbol("odd")', /: Symbol\(odd\) was thrown$/),
  throws('Object.create(null)', /an unreadable value was thrown$/),
  throws('{ toString() { throw this } }', /an unreadable value was thrown$/),
  throws('{ toString() { for (;;) {} } }', ENDED, IMPATIENT),
  throws(
    'new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
    /unreadable value was thrown$/,
  ),
  throws('new Proxy(new Error(""), { get() { throw 1 } })', /an unreadable value was thrown$/),
  throws(
    'Object.assign(new Error("mine"), { name: Symbol(), message: {} })',
    /Error: its message is not text/,
  ),
  throws(
    '((error) => Object.assign(error, { cause: error }))(new Error("circle"))',
    /:4:\d+: Error: circle$/,
  ),
  throws('"x".repeat(2e8)', /^hostile-.*xxx… \[\d+ more characters were cut\]" was thrown$/),
  throws('new Error("x".repeat(2e8))', /:4:\d+: Error: xxx.*\[\d+ more characters were cut\]$/),
  // Endless texts.
  {
    name: 'has a name of 200 MB',
    source: withParts('name: "n".repeat(2e8), about: "a".repeat(2e8)'),
    fails: null,
  },
  {
    name: 'has a parameter whose name is endless',
    source: withParts('params: { ["p".repeat(1e6)]: 1 }'),
    fails: /a parameter's name has 1000000 characters, at most 64/,
  },
  {
    name: 'has an endless default',
    source: withParts('params: { text: "p".repeat(1e8) }'),
    fails: /parameter text has 100000000 characters, at most 1000/,
  },
  {
    name: 'has a million parameters',
    source: withParts('params: Object.fromEntries(Array.from({ length: 1e6 }, (_, n) => [n, n]))'),
    fails: /there are 1000000 parameters, at most 64/,
  },
  {
    name: 'has a parameter that is no value',
    source: withParts('params: { a: { b: 1 } }'),
    fails: /parameter a must be a number, a string or a boolean/,
  },
  {
    name: 'asks for feeds that there are not',
    source: withParts('feeds: "x".repeat(1e8)'),
    fails: /feeds must be a list with members of trades/,
  },
  {
    name: 'has handlers that are none',
    source: withParts('create: () => ({ onEvent: 5 })'),
    fails: /onEvent must be a function/,
  },
  {
    name: 'writes endless notes',
    source: atEvent(
      'for (let n = 0; n < 1e4; n++) run.note("x".repeat(1e6)); run.note({ slice: () => run })',
    ),
    fails: null,
  },
  {
    name: 'writes endless tags',
    source: atEvent(
      'run.order({ market: event.market, action: run.position(event.market) === null ? "buy" : "sell", side: "yes", contracts: 1, limit: null, tag: "t".repeat(1e6) + event.at })',
    ),
    fails: null,
  },
  // Escapes.
  {
    name: 'reaches the machine by CommonJS',
    source: 'module.exports = { default: module.constructor._load("fs") }',
    ending: 'js',
    fails: /module is not defined/,
  },
  {
    name: 'generates code',
    source: atEvent('run.constructor.constructor("return process")()'),
    fails: /Code generation from strings disallowed/,
  },
  {
    name: 'generates async code',
    source: atEvent('(async function* () {}).constructor("0")'),
    fails: /Code generation from strings disallowed/,
  },
  {
    name: 'evaluates a text',
    source: atEvent('(0, eval)("1")'),
    fails: /eval is not defined: strategies have no eval/,
  },
  {
    name: 'imports code that is a text',
    source: 'import "data:text/javascript,1"\n',
    fails: /cannot import 'data:/,
  },
  {
    name: 'imports a module of the machine later',
    source: 'await import("node:process")\n',
    fails: /cannot import 'node:process'/,
  },
]

/** Number of attacks between two runs of a valid strategy; each starts a process. */
const FOLLOWED_EVERY = 4

const folder = mkdtempSync(join(tmpdir(), 'augury-attacks-'))
let history: WholeHistory
let queue: JobQueue<RunRecord>
const records = new Map<string, RunRecord>()

beforeAll(async () => {
  history = await quotedHistory()
  mkdirSync(join(folder, 'good'))
  writeFileSync(join(folder, 'good', 'good.ts'), atEvent('run.note("fine")'))
  const save = (record: RunRecord): Promise<void> => {
    records.set(record.id, record)
    return Promise.resolve()
  }
  queue = new JobQueue({
    store: { find: (id) => Promise.resolve(records.get(id) ?? null), add: save, save },
    name: 'Backtest',
    tidy: () => Promise.resolve(),
    clock: systemClock,
    logger: silentLogger,
  })
})
afterAll(async () => {
  await queue.close()
  await history.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Queues a run and returns its record once it has ended. */
async function run(path: string, limits = STRATEGY_LIMITS): Promise<RunRecord> {
  const id = `bt_${records.size}`
  const runner = createBacktestRunner({ history, clock: systemClock, limits })
  const request: BacktestRequest = {
    module: pathToFileURL(path).href,
    params: {},
    from: QUOTED_FROM,
    to: QUOTED_TO,
    tickers: null,
    topic: null,
    seed: 1,
    startCashUsd: 1_000,
    cutsAt: [],
    checkDeterminism: false,
  }
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const record: RunRecord = {
    id,
    state: 'queued',
    startedAt: null,
    endedAt: null,
    error: null,
    report: null,
  }
  await queue.add(record, {
    async run({ signal }) {
      const { report } = await runner.run(request, signal).finally(() => resolve(undefined))
      return { state: 'done', report }
    },
    failed: (error) => ({ error: error instanceof Error ? error.message : String(error) }),
  })
  await over
  while (!['done', 'failed'].includes(records.get(id)?.state ?? '')) await systemClock.sleep(1)
  return records.get(id) as RunRecord
}

describe('a hostile strategy', () => {
  it.each(ATTACKS.map((attack, index) => ({ ...attack, index })))(
    '[backtest.strategy.attacks] $name: the run ends, and those after it complete',
    async ({ source, fails, ending = 'js', limits, index }) => {
      const path = join(folder, `hostile-${index}.${ending}`)
      writeFileSync(path, source)
      const isFollowed = index % FOLLOWED_EVERY === 0 || index === ATTACKS.length - 1
      const [attack, next] = await Promise.all([
        run(path, limits),
        isFollowed ? run(join(folder, 'good', 'good.ts')) : null,
      ])
      if (fails === null) {
        expect(attack).toMatchObject({ state: 'done', error: null })
        expect(JSON.stringify(attack.report).length).toBeLessThan(1_000_000)
      } else {
        expect(attack.error).toMatch(fails)
        expect(attack.error?.length).toBeLessThanOrEqual(FAULT_LIMIT)
      }
      if (next !== null) expect(next.report?.notes.length).toBe(200)
    },
    120_000,
  )

  it('[backtest.strategy.texts] states in its report what was truncated', async () => {
    const path = join(folder, 'cut.js')
    writeFileSync(path, atEvent('for (let n = 0; n < 10; n++) run.note("x".repeat(600))'))
    const { report } = await run(path)
    expect(report?.notes).toHaveLength(1_001)
    expect(report?.notes[0]?.text).toBe(`${'x'.repeat(452)}… [148 more characters were cut]`)
    expect(report?.notes.at(-1)?.text).toBe('1000 more notes were left out: a report holds 1000')
  })
})
