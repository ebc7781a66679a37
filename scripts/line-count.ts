import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Prints the lines of product code by area, and their sum: code and styles that git tracks, without
 * tests and what only tests use. Run: `node scripts/line-count.ts`.
 */
const AREAS = ['backend', 'renderer', 'electron', 'scripts']
const CODE = /\.(?:ts|svelte|mjs|css)$/
const TESTS = /\.test\.ts$|\/testing\//

const lines = new Map<string, number>()
const tracked = execFileSync('git', ['ls-files', ...AREAS], { encoding: 'utf8' })
for (const file of tracked.split('\n')) {
  if (!CODE.test(file) || TESTS.test(file)) continue
  const [top = '', folder = ''] = file.split('/')
  const area = top === 'backend' || top === 'renderer' ? `${top}/${folder}` : top
  const count = readFileSync(file, 'utf8').split('\n').length - 1
  lines.set(area, (lines.get(area) ?? 0) + count)
}

let sum = 0
for (const [area, count] of [...lines].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${String(count).padStart(7)}  ${area}`)
  sum += count
}
console.log(`${String(sum).padStart(7)}  product lines`)
