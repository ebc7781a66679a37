import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DoctorCheck } from '../../domain/doctor-check.ts'
import { launchPathOf, writeLaunch } from '../../lib/files/launch-file.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openStores } from '../../app/stores.ts'
import { environmentOf, runIn } from '../../testing/command-line.ts'
import { acquireService } from './private-service.ts'

/** Starting processes takes its time on a busy machine. */
const SLOW = 60_000
let home: string
let data: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'augury-doctor-'))
  data = join(home, 'data')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function doctor(...args: string[]) {
  const { exit, out, err } = await runIn(environmentOf(home), ['doctor', '--json', ...args])
  const report = JSON.parse(out) as { ok: boolean; checks: DoctorCheck[] }
  const find = (name: string): DoctorCheck | undefined =>
    report.checks.find((check) => check.name === name)
  return { exit, err, report, find }
}

async function makeFolder(): Promise<void> {
  await (await openStores(data, silentLogger)).close()
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid

/** A user without rights. */
const NOBODY = 65_534
const CHECK = `
  import { checkFolder } from ${JSON.stringify(new URL('./doctor-folder.ts', import.meta.url).href)}
  if (process.getuid() === 0) process.setuid(${NOBODY})
  process.stdout.write(JSON.stringify(checkFolder(process.argv[1], false)[0]))
`

/** Runs the folder check as a user other than root, because root may access everything. */
function folderAsNobody(): unknown {
  const args = ['--input-type=module', '--eval', CHECK, data]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

describe('augury doctor', () => {
  it(
    'reports a sound folder as sound',
    async () => {
      await makeFolder()
      const { exit, err: errors, report, find } = await doctor()
      expect([exit, errors, report.ok]).toEqual([0, '', true])
      for (const check of report.checks) {
        expect(Object.keys(check).sort()).toEqual(['detail', 'fix', 'name', 'state'])
        expect(check.fix === null, check.name).toBe(check.state === 'ok')
      }
      for (const name of ['data folder', 'permissions', 'stale files', 'history', 'state']) {
        expect(find(name)?.state, name).toBe('ok')
      }
      expect(find('history')?.detail).toContain('every block matches its checksum')
    },
    SLOW,
  )

  it(
    'restricts files that others can open, only with --fix',
    async () => {
      mkdirSync(join(data, 'import'), { recursive: true })
      const key = join(data, 'secrets', 'providers.json')
      const kept = join(data, 'import', 'mine.csv')
      mkdirSync(join(data, 'secrets'), { mode: 0o755 })
      for (const path of [key, kept]) writeFileSync(path, 'x')
      for (const path of [data, join(data, 'secrets'), join(data, 'import')]) chmodSync(path, 0o755)
      for (const path of [key, kept]) chmodSync(path, 0o644)
      const found = await doctor()
      expect([found.exit, found.report.ok]).toEqual([1, false])
      expect(found.find('permissions')).toMatchObject({ state: 'fail', fix: 'augury doctor --fix' })
      expect([modeOf(data), modeOf(key)]).toEqual([0o755, 0o644])

      const fixed = await doctor('--fix')
      expect([fixed.exit, fixed.find('permissions')?.state]).toEqual([0, 'ok'])
      expect(fixed.err.match(/^fixed: .* is now private to its owner$/gm)).toHaveLength(3)
      expect([modeOf(data), modeOf(join(data, 'secrets')), modeOf(key)]).toEqual([
        0o700, 0o700, 0o600,
      ])
      expect([modeOf(join(data, 'import')), modeOf(kept)]).toEqual([0o755, 0o644])
      expect(readFileSync(kept, 'utf8')).toBe('x')
    },
    SLOW,
  )

  it(
    'removes what a dead process left, and nothing of a running one',
    async () => {
      mkdirSync(join(data, 'backup', 'bak_1'), { recursive: true, mode: 0o700 })
      chmodSync(data, 0o700)
      const launch = { url: 'http://127.0.0.1:1', startedAt: '', secret: 's' }
      writeLaunch(data, { ...launch, pid: process.pid })
      expect((await doctor('--fix')).err).toBe('')
      expect(existsSync(launchPathOf(data))).toBe(true)

      writeLaunch(data, { ...launch, pid: deadPid() })
      const found = await doctor()
      expect(found.find('stale files')).toMatchObject({ state: 'warn', fix: 'augury doctor --fix' })
      expect(found.exit).toBe(0)
      expect(existsSync(launchPathOf(data))).toBe(true)
      expect((await doctor('--fix')).find('stale files')?.state).toBe('ok')
      expect([existsSync(launchPathOf(data)), existsSync(join(data, 'backup'))]).toEqual([
        false,
        false,
      ])
    },
    SLOW,
  )

  it(
    'reports damaged stores, and does not change them even with --fix',
    async () => {
      await makeFolder()
      const paths = ['history.duckdb', 'state.sqlite'].map((name) => join(data, name))
      for (const path of paths) writeFileSync(path, 'no database at all '.repeat(1_000))
      const before = paths.map((path) => readFileSync(path, 'utf8'))
      const { exit, report, find } = await doctor('--fix')
      expect([exit, report.ok]).toEqual([1, false])
      for (const name of ['history', 'state']) {
        expect(find(name)).toMatchObject({
          state: 'fail',
          detail: expect.stringMatching(/^damaged: /),
          fix: expect.stringContaining('augury restore FOLDER'),
        })
      }
      expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(before)
    },
    SLOW,
  )

  it(
    'reports operational rows that were emptied, before and after a start, until the service accepts it',
    async () => {
      await makeFolder()
      const state = join(data, 'state.sqlite')
      for (const end of ['.bak', '.bak.seal']) rmSync(`${state}${end}`)
      writeFileSync(state, '')
      const before = await doctor()
      expect([before.exit, before.find('state')?.state]).toEqual([1, 'fail'])
      expect(statSync(state).size).toBe(0)

      await makeFolder()
      const after = await doctor()
      expect([after.exit, after.find('state')?.state, after.find('losses')?.state]).toEqual([
        1,
        'ok',
        'fail',
      ])
      expect(after.find('losses')?.detail).toContain('no copy was available')
      expect(after.find('losses')?.fix).toContain('augury doctor --accept-loss')

      const accepted = await doctor('--accept-loss')
      expect([accepted.exit, accepted.find('losses')?.state]).toEqual([0, 'ok'])
    },
    SLOW,
  )

  it(
    'creates no folder when there is none, and prints what to do',
    async () => {
      const { exit, find } = await doctor('--fix')
      expect([exit, find('data folder')?.state]).toEqual([0, 'warn'])
      expect(existsSync(data)).toBe(false)
      const shown = await runIn(environmentOf(home), ['doctor'])
      expect(shown.exit).toBe(0)
      expect(shown.out).toMatch(/^warn {2}data folder +\S+ does not exist\n +Start the service: /)
    },
    SLOW,
  )

  it.skipIf(process.platform === 'win32')(
    'reports a folder that cannot be written (skipped where folders have no modes)',
    () => {
      chmodSync(home, 0o755)
      mkdirSync(data, { mode: 0o500 })
      if (process.getuid?.() === 0) chownSync(data, NOBODY, NOBODY)
      expect(folderAsNobody()).toEqual({
        name: 'data folder',
        state: 'fail',
        detail: `${data} cannot be read or written`,
        fix: `chmod u+rwx ${data}, or choose another with --data DIR`,
      })
      chmodSync(data, 0o700)
      expect(folderAsNobody()).toMatchObject({ state: 'ok' })
    },
    SLOW,
  )

  it.skipIf(process.platform === 'win32')(
    'reports a subfolder that another user owns (skipped where folders have no modes)',
    () => {
      const secrets = join(data, 'secrets')
      chmodSync(home, 0o755)
      mkdirSync(secrets, { recursive: true, mode: 0o700 })
      chmodSync(secrets, process.getuid?.() === 0 ? 0o700 : 0o000)
      if (process.getuid?.() === 0) chownSync(data, NOBODY, NOBODY)
      expect(folderAsNobody()).toMatchObject({
        state: 'fail',
        detail: `${secrets} cannot be read or written`,
        fix: expect.stringMatching(/^chown -R \d+ /) as string,
      })
      chmodSync(secrets, 0o700)
    },
    SLOW,
  )

  it(
    'reads the state from the service that runs on the folder',
    async () => {
      const service = await acquireService(data, environmentOf(home), () => {})
      try {
        const { exit, report, find } = await doctor('--fix')
        expect([exit, report.ok]).toEqual([0, true])
        expect(find('history')?.detail).toBe('open: 0 markets, 0 trades, 0 quotes')
        expect(find('port')).toMatchObject({ state: 'ok', detail: expect.stringContaining('http') })
        expect(find('clock')?.detail).toBe('matches the service')
        expect(existsSync(launchPathOf(data))).toBe(true)
      } finally {
        await service.release()
      }
    },
    SLOW,
  )
})
