import { expect, it } from 'vitest'
import { TaskQueues } from './task-queues.ts'

it('runs the tasks of a key in order, also after a failure, and other keys beside them', async () => {
  const queues = new TaskQueues()
  const started: string[] = []
  const first = Promise.withResolvers<void>()
  const start = (name: string, end: Promise<void> = Promise.resolve()) => {
    started.push(name)
    return end
  }
  const failing = queues.run('a', () => start('a1', first.promise))
  const next = queues.run('a', () => start('a2'))
  await queues.run('b', () => start('b1'))
  expect(started).toEqual(['a1', 'b1'])
  first.reject(new Error('refused'))
  await expect(failing).rejects.toThrow('refused')
  await next
  expect(started).toEqual(['a1', 'b1', 'a2'])
  const later = queues.run('a', () => start('a3'))
  expect(started.at(-1)).toBe('a3')
  await later
})
