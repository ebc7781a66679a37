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
      let acknowledged = 0
      const ended = once(child, 'exit')
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged = Number(line) + 1
        if (acknowledged === 1) {
          // While the other process lives, its file cannot be opened here, and the error names it.
          await expect(openHistory({ path, logger: silentLogger })).rejects.toThrow(
            `is already open in process ${child.pid ?? 0}`,
          )
        }
        if (acknowledged >= count) child.kill('SIGKILL')
      }
      await ended

      const history = await openHistory({ path, memoryLimitMb: 256, logger: silentLogger })
      const market = history.marketIdOf('KX')?.market ?? -1
      const all = { market, from: 0 as Millis, to: Infinity as Millis, asOf: Infinity as Millis }
      const stored = await history.trades(all)
      expect(stored.length).toBeGreaterThanOrEqual(acknowledged * 500)
      expect(stored.length % 500).toBe(0)
      expect(stored.at(-1)?.tradeId).toBe(`${stored.length / 500 - 1}-499`)
      await history.close()
    },
  )
})
