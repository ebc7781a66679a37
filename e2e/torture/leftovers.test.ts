import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url))

it('stops its service and removes its folder when it is interrupted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'augury-interrupted-'))
  try {
    const campaign = spawn(process.execPath, [RUN, 'second-opener', '--rounds', '1000'], {
      env: { TMPDIR: folder },
      stdio: 'ignore',
    })
    const ended = once(campaign, 'exit')
    const service = await vi.waitFor(
      () => {
        const [launch = ''] = globSync('*/run/launch.json', { cwd: folder })
        return (JSON.parse(readFileSync(join(folder, launch), 'utf8')) as { pid: number }).pid
      },
      { timeout: 50_000, interval: 100 },
    )
    campaign.kill('SIGTERM')
    expect(await ended).toEqual([143, null])
    expect(readdirSync(folder)).toEqual([])
    expect(() => process.kill(service, 0)).toThrow('ESRCH')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
