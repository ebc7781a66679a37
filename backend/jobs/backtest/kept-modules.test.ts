import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { canGiveUp, keptModules } from './kept-modules.ts'

it('[backtest.strategy.walls] leaves a process no right to write once its own modules are there', () => {
  const { env, execArgv } = keptModules('worker.ts')
  const folder = env['NODE_COMPILE_CACHE'] ?? ''
  expect(folder).toContain('augury-strategies')
  const own = mkdtempSync(join(tmpdir(), 'augury-kept-'))
  const script = join(own, 'tries.mjs')
  const gives = new URL('./kept-modules.ts', import.meta.url).href
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'
const tries = (name) => { try { writeFileSync(${JSON.stringify(folder)} + '/' + name, 'x'); return 'wrote' } catch (error) { return error.code } }
const { giveUpWriting } = await import(${JSON.stringify(gives)})
const before = process.permission.has('fs.write', ${JSON.stringify(folder)} + '/one')
giveUpWriting()
console.log(before, tries('one'))
`,
  )
  const read = ['--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning']
  const told = execFileSync(process.execPath, [...read, ...execArgv, script], { env: { ...env } })
  rmSync(own, { recursive: true })
  expect(told.toString().trim()).toBe('true ERR_ACCESS_DENIED')
  // Where a right cannot be given up it is not given.
  expect([canGiveUp('24.20.0'), canGiveUp('24.21.0'), canGiveUp('25.1.0')]).toEqual([false, true, false]) // prettier-ignore
  expect(keptModules('worker.js')).toEqual({ env: {}, execArgv: [] })
})
