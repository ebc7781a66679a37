import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

/** Test files with properties. */
export function propertyFiles(): string[] {
  const tracked = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: ROOT }).toString()
  return tracked
    .trim()
    .split('\n')
    .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('/scripts/properties.ts'))
}

/** Cases of the slow properties against those of a push. */
const SCALE = 5

/** Runs these files with one seed; resolves with whether all of them passed. */
export function holdsWith(seed: number, files: readonly string[], scale = SCALE): Promise<boolean> {
  const child = spawn(process.execPath, [VITEST, 'run', ...files], {
    cwd: ROOT,
    env: {
      ...process.env,
      AUGURY_PROPERTY_SEED: String(seed),
      AUGURY_PROPERTY_SCALE: String(scale),
    },
    stdio: ['ignore', 2, 2],
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code === 0))
  })
}
