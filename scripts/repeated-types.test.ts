import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { repeatedTypes } from './repeated-types.ts'

let tree: string | null = null
afterEach(() => {
  if (tree !== null) rmSync(tree, { recursive: true })
  tree = null
})

const CONTRACT = `
export type CandlePage = {
  ticker: string
  candles: { t: number; open: number; close: number }[]
  next: string | null
}
export type ScanQuery = { q: string; limit: number; venue: string }
`

/** What a tree with this file beside the contract repeats, as "file:line name = repeated type". */
function foundIn(path: string, text: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'augury-repeated-'))
  tree = root
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true } }',
    'backend/contract/markets.ts': CONTRACT,
    [path]: text,
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return repeatedTypes(root).map(
    ({ file, line, name, repeats }) => `${file}:${line} ${name} = ${repeats}`,
  )
}

it.each([
  [
    'an interface of the page',
    'renderer/api/types.ts',
    'export interface Page { next: null; ticker: string; candles: [] }',
    ['renderer/api/types.ts:1 Page = CandlePage'],
  ],
  [
    'a part of an answer in the command line',
    'backend/cli/reads/candles.ts',
    'interface Candle {\n  readonly t: number\n  open: number\n  close: number\n}',
    ['backend/cli/reads/candles.ts:1 Candle = CandlePage.candles'],
  ],
  [
    'a literal within a component',
    'renderer/panes/Chart.svelte',
    '<script lang="ts">\n  let bar: { t: number; open: number; close: number }\n</script>\n<p>{bar.t}</p>',
    ['renderer/panes/Chart.svelte:2 inline = CandlePage.candles'],
  ],
])('finds %s', (_what, path, text, found) => {
  expect(foundIn(path, text)).toEqual(found)
})

it.each([
  ['fewer than three properties', 'interface Point { t: number; open: number }'],
  ['a property more', 'interface Bar { t: number; open: number; close: number; mine: boolean }'],
  [
    'what a type derives',
    "import type { CandlePage } from '../../backend/contract/markets.ts'\nexport type Mine = CandlePage['candles'][number]",
  ],
  ['the query of a route', 'interface Search { q: string; limit: number; venue: string }'],
])('skips %s', (_what, text) => {
  expect(foundIn('renderer/api/types.ts', text)).toEqual([])
})

it('finds nothing in this tree', () => {
  expect(repeatedTypes(join(import.meta.dirname, '..'))).toEqual([])
})
