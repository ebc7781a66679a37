import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLaunch } from '../../lib/files/launch-file.ts'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'

const AUGURY = fileURLToPath(new URL('../augury.mjs', import.meta.url))

let line: CommandLine
beforeEach(() => {
  line = commandLine()
})
afterEach(() => {
  line.remove()
})

/** `augury serve` as a separate process, once its service is ready. */
async function served() {
  const data = join(line.home, 'data')
  const args = ['serve', '--source', 'none', '--port', '0', '--data', data]
  const command = spawn(process.execPath, [AUGURY, ...args], {
    env: { ...process.env, HOME: line.home },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(command, 'exit')
  const [readyLine] = (await once(createInterface(command.stdout), 'line')) as [string]
  expect(JSON.parse(readyLine)).toMatchObject({ ready: true })
  const service = readLaunch(data)?.pid ?? 0
  return { command, ended, service, isNoted: () => readLaunch(data) !== null }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a program that a command runs in the foreground', () => {
  it('[cli.foreground.ends] stops in order when the command receives a signal', async () => {
    const { command, ended, service, isNoted } = await served()
    command.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(isRunning(service)).toBe(false)
    expect(isNoted()).toBe(false)
  })

  it('[cli.foreground.ends] stops in order when the command is killed', async () => {
    const { command, ended, service, isNoted } = await served()
    expect(service).not.toBe(command.pid)
    command.kill('SIGKILL')
    await ended
    await expect.poll(() => isRunning(service)).toBe(false)
    expect(isNoted()).toBe(false)
  })
})
