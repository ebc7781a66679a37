import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runTask } from './child-task.ts'

describe('a task in its own process', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-task-'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  const script = (text: string): string => {
    const path = join(folder, 'task.mjs')
    writeFileSync(path, text)
    return path
  }
  const LONG = 60_000

  it('returns its result', async () => {
    const doubling = script(`process.once('message', ({ n }) =>
      process.send({ n: 2 * n }, () => process.disconnect()))`)
    expect((await runTask(doubling, { n: 21 }, LONG)).answer).toEqual({ n: 42 })
  })

  it('reports how a process without a result ended', async () => {
    const failing = script(`process.stderr.write('no such block'); process.exitCode = 7
      process.once('message', () => process.disconnect())`)
    const { answer, failure } = await runTask(failing, {}, LONG)
    expect(answer).toBeNull()
    expect(failure).toBe('ended with 7 no such block')
  })

  it('survives a process that aborts', async () => {
    const aborting = script(`process.once('message', () => process.kill(process.pid, 'SIGABRT'))`)
    const { answer, failure } = await runTask(aborting, {}, LONG)
    expect(answer).toBeNull()
    expect(failure).toContain('SIGABRT')
  })

  it('gets our environment: inside Electron, to run as Node', async () => {
    const asking = script(`process.once('message', () =>
      process.send({ as: process.env.ELECTRON_RUN_AS_NODE ?? null }, () => process.disconnect()))`)
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1')
    expect((await runTask(asking, {}, LONG)).answer).toEqual({ as: '1' })
  })

  it('kills one that takes too long', async () => {
    const hanging = script(`setInterval(() => {}, 1000)`)
    expect(await runTask(hanging, {}, 200)).toEqual({ answer: null, failure: 'ended with SIGKILL' })
  })
})
