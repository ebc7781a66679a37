import { describe, expect, it } from 'vitest'
import type { BoundEdge, Thesis } from '../../domain/theses/thesis.ts'
import type { Millis } from '../../domain/units.ts'
import { createVisibleEdges } from './visible-edges.ts'

const EDGE = { ticker: 'KX', thesisPrice: 43, rationale: 'why' } as BoundEdge
const thesis = (id: string, fields: Partial<Thesis> = {}): Thesis =>
  ({
    id,
    userId: 'usr_own',
    title: id,
    status: 'active',
    slug: null,
    publishedAt: null,
    tree: null,
    edges: [EDGE],
    edgesAt: 100,
    ...fields,
  }) as Thesis

const THESES = [
  thesis('private'),
  thesis('paused', { status: 'paused' }),
  thesis('killed', { status: 'killed', slug: 'killed', publishedAt: 50 as Millis }),
  thesis('later', { edgesAt: 300 as Millis }),
  thesis('other', { userId: 'usr_other', slug: 'other', publishedAt: 200 as Millis }),
  thesis('hidden', { userId: 'usr_other' }),
]
const edges = createVisibleEdges({
  thesesInStates: (userId, statuses) =>
    Promise.resolve(THESES.filter((one) => one.userId === userId && statuses.includes(one.status))),
  publishedTheses: () => Promise.resolve(THESES.filter(({ slug }) => slug !== null)),
  visibleAt: (userId) =>
    Promise.resolve([
      thesis('then', { userId: userId ?? 'usr_own' }),
      thesis('public', { userId: 'usr_other', slug: 'public' }),
      thesis('private-then', { userId: 'usr_other' }),
      thesis('killed-then', { userId: userId ?? 'usr_own', status: 'killed' }),
    ]),
})
const titles = async (userId: string | null, asOf: number | null) =>
  (await edges.edges(userId, asOf as Millis | null)).edges.map(({ thesisTitle }) => thesisTitle)

describe('edges of theses', () => {
  it('are those of own open theses and of open published ones', async () => {
    expect(await titles('usr_own', null)).toEqual(['private', 'paused', 'later', 'other'])
    expect(await titles(null, null)).toEqual(['other'])
  })

  it('of a past instant are those of theses as they were', async () => {
    expect(await titles('usr_own', 200)).toEqual(['then', 'public'])
    expect(await titles(null, 200)).toEqual(['public'])
  })

  it('name the thesis to its owner alone', async () => {
    const { edges: own } = await edges.edges('usr_own', null)
    expect(own.map(({ ownThesisId, isPrivate }) => [ownThesisId, isPrivate])).toEqual([
      ['private', true],
      ['paused', true],
      ['later', true],
      [null, false],
    ])
  })
})
