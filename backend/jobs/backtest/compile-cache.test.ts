import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { canDropPermission, compileCacheOptions } from './compile-cache.ts'

it('[backtest.strategy.walls] revokes write access once the modules are loaded', () => {
  const { env, execArgv } = compileCacheOptions('worker.ts')
  const folder = env['NODE_COMPILE_CACHE'] ?? ''
  expect(folder).toContain('augury-strategies')
  const own = mkdtempSync(join(tmpdir(), 'augury-kept-'))
  const script = join(own, 'tries.mjs')
  const gives = new URL('./compile-cache.ts', import.meta.url).href
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
const tries = (name) => { try { writeFileSync(${JSON.stringify(folder)} + '/' + name, 'x'); return 'wrote' } catch (error) { return error.code } }
const { dropWritePermission } = await import(${JSON.stringify(gives)})
const before = process.permission.has('fs.write', ${JSON.stringify(folder)} + '/one')
dropWritePermission()
console.log(before, tries('one'))
`,
  )
  const read = ['--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning']
  const output = execFileSync(process.execPath, [...read, ...execArgv, script], {
    env: { ...env },
  })
  rmSync(own, { recursive: true })
  expect(output.toString().trim()).toBe('true ERR_ACCESS_DENIED')
  // A permission that cannot be revoked is not granted.
  expect([
    canDropPermission('24.20.0'),
    canDropPermission('24.21.0'),
    canDropPermission('25.1.0'),
  ]).toEqual([false, true, false])
  expect(compileCacheOptions('worker.js')).toEqual({ env: {}, execArgv: [] })
})
