import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { openState, type State } from '../../state/open.ts'
import {
  createBacktestsStore,
  type BacktestRecord,
  type BacktestsStore,
} from './backtests.store.ts'

let state: State
let store: BacktestsStore
beforeEach(async () => {
  state = await openState(':memory:')
  // Accounts do not matter here.
  await sql`pragma foreign_keys = off`.execute(state)
  store = createBacktestsStore(state)
})
afterEach(() => state.destroy())

const record = (id: string, change: Partial<BacktestRecord>): BacktestRecord => ({
  id,
  userId: 'usr_1',
  strategy: 'quote-both-sides',
  request: { strategy: 'quote-both-sides' } as BacktestRecord['request'],
  createdAt: 1 as Millis,
  progress: 0,
  report: null,
  error: null,
  state: 'queued',
  startedAt: null,
  endedAt: null,
  ...change,
})

it('fails runs that a restart interrupted and leaves finished ones unchanged', async () => {
  const ended = { startedAt: 2 as Millis, endedAt: 3 as Millis }
  const all = [
    record('done', { state: 'done', report: '{}', progress: 1, ...ended }),
    record('failed', { state: 'failed', error: 'Its own error', ...ended }),
    record('cancelled', { state: 'cancelled', ...ended }),
    record('queued', { state: 'queued' }),
    record('running', { state: 'running', startedAt: 2 as Millis }),
  ]
  for (const one of all) {
    await store.add(one, one.createdAt)
    await store.save(one)
  }
  const before = await Promise.all(['done', 'failed', 'cancelled'].map((id) => store.find(id)))
  expect(await store.failUnfinished(9 as Millis)).toBe(2)
  const after = await Promise.all(['done', 'failed', 'cancelled'].map((id) => store.find(id)))
  expect(after).toEqual(before)
  for (const id of ['queued', 'running']) {
    expect(await store.find(id)).toMatchObject({
      state: 'failed',
      error: 'The service stopped',
      endedAt: 9,
    })
  }
})
