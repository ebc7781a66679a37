import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'bench/results')

interface Row {
  readonly name: string
  readonly ours: unknown
  readonly baseline: unknown
  readonly ratio: unknown
  readonly unit: string
  readonly goal: string
  readonly bench: string
}
interface Results {
  readonly commit: string
  readonly date: string
  readonly rows: readonly Row[]
}

const FILES = readdirSync(FOLDER)
const benches = [
  ...readFileSync(join(ROOT, 'bench/run.ts'), 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: .*bench\w+/gm),
].map(([, name]) => name)

describe.each(FILES)('bench/results/%s', (file) => {
  const results = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Results

  it('states its commit and date', () => {
    expect(results.commit).toMatch(/^[0-9a-f]{7,40}( with changes)?$/)
    expect(new Date(results.date).toISOString()).toBe(results.date)
  })

  it('is the result of a bench that can be run', () => {
    const name = file.replace(/\.json$/, '')
    expect(benches).toContain(name)
    expect(results.rows.map(({ bench }) => bench)).toEqual(results.rows.map(() => name))
  })

  it.each(results.rows.map((row) => [row.name, row] as const))(
    '%s has a baseline of the same run or is marked',
    (_name, { ours, baseline, ratio, unit, goal }) => {
      expect(ours).toBeTypeOf('number')
      expect([unit, goal].every((text) => text.length > 0)).toBe(true)
      if (baseline === 'no baseline') expect(ratio).toBeNull()
      else expect(baseline).toBeTypeOf('number')
      // An absolute goal needs no ratio.
      if (goal.includes('×')) expect(ratio).toBeTypeOf('number')
    },
  )
})

it('the README states no measured figure, and links the files', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const figures = readme.match(/\d[\d.,]* ?(ms|MB|GB|req\/s|rows\/s|events\/s|msgs\/s|×)(?![\w])/g)
  expect(figures ?? []).toEqual([])
})

it('result files are tracked', () => {
  const tracked = execFileSync('git', ['ls-files', 'bench/results'], { cwd: ROOT }).toString()
  expect(FILES.filter((file) => !tracked.includes(`bench/results/${file}`))).toEqual([])
})
