import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freeBytesOf, fullDiskOf, MIN_FREE_SPACE } from './disk-room.ts'

describe('free space of a disk', () => {
  it('is that of the nearest existing folder', () => {
    expect(freeBytesOf(join(tmpdir(), 'not', 'there', 'yet'))).toBeGreaterThan(0)
  })

  it('is enough from the minimum on', () => {
    expect(fullDiskOf('/data', MIN_FREE_SPACE)).toBeNull()
    expect(fullDiskOf('/data', MIN_FREE_SPACE - 1)).toBe(
      'The disk of /data is full: 8.0 MB are free, 8 MB are needed to write',
    )
    expect(fullDiskOf('/data', 0)).toContain('0.0 MB are free')
  })
})
