import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pageUnderTest, refused } from '../../testing/page-under-test.ts'

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
  const { backup } = terminal
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
  await terminal.backup.start(order)
  expect(terminal.backup.failure?.message).toBe('A backup is running')
  expect(terminal.backup.isRunning).toBe(false)
  stop()
})

it('ends when the service has no record of it any more', async () => {
  const { terminal, stop } = pageUnderTest(
    () => refused(404, 'NOT_FOUND', 'Backup not found'),
    () => ({ ok: true, body: { id: 'bak_1' } }),
  )
  await terminal.backup.start(order)
  expect(terminal.backup.isRunning).toBe(false)
  expect(terminal.backup.failure?.message).toBe('Backup not found')
  stop()
})
