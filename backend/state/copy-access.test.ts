import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyAccess } from './copy-access.ts'
import { openState } from './open.ts'
import { accountRow } from '../testing/users.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'augury-access-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const account = (id: string, isOwner: 0 | 1) =>
  accountRow(id, { is_owner: isOwner, is_admin: isOwner, created_at: 1 })
const key = (id: string, revokedAt: number | null) => ({
  id,
  space: 'service',
  user_id: 'usr_1',
  name: id,
  key_prefix: 'svc_live_abc',
  key_hash: 'hash',
  created_at: 1,
  last_used_at: null,
  revoked_at: revokedAt,
})

// [replay.access.keys]
it('copies users and active keys, and nothing else', async () => {
  const [source, target] = [join(folder, 'state.sqlite'), join(folder, 'copy.sqlite')]
  const state = await openState(source)
  await state
    .insertInto('account')
    .values([account('usr_1', 1), account('usr_2', 0)])
    .execute()
  await state
    .insertInto('access_key')
    .values([key('key_1', null), key('key_2', 5)])
    .execute()
  await state
    .insertInto('session')
    .values({
      id: 'ses_1',
      user_id: 'usr_1',
      method: 'local',
      user_agent: null,
      created_at: 1,
      last_seen_at: 1,
      expires_at: 9e15,
      ended_at: null,
    })
    .execute()
  await state.destroy()
  await copyAccess(source, target)
  const copy = new DatabaseSync(target, { readOnly: true })
  const ids = (table: string) =>
    copy
      .prepare(`select id from ${table} order by id`)
      .all()
      .map((row) => row['id'])
  expect([ids('account'), ids('access_key'), ids('session')]).toEqual([
    ['usr_1', 'usr_2'],
    ['key_1'],
    [],
  ])
  copy.close()
})

it('creates empty rows if there is nothing to copy', async () => {
  const target = join(folder, 'copy.sqlite')
  await copyAccess(join(folder, 'missing.sqlite'), target)
  const copy = new DatabaseSync(target, { readOnly: true })
  expect(copy.prepare('select count(*) as rows from account').get()).toEqual({ rows: 0 })
  copy.close()
})
