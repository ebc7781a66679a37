import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { StoreFailed } from '../lib/errors.ts'
import { createFeedsStore } from './feeds.store.ts'
import { openState } from './open.ts'

describe('state', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-state-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps what was written over a reopen, and migrates only once', async () => {
    const path = join(folder, 'state.sqlite')
    const first = await openState(path)
    await createFeedsStore(first).save('venue_a', { tradesUntil: 5 as Millis })
    await createFeedsStore(first).save('venue_a', { endedUntil: 7 as Millis })
    await first.destroy()
    const second = await openState(path)
    expect(await createFeedsStore(second).progressOf('venue_a')).toEqual({
      backfilledAt: null,
      endedUntil: 7,
      tradesUntil: 5,
      aliveUntil: null,
    })
    expect((await createFeedsStore(second).progressOf('venue_b')).tradesUntil).toBeNull()
    await second.destroy()
  })

  it('says which file could not be opened', async () => {
    await expect(openState(join(folder, 'no', 'such', 'folder.sqlite'))).rejects.toThrow(
      StoreFailed,
    )
  })
})
