import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'

// One of these starts separate processes.
vi.setConfig({ testTimeout: 120_000 })

const AUGURY = fileURLToPath(new URL('../augury.mjs', import.meta.url))

let line: CommandLine
let folder: string
let path: string
beforeEach(() => {
  line = commandLine()
  folder = join(line.home, '.augury')
  path = join(folder, 'config.json')
  mkdirSync(folder, { mode: 0o700 })
})
afterEach(() => line.remove())
const stored = () => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>

/** The number of a process that has ended. */
function endedPid(): number {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  return pid
}

describe('concurrent commands on the configuration file', () => {
  // [client.config-file.at-once]
  it('wait for each other, and keep the other’s changes', async () => {
    writeFileSync(path, '{}', { mode: 0o600 })
    writeFileSync(`${path}.lock`, String(process.pid))
    let hasSlept: () => void = () => {}
    const waits = new Promise<void>((resolve) => (hasSlept = resolve))
    const clock = {
      now: () => systemClock.now(),
      monotonic: () => systemClock.monotonic(),
      sleep(...args: Parameters<typeof systemClock.sleep>) {
        hasSlept()
        return systemClock.sleep(...args)
      },
    }
    const running = line.run(['config', 'set', 'defaultModel', 'heavy'], { clock })
    await waits
    expect(stored()).toEqual({})
    writeFileSync(path, '{"venueBWalletAddress":"0xabc"}')
    rmSync(`${path}.lock`)
    expect((await running).exit).toBe(0)
    expect(stored()).toEqual({ venueBWalletAddress: '0xabc', defaultModel: 'heavy' })
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  // [client.config-file.at-once]
  it('lose nothing when they are separate processes', async () => {
    const settings = { defaultModel: 'heavy', venueAKeyId: 'id-1', venueBWalletAddress: '0xabc' }
    const exits = await Promise.all(
      Object.entries(settings).map(
        ([name, value]) =>
          new Promise<number | null>((resolve) => {
            const env = { ...process.env, HOME: line.home, AUGURY_CONFIG: path }
            const args = [AUGURY, 'config', 'set', name, value]
            spawn(process.execPath, args, { env, stdio: 'ignore' }).once('close', resolve)
          }),
      ),
    )
    expect(exits).toEqual([0, 0, 0])
    expect(stored()).toEqual(settings)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  it('take over a lock that a dead process left', async () => {
    writeFileSync(`${path}.lock`, String(endedPid()))
    const ran = await line.run(['config', 'set', 'defaultModel', 'heavy'])
    expect([ran.exit, stored()]).toEqual([0, { defaultModel: 'heavy' }])
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  it('report which process holds the lock when the wait times out', async () => {
    writeFileSync(`${path}.lock`, String(process.pid))
    const ran = await line.run(['config', 'set', 'defaultModel', 'heavy'])
    expect([ran.exit, ran.err]).toEqual([
      1,
      `augury: another augury is writing (${path}.lock exists)\nTry again; if no other augury is running, remove that file.\n`,
    ])
    expect([existsSync(path), readFileSync(`${path}.lock`, 'utf8')]).toEqual([
      false,
      String(process.pid),
    ])
  })
})
