import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
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

  it('persists over a reopen, and migrates only once', async () => {
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

  it('names the file that could not be opened', async () => {
    await expect(openState(join(folder, 'no', 'such', 'folder.sqlite'))).rejects.toThrow(
      StoreFailed,
    )
  })

  it('reports a store failure when the disk is full within a transaction, and continues after', async () => {
    const state = await openState(join(folder, 'state.sqlite'))
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(state)
    const pages = (rows[0]?.page_count ?? 0) + 2
    await sql.raw(`pragma max_page_count = ${pages}`).execute(state)
    const note = (id: string, letters: number) =>
      state.transaction().execute((transaction) =>
        transaction
          .insertInto('import_run')
          .values({
            id,
            state: 'done',
            files: JSON.stringify('x'.repeat(letters)),
            started_at: 1,
            ended_at: 2,
            created_at: 0,
          })
          .execute(),
      )
    await expect(note('large', 100_000)).rejects.toThrow(StoreFailed)
    await note('small', 10)
    expect(await state.selectFrom('import_run').select('id').execute()).toEqual([{ id: 'small' }])
    await state.destroy()
  })
})
