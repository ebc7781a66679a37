import { expect, it } from 'vitest'
import type { Thesis } from '../../domain/theses/thesis.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { TEST_URLS } from '../../testing/test-app.ts'
import { createThesisPublication } from './thesis-publication.service.ts'
import type { ThesisDeps, ThesisRows } from './thesis-rows.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('gives two users who publish the same title at once a slug each', async () => {
  const theses = new Map(
    ['aaaaaaaa-1', 'bbbbbbbb-2'].map((id) => [
      id,
      { id, userId: `user ${id}`, title: 'Turnout will exceed 60%', slug: null } as Thesis,
    ]),
  )
  const store: Partial<ThesisDeps['store']> = {
    async bySlug(slug) {
      await turn()
      return [...theses.values()].find((thesis) => thesis.slug === slug) ?? null
    },
  }
  const rows: Partial<ThesisRows> = {
    thesisOfUser: (_userId, id) => Promise.resolve(theses.get(id) as Thesis),
    async saveThesis(thesis) {
      await turn()
      theses.set(thesis.id, thesis)
    },
  }
  const deps: Partial<ThesisDeps> = {
    store: store as ThesisDeps['store'],
    userQueue: new PerUserQueue(),
    urls: TEST_URLS,
    clock: new FakeClock(),
  }
  const publication = createThesisPublication(deps as ThesisDeps, rows as ThesisRows)
  const published = await Promise.all(
    [...theses.values()].map(({ id, userId }) => publication.publish(userId, id, {})),
  )
  expect(published.map(({ slug }) => slug)).toEqual([
    'turnout-will-exceed-60',
    'turnout-will-exceed-60-bbbbbbbb',
  ])
})
