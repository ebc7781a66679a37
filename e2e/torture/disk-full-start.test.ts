import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fill, mountSmallDisk, unmount } from './small-disk.ts'

const ENTRY = fileURLToPath(new URL('../../backend/main.ts', import.meta.url))

describe('a start on a full disk', () => {
  it('ends with one sentence and code 1, and creates nothing (skipped where a small disk cannot be mounted)', ({
    skip,
  }) => {
    const disk = mountSmallDisk(16)
    if (disk === null) return skip('a small disk cannot be mounted here (it needs root)')
    try {
      fill(disk)
      const dataDir = join(disk, 'data')
      const flags = ['--source', 'none', '--port', '0', '--data', dataDir]
      const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, ...flags], {
        env: {},
        encoding: 'utf8',
      })
      expect(stderr).toBe(
        `augury: The disk of ${dataDir} is full: 0.0 MB are free, 8 MB are needed to write. Free space on this disk, or move the data folder to a larger one, then start again.\n`,
      )
      expect([status, stdout, existsSync(dataDir)]).toEqual([1, '', false])
    } finally {
      unmount(disk)
    }
  })
})
