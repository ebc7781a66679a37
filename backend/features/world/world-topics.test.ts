import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { marketView } from '../../testing/builders.ts'
import { marketQuantities } from '../../testing/snapshot-builders.ts'
import { reading, worldApp } from '../../testing/world-app.ts'

const STEP = 300_000
const oil = marketQuantities({
  view: marketView({
    topics: ['oil'],
    liquidityScore: 'high',
    facts: { ticker: 'KXOIL', seriesId: 'KXOIL', seriesTitle: 'Oil' },
  }),
  surprise: { vr: 3, expectedVr: 0, residualVr: 3 },
})

async function startedWorld() {
  const app = worldApp({ markets: [oil] })
  const { topics } = app.feature
  const step = async (disagreement: number) => {
    const known = reading({ disagreement })
    app.state.snapshot = {
      ...app.state.snapshot,
      indices: new Map([
        ['', known],
        ['oil', known],
      ]),
    }
    const { world } = await app.build()
    await app.clock.advance(STEP)
    return world.at
  }
  return { ...app, topics, step }
}

// [data-service.socket.world]
describe('the world as topics', () => {
  it('are unknown before the first snapshot; then all except unknown words can be followed', async () => {
    const { topics, step } = await startedWorld()
    expect(topics.knows('')).toBe(false)
    await expect(topics.latest('')).rejects.toThrow('The first world snapshot is being computed')
    await step(40)
    const known = ['', 'oil', 'energy/oil', 'kxoil', 'oil/kxoil', 'nothing', 'oil/nothing']
    expect(known.map((path) => topics.knows(path))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it('send a snapshot, then a delta with the whole new list of items', async () => {
    const { topics, step } = await startedWorld()
    const from = await step(40)
    const first = await topics.latest('oil')
    expect(first).toMatchObject({
      at: from,
      data: { op: 'snapshot', region: { path: ['oil'] }, salient: [{ type: 'residual' }] },
    })
    expect(first.data).not.toHaveProperty('nextActions')
    const to = await step(45)
    await topics.latest('oil')
    expect(topics.deltaBetween('oil', from, to)).toMatchObject({
      changes: [{ kind: 'gauge', before: 40, after: 45 }],
      markdown: expect.stringContaining('# Delta 14:05 → 14:10 UTC') as string,
      salient: [{ type: 'residual' }],
    })
    expect(topics.deltaBetween('', from, to)).toBeNull()
  })

  it('merge several steps for a slow reader, as far as they are stored', async () => {
    const { topics, step } = await startedWorld()
    const at: Millis[] = []
    for (let i = 0; i < 6; i++) {
      at.push(await step(40 + i))
      await topics.latest('')
    }
    const span = (i: number, j: number) =>
      topics.deltaBetween('', at[i] ?? (0 as Millis), at[j] ?? (0 as Millis))
    expect(span(1, 4)).toMatchObject({ changes: [{ before: 41, after: 44 }] })
    expect(span(2, 5)).toMatchObject({ changes: [{ before: 42, after: 45 }] })
    expect(span(0, 5)).toBeNull()
  })

  it('are published once they are stored', async () => {
    const { topics, step } = await startedWorld()
    const received: Millis[] = []
    const stop = topics.onStored((at) => received.push(at))
    const first = await step(40)
    stop()
    await step(41)
    expect(received).toEqual([first])
  })
})
