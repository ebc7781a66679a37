import { describe, expect, it } from 'vitest'
import { json, startedWorld } from '../../testing/started-world.ts'
import { reading } from '../../testing/world-app.ts'

describe('/api/agent/world/{topic}', () => {
  // [world.topics.drill] [world.topics.keyword]
  it('narrows by topic, group, series and word', async () => {
    const { get } = await startedWorld()
    const region = async (path: string) => {
      const body = await json(await get(`/api/agent/world/${path}?format=json`))
      return [body['region']?.['label'], body['region']?.['keywords'], body['marketCount']]
    }
    expect(await region('iran')).toEqual(['Iran', [], 1])
    expect(await region('geopolitics/iran')).toEqual(['Iran', [], 1])
    expect(await region('Geopolitics')).toEqual(['Geopolitics', [], 1])
    expect(await region('energy/iran')).toEqual(['Iran', [], 0])
    expect(await region('ceasefire')).toEqual(['ceasefire', ['ceasefire'], 1])
    expect(await region('iran/hold-january')).toEqual(['hold january', ['hold-january'], 1])
    expect(await region('%D0%BC%D0%B8%D1%80')).toEqual(['мир', ['мир'], 0])
  })

  it('starts its text with the path to it', async () => {
    const { get } = await startedWorld()
    const text = await (await get('/api/agent/world/geopolitics/iran')).text()
    expect(text.split('\n')[0]).toBe('# World / Geopolitics / Iran (2026-11-20 14:05 UTC)')
  })

  // [world.topics.gauges]
  it('has gauges of its own, unknown ones as null', async () => {
    const indices = new Map([
      ['', reading({ disagreement: 42 })],
      ['iran', reading({ disagreement: 80, value: 61 })],
    ])
    const { get } = await startedWorld({ snapshot: { indices } })
    const index = async (path: string) =>
      (await json(await get(`/api/agent/world/${path}?format=json`)))['index']
    expect(await index('geopolitics/iran')).toMatchObject({ disagreement: 80, value: 61 })
    expect(await index('ceasefire')).toMatchObject({
      disagreement: null,
      geoRisk: null,
      breadth: null,
      activity: null,
      value: null,
    })
  })

  // [world.topics.limits]
  it('refuses long paths and operations that do not apply to a region', async () => {
    const { get } = await startedWorld()
    for (const path of ['a/b/c/d/e/f/g', 'x'.repeat(65)]) {
      const response = await get(`/api/agent/world/${path}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    for (const op of ['trail', 'explain']) {
      const response = await get(`/api/agent/world/iran?op=${op}&from=KXOIL-26DEC&item=s-000000`)
      expect(await response.json()).toEqual({
        error: 'op not available on a region',
        code: 'VALIDATION_ERROR',
      })
    }
    expect((await get('/api/agent/world/delta/iran?since=1h')).status).toBe(404)
    expect((await get('/api/agent/world/iran?focus=oil&compact=x&from=y')).status).toBe(200)
  })

  // [world.topics.unknown]
  it('is empty for a subject without markets', async () => {
    const { get } = await startedWorld()
    const body = await json(await get('/api/agent/world/zebra?format=json'))
    expect(body).toMatchObject({ salient: [], movers: [], marketCount: 0, childRegions: [] })
    expect(await (await get('/api/agent/world/zebra')).text()).toContain(
      'Nothing salient since the baseline.',
    )
  })
})
