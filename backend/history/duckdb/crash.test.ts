import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openHistory } from './open.ts'

const WRITER = join(import.meta.dirname, '../../testing/append-until-killed.ts')

describe('a writer that is killed', () => {
  let folder = ''
  let writer: ChildProcess | null = null
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-crash-'))
  })
  afterEach(() => {
    writer?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([1, 7, 40])(
    'keeps every acknowledged batch and no half batch (%i batches)',
    async (count) => {
      const path = join(folder, 'history.duckdb')
      const child = spawn(process.execPath, [WRITER], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      writer = child
      let reported = 0
      const ended = once(child, 'exit')
      for await (const line of createInterface({ input: child.stdout })) {
        reported = Number(line) + 1
        if (reported === 1) {
          // While the other process lives, its file cannot be opened here, and the error names it.
          await expect(openHistory({ path, logger: silentLogger })).rejects.toThrow(
            `is already open in process ${child.pid ?? 0}`,
          )
        }
        if (reported >= count) child.kill('SIGKILL')
      }
      await ended

      const history = await openHistory({ path, memoryLimitMb: 256, logger: silentLogger })
      const market = history.marketIdOf('KX')?.market ?? -1
      const all = { market, from: 0 as Millis, to: Infinity as Millis, asOf: Infinity as Millis }
      const kept = await history.trades(all)
      expect(kept.length).toBeGreaterThanOrEqual(reported * 500)
      expect(kept.length % 500).toBe(0)
      expect(kept.at(-1)?.tradeId).toBe(`${kept.length / 500 - 1}-499`)
      await history.close()
    },
  )
})
