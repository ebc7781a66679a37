import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'
import { backupOf } from './backup.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const run = (filesDone: number, state: string) => ({
  id: 'bak_1',
  state,
  out: '/b',
  at: null,
  filesDone,
  filesAll: 3,
  rows: 9,
  bytes: 9,
  error: null,
})
const order = { out: '/b', force: false, withSecrets: false }

// [terminal.access.backup]
it('is followed to its end, through a lost response', async () => {
  const answers = [run(1, 'running'), refused(503, 'NOT_READY', 'busy'), run(3, 'done')]
  const { terminal, sent, stop } = pageUnderTest(
    () => answers.shift() ?? null,
    () => ({ ok: true, body: { id: 'bak_1' } }),
  )
  const backup = backupOf(terminal.live)
  void backup.start(order)
  await pass(10)
  expect([backup.isRunning, backup.run?.filesDone]).toEqual([true, 1])
  void backup.start(order)
  await pass(2_000)
  expect([backup.isRunning, backup.run?.state, backup.failure]).toEqual([false, 'done', null])
  expect(sent).toEqual([{ method: 'POST', path: '/api/backups', body: { out: '/b' } }])
  stop()
})

it('reports why it did not start', async () => {
  const { terminal, stop } = pageUnderTest(
    () => null,
    () => refused(409, 'CONFLICT', 'A backup is running'),
  )
  await backupOf(terminal.live).start(order)
  expect(backupOf(terminal.live).failure?.message).toBe('A backup is running')
  expect(backupOf(terminal.live).isRunning).toBe(false)
  stop()
})

it('ends when the service has no record of it any more', async () => {
  const { terminal, stop } = pageUnderTest(
    () => refused(404, 'NOT_FOUND', 'Backup not found'),
    () => ({ ok: true, body: { id: 'bak_1' } }),
  )
  await backupOf(terminal.live).start(order)
  expect(backupOf(terminal.live).isRunning).toBe(false)
  expect(backupOf(terminal.live).failure?.message).toBe('Backup not found')
  stop()
})

it('is requested as chosen, with its state until the first answer', async () => {
  const { terminal, sent, requested, stop } = pageUnderTest(
    () => null,
    () => ({ ok: true, body: { id: 'bak_1' } }),
  )
  const backup = backupOf(terminal.live)
  const started = backup.start({ out: '/b', force: true, withSecrets: true })
  expect([backup.isStarting, backup.isRunning, backup.run]).toEqual([true, true, null])
  await started
  expect(sent[0]?.body).toEqual({ out: '/b', force: true, withSecrets: true })
  expect(requested).toEqual(['/api/backups/bak_1'])
  stop()
})

it('that waits is followed like one that runs; a second press starts nothing', async () => {
  const states = ['queued', 'running', 'failed']
  const { terminal, requested, stop } = pageUnderTest(
    () => run(0, states.shift() ?? 'failed'),
    () => ({ ok: true, body: { id: 'bak_1' } }),
  )
  const backup = backupOf(terminal.live)
  void backup.start(order)
  await pass(10)
  expect([backup.run?.state, backup.isRunning, backup.isStarting]).toEqual(['queued', true, false])
  await pass(499)
  expect(requested).toHaveLength(2)
  await pass(500)
  expect([backup.run?.state, backup.isRunning]).toEqual(['failed', false])
  await pass(60_000)
  expect(requested).toHaveLength(3)
  stop()
})

it('is cancelled; only an error other than its end is reported', async () => {
  const statuses = [409, 503]
  const { terminal, sent, stop } = pageUnderTest(
    () => run(0, 'running'),
    ({ method }) =>
      method === 'POST'
        ? { ok: true, body: { id: 'bak_1' } }
        : refused(statuses.shift() ?? 500, null, 'Not cancelled'),
  )
  const backup = backupOf(terminal.live)
  await backup.cancel()
  expect(sent).toEqual([])
  void backup.start(order)
  await pass(10)
  await backup.cancel()
  expect([sent[1], backup.failure]).toEqual([
    { method: 'DELETE', path: '/api/backups/bak_1', body: undefined },
    null,
  ])
  await backup.cancel()
  expect(backup.failure?.message).toBe('Not cancelled')
  stop()
})

it('starts again after a failed start, without its error', async () => {
  const answers = [refused(409, 'CONFLICT', 'busy'), { ok: true as const, body: { id: 'bak_1' } }]
  const { terminal, stop } = pageUnderTest(
    () => run(3, 'done'),
    () => answers.shift() ?? refused(500, null, ''),
  )
  const backup = backupOf(terminal.live)
  await backup.start(order)
  expect([backup.failure?.message, backup.run]).toEqual(['busy', null])
  const second = backup.start(order)
  expect(backup.failure).toBeNull()
  await second
  expect([backup.run?.state, backup.failure]).toEqual(['done', null])
  stop()
})
