import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const AUGURY = fileURLToPath(new URL('./augury.mjs', import.meta.url))

describe('output that cannot be written', () => {
  it('ends the command with 1 and the reason', () => {
    const full = openSync('/dev/full', 'w')
    try {
      const stdio = ['ignore', full, 'pipe'] as const
      const { status, stderr } = spawnSync(process.execPath, [AUGURY, '--help'], {
        stdio: [...stdio],
      })
      expect(status).toBe(1)
      expect(stderr.toString()).toContain('augury: the output cannot be written: ENOSPC')
    } finally {
      closeSync(full)
    }
  })

  it('ends the command with 0 when its reader has read enough', async () => {
    const command = spawn(process.execPath, [AUGURY, '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    command.stdout.destroy()
    let errors = ''
    command.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    expect([await once(command, 'close'), errors]).toEqual([[0, null], ''])
  })
})
