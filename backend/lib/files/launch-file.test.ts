import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  launchPathOf,
  newLaunchSecret,
  readLaunch,
  removeLaunch,
  sameSecret,
  writeLaunch,
  type Launch,
} from './launch-file.ts'

const launch: Launch = {
  url: 'http://127.0.0.1:4870',
  pid: 4711,
  startedAt: '2026-11-20T14:00:00.000Z',
  secret: newLaunchSecret(),
}
const hasModes = process.platform !== 'win32'

describe('launch.json', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-launch-'))
    path = launchPathOf(folder)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('contains what was written', () => {
    expect(readLaunch(folder)).toBeNull()
    writeLaunch(folder, launch)
    expect(readLaunch(folder)).toEqual(launch)
    writeLaunch(folder, { ...launch, pid: 4712 })
    expect(readLaunch(folder)).toEqual({ ...launch, pid: 4712 })
  })

  it.skipIf(!hasModes)('is readable by its owner only, also when it replaces a file', () => {
    writeLaunch(folder, launch)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
    rmSync(path)
    writeFileSync(path, '{}', { mode: 0o644 })
    writeFileSync(`${path}.${launch.pid}`, 'left by an earlier start', { mode: 0o644 })
    writeLaunch(folder, launch)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is never visible half written', () => {
    writeLaunch(folder, launch)
    const before = statSync(path).ino
    writeLaunch(folder, { ...launch, url: 'http://127.0.0.1:1' })
    // A new file replaces the old one, without temporary files.
    if (hasModes) expect(statSync(path).ino).not.toBe(before)
    expect(readdirSync(dirname(path))).toEqual(['launch.json'])
  })

  it.each([
    ['an empty file', ''],
    ['half a file', '{"url":"http://127'],
    ['another value', '[1]'],
    ['null', 'null'],
    ['a missing field', JSON.stringify({ ...launch, secret: undefined })],
    ['a field of another type', JSON.stringify({ ...launch, pid: '4711' })],
  ])('counts as absent with %s', (_name, text) => {
    writeLaunch(folder, launch)
    writeFileSync(path, text)
    expect(readLaunch(folder)).toBeNull()
  })

  it('is removed only by the process that wrote it', () => {
    writeLaunch(folder, launch)
    const text = readFileSync(path, 'utf8')
    removeLaunch(folder, 9)
    expect(readFileSync(path, 'utf8')).toBe(text)
    removeLaunch(folder, launch.pid)
    expect(readLaunch(folder)).toBeNull()
    removeLaunch(folder, launch.pid)
  })
})

describe('the secret', () => {
  it('is 32 bytes and different each time', () => {
    expect(Buffer.from(newLaunchSecret(), 'base64url')).toHaveLength(32)
    expect(newLaunchSecret()).not.toBe(newLaunchSecret())
  })

  it('is compared completely', () => {
    const { secret } = launch
    expect(sameSecret(secret, secret)).toBe(true)
    for (const other of ['', secret.slice(1), `${secret}x`, secret.toLowerCase()]) {
      expect(sameSecret(other, secret)).toBe(false)
    }
  })
})
