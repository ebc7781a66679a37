import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dossier } from '../contract/inspect.ts'
import type { PositionPage } from '../contract/portfolio.ts'
import type { WorldSnapshot } from '../contract/world.ts'
import { MINUTE, type Millis } from '../domain/units.ts'
import { bind, type BoundAddress } from '../http/server.ts'
import { isoOf } from '../lib/clock.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'
import { BUY, OPEN_LIMITS } from '../testing/trading-service.ts'

const PASSWORD = 'a password of twelve'
/** Markets that ann orders; some refuse. */
const TRIED = 6

describe('positions in agent reads', () => {
  let demo: DemoService
  let bound: BoundAddress
  let ann: string
  let ben: string
  let before: string

  const ask = async (path: string, key: string | null, method = 'GET', body?: object) => {
    const response = await fetch(bound.url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect([path, response.status < 300, text]).toEqual([path, true, text])
    return text
  }
  const read = async <T>(path: string, key: string | null) => JSON.parse(await ask(path, key)) as T
  const signUp = async (email: string): Promise<string> => {
    const created = await ask('/api/signup', null, 'POST', { email, password: PASSWORD })
    return (JSON.parse(created) as { key: { key: string } }).key.key
  }
  const world = (key: string | null, query = '') =>
    read<WorldSnapshot>(`/api/agent/world?format=json${query}`, key)
  const dossier = (ticker: string, key: string | null, query = '') =>
    read<Dossier>(`/api/agent/inspect/${ticker}?trend=0${query}`, key)
  const positions = async (key: string) =>
    (await read<PositionPage>('/api/portfolio/positions?status=open', key)).data

  /** A market that ann holds. */
  let held: string

  beforeAll(async () => {
    demo = await startDemoService({ seed: 5, markets: 120, start: '2026-11-20T14:02:00.000Z' })
    bound = await bind({ host: '127.0.0.1', port: 0 })
    demo.service.serveOn(bound, 'launch-secret-of-the-demo')
    ann = await signUp('ann@example.test')
    ben = await signUp('ben@example.test')
    before = isoOf((demo.clock.now() - MINUTE) as Millis)
    await ask('/api/portfolio/config', ann, 'PUT', { ...OPEN_LIMITS, excludeCategories: [] })
    const quoted = demo.service.data.board
      .live()
      .list(new Set(['active'] as const))
      .filter(({ bestAsk, tau }) => bestAsk !== null && tau !== null)
      .map(({ facts }) => facts.ticker)
    for (const marketId of quoted.slice(0, TRIED)) {
      // Dossiers of everybody are cached now.
      await Promise.all([ann, ben, null].map((key) => dossier(marketId, key)))
      const intent = { ...BUY, marketId, maxPrice: null, targetQuantity: 2 }
      await ask('/api/intents', ann, 'POST', intent)
    }
    await demo.service.intentsSettled()
    const open = (await positions(ann)).map(({ marketId }) => marketId)
    held = quoted.find((ticker) => open.includes(ticker)) ?? ''
    expect(held).not.toBe('')
  })
  afterAll(async () => {
    await bound.close(0)
    await demo.stop()
  })

  // [inspect.dossier.own-position]
  it('show the position of the asking user in a dossier, and nobody else’s', async () => {
    const [own] = (await positions(ann)).filter(({ marketId }) => marketId === held)
    for (let round = 0; round < 2; round += 1) {
      const seen = await dossier(held, ann)
      expect(seen.position).toEqual({
        ticker: held,
        venue: own?.venue,
        title: own?.marketTitle,
        direction: own?.direction,
        quantity: own?.quantity,
        avgPrice: own?.avgPriceCents,
        price: own?.currentPriceCents,
        unrealizedPnlCents: own?.unrealizedPnlCents,
        thesisId: null,
      })
      expect((await dossier(held, ben)).position).toBeNull()
      expect(await dossier(held, null)).not.toHaveProperty('position')
    }
    const text = await ask(`/api/agent/inspect/${held}?format=markdown`, ann)
    expect(text).toMatch(/^Position: \d+ yes, /m)
    for (const key of [ben, null]) {
      const other = await ask(`/api/agent/inspect/${held}?format=markdown`, key)
      expect(other).not.toContain('Position:')
    }
  })

  it('show a fill at once', async () => {
    const quantity = async () => (await dossier(held, ann)).position?.quantity ?? 0
    const [first] = [await quantity(), await world(ann)]
    const more = { ...BUY, marketId: held, maxPrice: null, targetQuantity: 1 }
    await ask('/api/intents', ann, 'POST', more)
    await demo.service.intentsSettled()
    expect(await quantity()).toBe(first + 1)
    const { portfolio } = await world(ann)
    expect(portfolio?.positions.find(({ ticker }) => ticker === held)?.quantity).toBe(first + 1)
  })

  // [inspect.dossier.position-as-of]
  it('know at a past instant only what was held then', async () => {
    expect((await dossier(held, ann, `&asOf=${before}`)).position).toBeNull()
    expect((await world(ann, `&asOf=${before}`)).portfolio?.positions).toEqual([])
  })

  // [world.snapshot.overlays]
  it('add the portfolio to the world of the asking user, and change nothing else', async () => {
    const [own, others, anonymous] = await Promise.all([world(ann), world(ben), world(null)])
    const open = await positions(ann)
    expect(open.length).toBeGreaterThan(0)
    expect(own.portfolio?.positions.map(({ ticker, quantity }) => [ticker, quantity])).toEqual(
      open.map(({ marketId, quantity }) => [marketId, quantity]),
    )
    const exposure = Object.values(own.portfolio?.exposureByCategory ?? {})
    const cost = open.reduce((sum, { costCents }) => sum + costCents, 0)
    expect(exposure.reduce((sum, cents) => sum + cents, 0)).toBe(cost)
    expect(others.portfolio).toEqual({ positions: [], exposureByCategory: {} })
    expect(anonymous).not.toHaveProperty('portfolio')
    expect(own.salient).toEqual(anonymous.salient)
    expect(await ask('/api/agent/world', ann)).toContain('## Portfolio')
    expect(await ask('/api/agent/world', ben)).not.toContain('## Portfolio')
  })
})
