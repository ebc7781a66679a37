import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { scaled } from '../../../../scripts/properties.ts'
import type { TickFinished } from '../../../contract/orders/ticks.ts'
import { MINUTE, type Millis } from '../../../domain/units.ts'
import { openAutopilot } from '../../../testing/autopilot.ts'
import { NOON } from '../../../testing/builders.ts'

const UNTIL_KILLED = join(import.meta.dirname, '../../../testing/tick-until-killed.ts')
const ALL = ['ONE 10', 'TWO 10', 'THREE 10']

/** Runs a tick in a process of its own, and kills that at a step. */
async function killedAt(step: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [UNTIL_KILLED, step], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const ended = once(child, 'exit')
    const [reached] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    expect(reached).toBe(step)
    child.kill('SIGKILL')
    await ended
  } finally {
    child.kill('SIGKILL')
  }
}

it.each([
  ['decide', []],
  ['1', ['none', 'none', 'none']],
  ['2', ['filled', 'none', 'none']],
  ['3', ['filled', 'filled', 'none']],
  ['ended', ['filled', 'filled', 'filled']],
])(
  '[portfolio.ticks.killed] kill -9 at step %s interrupts a tick at the next start; fills stay and no order is doubled',
  async (step, expected) => {
    for (let round = 0; round < scaled(1); round += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'augury-tick-'))
      try {
        await killedAt(step, folder)
        const filled = expected.filter((outcome) => outcome === 'filled').length
        const path = join(folder, 'state.sqlite')
        const autopilot = await openAutopilot(path, (NOON + MINUTE) as Millis)
        const status = step === 'ended' ? 'completed' : 'interrupted'
        const [tick] = await autopilot.ticks()
        expect(tick).toMatchObject({
          status,
          phase: 'done',
          error: null,
          openPositionCount: filled,
        })
        expect(tick?.actions.map(({ outcome }) => outcome)).toEqual(expected)
        expect(await autopilot.fills()).toEqual(ALL.slice(0, filled))
        await autopilot.quote()
        const [code, next] = await autopilot.send<TickFinished>(
          'POST',
          '/api/portfolio/trigger?sync=true',
        )
        expect([code, next.tick.status]).toEqual([200, 'completed'])
        expect(await autopilot.fills()).toEqual(ALL)
        await autopilot.close()
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  },
)
