import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Clock } from '../lib/clock.ts'
import { CliFailure } from './failure.ts'
import { withFileLock } from './file-lock.ts'

let folder: string
let lock: string
let waited: number[]
/** Each sleep passes at once; `onSleep` runs in it. */
let onSleep: () => void
let now: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-lock-'))
  lock = join(folder, 'config.json.lock')
  waited = []
  now = 700
  onSleep = () => {}
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const locked = <T>(work: () => T): Promise<T> => {
  const clock = {
    monotonic: () => now,
    sleep: (span: number) => {
      waited.push(span)
      now += span
      onSleep()
      return Promise.resolve()
    },
  } as unknown as Clock
  return withFileLock(lock, { clock, signal: new AbortController().signal }, work)
}
const endedPid = (): string => String(spawnSync(process.execPath, ['-e', '']).pid)

it('is held by this process during the work, and released after it', async () => {
  expect(await locked(() => readFileSync(lock, 'utf8'))).toBe(String(process.pid))
  expect([existsSync(lock), waited]).toEqual([false, []])
})

it('is released after work that fails', async () => {
  await expect(
    locked(() => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(existsSync(lock)).toBe(false)
})

it('is taken over from a process that has ended', async () => {
  writeFileSync(lock, endedPid())
  expect(await locked(() => readFileSync(lock, 'utf8'))).toBe(String(process.pid))
  expect([existsSync(lock), existsSync(`${lock}.dead`), waited]).toEqual([false, false, []])
})

it('waits while another one takes over', async () => {
  writeFileSync(lock, endedPid())
  writeFileSync(`${lock}.dead`, '1')
  onSleep = () => rmSync(`${lock}.dead`)
  await locked(() => {})
  expect(waited).toEqual([20])
})

it.each([
  ['a living process holds it', () => String(process.pid)],
  ['its holder is not written yet', () => ''],
])('waits while %s', async (_what, holder) => {
  writeFileSync(lock, holder())
  onSleep = () => {
    if (waited.length === 3) rmSync(lock)
  }
  expect(await locked(() => 'done')).toBe('done')
  expect(waited).toEqual([20, 20, 20])
})

it('gives up after five seconds', async () => {
  writeFileSync(lock, String(process.pid))
  const failure = await locked(() => 'done').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CliFailure)
  expect(failure).toMatchObject({ code: 'LOCKED', exit: 1 })
  expect([now, existsSync(lock)]).toEqual([5_700, true])
})

it('reports a folder in which it cannot be created', async () => {
  lock = join(folder, 'none', 'lock')
  await expect(locked(() => {})).rejects.toMatchObject({ code: 'ENOENT' })
})
