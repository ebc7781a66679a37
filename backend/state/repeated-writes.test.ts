import { expect, it, onTestFinished } from 'vitest'
import { DAY } from '../domain/units.ts'
import { NOON } from '../testing/builders.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { addUser } from '../testing/users.ts'
import { openState } from './open.ts'
import { createRepeatedWrites } from './repeated-writes.ts'

async function openWrites() {
  const state = await openState(':memory:')
  onTestFinished(() => state.destroy())
  for (const userId of ['usr_1', 'usr_2']) await addUser(state, userId)
  const clock = new FakeClock(NOON)
  const repeats = createRepeatedWrites(state, clock)
  let writes = 0
  const run = (key: string, userId = 'usr_1') =>
    repeats.run({ userId, route: 'POST /rows', key, body: {} }, () => Promise.resolve(++writes))
  const storedKeys = async (): Promise<string[]> =>
    (await state.selectFrom('repeated_write').select('key').orderBy('key').execute()).map(
      ({ key }) => key,
    )
  return { clock, run, storedKeys }
}

it('repeats an answer for a day', async () => {
  const { clock, run } = await openWrites()
  expect(await run('key-of-a-write')).toBe(1)
  await clock.advance(DAY - 1)
  expect(await run('key-of-a-write')).toBe(1)
  await clock.advance(1)
  expect(await run('key-of-a-write')).toBe(2)
})

it('deletes the expired answers of a user with the next one', async () => {
  const { clock, run, storedKeys } = await openWrites()
  await run('1-expired')
  await run('2-of-another-user', 'usr_2')
  await clock.advance(DAY)
  await run('3-current')
  expect(await storedKeys()).toEqual(['2-of-another-user', '3-current'])
})
