import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citationsIn } from './citations.ts'
import { REQUIREMENTS } from './requirements.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PATTERNS = [
  '{backend,electron,renderer,scripts,bench}/**/*.test.ts',
  'e2e/torture/**/*.test.ts',
  'e2e/*.spec.ts',
]

const cited = new Map<string, string[]>()
for (const file of globSync(PATTERNS, { cwd: ROOT })) {
  for (const id of citationsIn(readFileSync(join(ROOT, file), 'utf8'))) {
    cited.set(id, [...(cited.get(id) ?? []), file])
  }
}

describe('the interface document as data', () => {
  it('has one row per id', () => {
    const ids = REQUIREMENTS.map((requirement) => requirement.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('writes ids as area.subject.promise', () => {
    const odd = REQUIREMENTS.filter(({ id }) => citationsIn(`'[${id}]'`)[0] !== id)
    expect(odd).toEqual([])
  })

  it('has a test for every covered promise', () => {
    const bare = REQUIREMENTS.filter(({ id, status }) => status === 'covered' && !cited.has(id))
    expect(bare.map(({ id }) => id)).toEqual([])
  })

  it('contains every promise that a test cites', () => {
    const known = new Set(REQUIREMENTS.map(({ id }) => id))
    const unknown = [...cited].filter(([id]) => !known.has(id))
    expect(unknown).toEqual([])
  })

  it('has no open promise that a test cites', () => {
    const behind = REQUIREMENTS.filter(({ id, status }) => status === 'open' && cited.has(id))
    expect(behind.map(({ id }) => id)).toEqual([])
  })
})

describe('citations', () => {
  it('finds ids in names and comments', () => {
    expect(citationsIn("it('clamps [markets.candles.limit-clamped]', run)")).toEqual([
      'markets.candles.limit-clamped',
    ])
    expect(citationsIn('// [a-b.c.d] and [e.f.g]\n')).toEqual(['a-b.c.d', 'e.f.g'])
  })

  it('ignores code', () => {
    expect(citationsIn('const row = rows[market.facts.ticker]\n')).toEqual([])
    expect(citationsIn('const list = [market.facts.ticker]\n')).toEqual([])
  })
})
