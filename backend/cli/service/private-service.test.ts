import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLaunch } from '../../lib/files/launch-file.ts'
import { environmentOf } from '../../testing/command-line.ts'
import { acquireService } from './private-service.ts'

it('a private service that was killed is released at once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'augury-private-'))
  try {
    const data = join(home, 'data')
    const service = await acquireService(data, environmentOf(home), () => {})
    const pid = readLaunch(data)?.pid ?? 0
    process.kill(pid, 'SIGKILL')
    // Its exit is noticed before the release, as in a command that works for a while.
    await expect.poll(() => isRunning(pid)).toBe(false)
    await service.release()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
