import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EXIT } from '../failure.ts'
import { environmentOf, runIn } from '../../testing/command-line.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'augury-refusals-'))
  mkdirSync(join(home, 'mine'))
  writeFileSync(join(home, 'mine', 'thesis.txt'), 'mine')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** None of these starts a service: the data folder would be there afterwards. */
it.each([
  [['backup'], '--out is required'],
  [['backup', 'kept'], 'augury backup'],
  [['restore'], 'augury restore'],
  [['restore', 'mine', '--force'], 'is not a backup: its manifest.json is missing'],
  [['restore', 'nowhere'], 'is not a backup: its manifest.json is missing'],
])(
  'augury %j is refused without changes',
  async (args, message) => {
    const data = join(home, 'data')
    const { exit, out, err } = await runIn(environmentOf(home), args)
    expect([exit, out, err]).toEqual([EXIT.usage, '', expect.stringContaining(message)])
    expect([existsSync(data), readdirSync(join(home, 'mine'))]).toEqual([false, ['thesis.txt']])
  },
  120_000,
)
