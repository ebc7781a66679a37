import { expect, it } from 'vitest'
import type { Thesis } from '../../domain/theses/thesis.ts'
import { Conflict } from '../../lib/errors.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createThesesService } from './theses.service.ts'
import type { ThesisFormation } from './thesis-formation.service.ts'
import type { ThesisDeps, ThesisEndpoints, ThesisRows } from './thesis-rows.ts'

it('leaves no thesis whose endpoint could not be made', async () => {
  const removed: string[] = []
  const store: Partial<ThesisDeps['store']> = {
    remove: (id) => Promise.resolve(void removed.push(id)),
  }
  const endpoints: Partial<ThesisEndpoints> = {
    checkedAddress: (_userId, url) => Promise.resolve(url),
    // The last place was taken after the check.
    set: () => Promise.reject(new Conflict('at most 20 endpoints may exist')),
  }
  const formation: Partial<ThesisFormation> = {
    begin: (userId) =>
      Promise.resolve({ thesis: { id: 'thesis-1', userId } as Thesis, existing: false }),
  }
  const deps: Partial<ThesisDeps> = {
    store: store as ThesisDeps['store'],
    userQueue: new PerUserQueue(),
    endpoints: () => endpoints as ThesisEndpoints,
    clock: new FakeClock(),
  }
  const theses = createThesesService(
    deps as ThesisDeps,
    {} as ThesisRows,
    formation as ThesisFormation,
  )
  const body = {
    rawThesis: 'Wheat will exceed $9 before May 2027',
    webhookUrl: 'https://example.com/a',
  }
  await expect(theses.create('usr_1', body, false)).rejects.toThrow('at most 20 endpoints')
  expect(removed).toEqual(['thesis-1'])
})
