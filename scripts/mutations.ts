/**
 * `node scripts/mutations.ts [--count N] [--seed N] [--tests N] [--in PATH…] [--per N] [--only PATH:LINE…]`: changes one
 * operator, constant or statement of a product file at a time and runs the N test files nearest to it. Prints per change
 * whether a test failed (killed) or none did (survived).
 *
 * Half of the changes are in ingest and the page, at most one in a file; `--in` draws from files below these paths
 * instead, at most `--per` in a file. Not drawn: changes that the compiler refuses, and those that no test can or
 * should see (`mutation-sites.ts`).
 *
 * Works on the files themselves, so the tree must be free of changes; a file is restored after its run. One vitest
 * serves all runs, so that only the changed modules are loaded again.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { chanceOf, type Chance } from '../e2e/torture/chance.ts'
import { mutationsOf, type Mutation } from './mutation-sites.ts'
import { typeChecker } from './type-checker.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Tests that run longer are ended: the change made them wait for ever, or the machine is busy. */
const TIME_LIMIT = 180_000

const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Unclear: without the change the tests fail or take too long as well, which proves nothing. */
type Verdict = 'killed' | 'timed out' | 'SURVIVED' | 'no test' | 'unclear'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '10' },
    in: { type: 'string', multiple: true, default: [] },
    per: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
/** Test files of a change at most, nearest first. */
const MAX_TESTS = countOf('tests')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT }).toString()
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
if (git('status', '--porcelain', '--untracked-files=no') !== '') {
  fail('commit or discard your changes first')
}

const tracked = git('ls-files', '*.ts', '*.svelte').trim().split('\n')
const isTest = (path: string): boolean => path.endsWith('.test.ts')
const isProduct = (path: string): boolean =>
  /^(backend|renderer|electron)\//.test(path) && !isTest(path) && !/\/testing\/|\.d\.ts$/.test(path)
const isWeighted = (path: string): boolean => /^(backend\/ingest|renderer)\//.test(path)

const isAccepted = typeChecker(ROOT)
const importers = importersOf(tracked)
const products = tracked.filter(isProduct)
const passing = new Set<string>()
const vitest = await createVitest({
  root: ROOT,
  watch: false,
  reporters: [{}],
  bail: 1,
  maxWorkers: 1,
})
/** Changed and restored files that the cache of vitest may hold in their other state. */
const stale = new Set<string>()

const verdicts: Verdict[] = []
for (const change of values.only.length > 0 ? values.only.flatMap(changesAt) : drawChanges()) {
  const verdict = await verdictOf(change)
  verdicts.push(verdict)
  process.stdout.write(`| ${change.path}:${change.line} | ${change.text} | ${verdict} |\n`)
}
if (verdicts.length === 0) fail('nothing can be changed there')
const clear = verdicts.filter((verdict) => verdict !== 'unclear')
const killed = clear.filter((verdict) => verdict === 'killed' || verdict === 'timed out').length
const share = Math.round((100 * killed) / clear.length)
process.stdout.write(
  `\nkilled ${killed} of ${clear.length} (${share} %), ${verdicts.length - clear.length} unclear\n`,
)

// Tests that fail set it.
process.exitCode = 0
await vitest.close()

interface Change extends Mutation {
  readonly path: string
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function countOf(flag: 'count' | 'seed' | 'tests' | 'per'): number {
  const value = Number(values[flag])
  if (Number.isSafeInteger(value) && value > 0) return value
  return fail(`--${flag} must be a whole number above 0, was "${values[flag]}"`)
}

function isBelow(path: string): boolean {
  return values.in.some((prefix) => path.startsWith(prefix))
}

function changesAt(place: string): Change[] {
  const [path = '', line] = place.split(':')
  return mutationsOf(path, read(path))
    .filter((mutation) => mutation.line === Number(line))
    .map((mutation) => ({ ...mutation, path }))
}

function* drawChanges(): Generator<Change> {
  const chance = chanceOf(countOf('seed'))
  const count = countOf('count')
  if (values.in.length > 0) {
    yield* drawFrom(products.filter(isBelow), count, countOf('per'), chance)
    return
  }
  const half = Math.ceil(count / 2)
  const others = products.filter((path) => !isWeighted(path))
  yield* drawFrom(products.filter(isWeighted), half, 1, chance)
  yield* drawFrom(others, count - half, 1, chance)
}

/** Changes drawn from all possible ones, at most `perFile` of a file; fewer when there are no more. */
function* drawFrom(
  paths: readonly string[],
  count: number,
  perFile: number,
  chance: Chance,
): Generator<Change> {
  const all = paths.flatMap((path) =>
    mutationsOf(path, read(path)).map((mutation) => ({ ...mutation, path })),
  )
  const drawn = new Map<string, number>()
  for (let left = count; left > 0 && all.length > 0;) {
    const [change] = all.splice(chance.integer(all.length), 1)
    if (change === undefined || (drawn.get(change.path) ?? 0) >= perFile) continue
    if (!isAccepted(change.path, changedText(change))) continue
    drawn.set(change.path, (drawn.get(change.path) ?? 0) + 1)
    left--
    yield change
  }
}

function changedText({ path, from, to, replacement }: Change): string {
  const source = read(path)
  return source.slice(0, from) + replacement + source.slice(to)
}

/** Runs the nearest tests on the changed file and restores it. */
async function verdictOf(change: Change): Promise<Verdict> {
  const { path } = change
  const tests = nearestTests(path)
  if (tests.length === 0) return 'no test'
  const source = read(path)
  const restore = (): void => writeFileSync(join(ROOT, path), source)
  const onInterrupt = (): never => {
    endWorkers()
    process.exit(130)
  }
  process.once('exit', restore)
  for (const signal of INTERRUPTS) process.once(signal, onInterrupt)
  let failed: readonly string[] | null
  stale.add(path)
  try {
    writeFileSync(join(ROOT, path), changedText(change))
    failed = await failuresOf(tests)
  } finally {
    restore()
    stale.add(path)
    process.off('exit', restore)
    for (const signal of INTERRUPTS) process.off(signal, onInterrupt)
  }
  if (failed?.length === 0) return 'SURVIVED'
  if (!(await arePassing(failed ?? tests))) return 'unclear'
  return failed === null ? 'timed out' : 'killed'
}

/** Whether these test files pass without a change. */
async function arePassing(tests: readonly string[]): Promise<boolean> {
  const unknown = tests.filter((test) => !passing.has(test))
  if (unknown.length === 0) return true
  if ((await failuresOf(unknown))?.length !== 0) return false
  for (const test of unknown) passing.add(test)
  return true
}

/** The first test file that fails, if any; null when one does not end in time. */
async function failuresOf(tests: readonly string[]): Promise<readonly string[] | null> {
  for (const path of stale) vitest.invalidateFile(join(ROOT, path))
  stale.clear()
  const files = new Set(tests.map((test) => join(ROOT, test)))
  const found = await vitest.globTestSpecifications([...files])
  // One file after the other: most changes are noticed by the first.
  for (const file of files) {
    const specifications = found.filter(({ moduleId }) => moduleId === file)
    if (specifications.length === 0) fail(`${relative(ROOT, file)} is in no project of vitest`)
    // Failures of the runs before would end this one at once (`bail`).
    vitest.state.filesMap.clear()
    const late = new AbortController()
    const timer = setTimeout(() => {
      late.abort()
      endWorkers()
    }, TIME_LIMIT)
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    clearTimeout(timer)
    if (late.signal.aborted) return null
    const hasFailed = testModules.some((module) => module.state() === 'failed')
    // An error outside of a test fails the run and no file.
    if (hasFailed || unhandledErrors.length > 0) return [relative(ROOT, file)]
  }
  return []
}

/**
 * Ends the processes in which vitest runs tests, and those that the tests started: an endless loop
 * ignores every other signal.
 */
function endWorkers(): void {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString()
  const processes = [...table.matchAll(/(\d+) +(\d+)/g)].map(([, pid, parent]) => ({
    pid: Number(pid),
    parent: Number(parent),
  }))
  const below = new Set([process.pid])
  for (const ancestor of below) {
    for (const { pid, parent } of processes) if (parent === ancestor) below.add(pid)
  }
  below.delete(process.pid)
  for (const pid of below) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself, as `ps` has.
    }
  }
}

/**
 * Tests beside a file, then those that import it directly, then those that reach it through other
 * modules: few steps count for a test, and folders and words that it shares with the file.
 */
function nearestTests(path: string): string[] {
  const stem = path.replace(/\.(svelte\.ts|svelte|ts)$/, '')
  const beside = tracked.filter((other) => isTest(other) && other.startsWith(`${stem}.`))
  const steps = stepsTo(path)
  const distance = (test: string): number => (steps.get(test) ?? 0) - 2 * kinship(path, test)
  const isDirect = (test: string): boolean => steps.get(test) === 1
  const reaching = [...steps.keys()]
    .filter((module) => isTest(module) && !module.startsWith('e2e/torture/'))
    .toSorted((a, b) => Number(isDirect(b)) - Number(isDirect(a)) || distance(a) - distance(b))
  return [...new Set([...beside, ...reaching])].slice(0, MAX_TESTS)
}

/** Modules that import a file, directly or through others, by the number of imports between. */
function stepsTo(path: string): ReadonlyMap<string, number> {
  const steps = new Map([[path, 0]])
  for (const [module, step] of steps) {
    for (const importer of importers.get(module) ?? []) {
      if (!steps.has(importer)) steps.set(importer, step + 1)
    }
  }
  steps.delete(path)
  return steps
}

/** How much two paths have in common: folders from the root, and words of the file names. */
function kinship(path: string, test: string): number {
  const [folders, others] = [dirname(path).split('/'), dirname(test).split('/')]
  const differs = folders.findIndex((folder, index) => folder !== others[index])
  const shared = differs === -1 ? folders.length : differs
  const words = new Set(wordsOf(path))
  return shared + wordsOf(test).filter((word) => words.has(word)).length
}

/** The words of a file's name, lower case, without its endings. */
function wordsOf(path: string): string[] {
  const [name = ''] = basename(path).split('.')
  return (name.match(/[A-Z]?[a-z]+|[0-9]+/g) ?? []).map((word) => word.toLowerCase())
}

function importersOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set(paths)
  const importers = new Map<string, string[]>()
  for (const path of paths) {
    // Types are gone when a test runs: who imports only them does not run the file.
    const code = read(path).replaceAll(/^\s*(?:import|export) type [^']*'[^']*'/gm, '')
    const specifiers = code.matchAll(/(?:from|import|import\(|URL\() ?'(\.[^']+)'/g)
    for (const [, specifier = ''] of specifiers) {
      const target = posix.join(posix.dirname(path), specifier)
      if (!known.has(target)) continue
      const list = importers.get(target) ?? []
      if (list.length === 0) importers.set(target, list)
      list.push(path)
    }
  }
  return importers
}
