import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIERS, type Tier } from '../../domain/tiers.ts'
import {
  BOARD,
  every,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type MarketWatchService,
} from '../../testing/market-watch-service.ts'

describe('limits', () => {
  let service: MarketWatchService
  beforeAll(async () => {
    service = await marketWatchService()
  })
  afterAll(() => service.close())

  // [market-watch.tiers.table] [market-watch.reasons.panel-cap] [market-watch.reasons.screen-cap]
  // [market-watch.hydration.tier]
  it.each([
    ['free', 3, 1, 300, 300],
    ['hobby', 12, 5, 60, 60],
    ['pro', 50, 25, 15, 15],
    ['institutional', 200, 100, 5, 5],
  ] as const)('of %s: %i panels, %i screens', async (tier, panels, screens, floor, cooldown) => {
    const user = await service.user(tier)
    const upgrade = { url: `${service.url}/#settings/tier` }
    for (let i = 0; i < screens; i += 1) await user.add(screenSpec('alert_rules'))
    const screen = await user.send('POST', PANELS, { spec: screenSpec() })
    expect([screen.status, screen.body]).toEqual([
      403,
      {
        reason: 'market_watch_screen_panel_cap_exceeded',
        error: `Your tier allows ${screens} screens, and there are ${screens}`,
        cap: screens,
        current: screens,
        upgrade,
      },
    ])
    let last = ''
    for (let i = screens; i < panels; i += 1) last = await user.add(presetSpec())
    const panel = await user.send('POST', PANELS, { spec: presetSpec() })
    expect([panel.status, panel.body]).toEqual([
      403,
      {
        reason: 'market_watch_panel_cap_exceeded',
        error: `Your tier allows ${panels} panels, and there are ${panels}`,
        cap: panels,
        current: panels,
        upgrade,
      },
    ])
    // A panel that becomes a screen counts as one; an unchanged kind does not count again.
    const turned = await user.send('PATCH', `${PANELS}/${last}`, { spec: screenSpec() })
    expect([turned.status, turned.body['reason']]).toEqual([
      403,
      'market_watch_screen_panel_cap_exceeded',
    ])
    const { body } = await user.get(BOARD)
    expect(body['tier']).toEqual({
      panelCap: panels,
      screenPanelCap: screens,
      minRefreshSeconds: floor,
      manualRefreshCooldownSeconds: cooldown,
      currentPanelCount: panels,
      currentScreenPanelCount: screens,
      name: tier,
    })
    const own = body['panels'] as { id: string; kind: string; refreshFloorSeconds: number }[]
    expect(own.every(({ refreshFloorSeconds }) => refreshFloorSeconds === floor)).toBe(true)
    const first = own.find(({ kind }) => kind === 'screen')?.id ?? ''
    const like = await user.send('PATCH', `${PANELS}/${first}`, { spec: screenSpec() })
    expect(like.status).toBe(200)
  })

  // [market-watch.caps.parallel]
  it('hold for concurrent additions', async () => {
    const user = await service.user('hobby')
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        user.send('POST', PANELS, { spec: i % 2 === 0 ? presetSpec() : screenSpec() }),
      ),
    )
    const created = answers.filter(({ status }) => status === 201)
    expect(created).toHaveLength(12)
    const panels = await user.panels()
    expect(panels).toHaveLength(12)
    expect(panels.map((panel) => panel['sortIdx'])).toEqual([...Array(12).keys()])
    const screens = panels.filter((panel) => panel['kind'] === 'screen')
    expect(screens.length).toBeLessThanOrEqual(5)
  })

  // [market-watch.tiers.lowered]
  it('of a lower tier remove nothing, and apply to additions', async () => {
    const user = await service.user('hobby')
    for (let i = 0; i < 5; i += 1) await user.add(presetSpec('data_health', every(60)))
    await service.setTier(user, 'free')
    const panels = await user.panels()
    expect(panels).toHaveLength(5)
    expect(panels[0]).toMatchObject({ refreshFloorSeconds: 300 })
    const more = await user.send('POST', PANELS, { spec: presetSpec() })
    expect([more.status, more.body['cap'], more.body['current']]).toEqual([403, 3, 5])
    // Paused ones count too.
    for (const { id } of panels) await user.send('PATCH', `${PANELS}/${id}`, { status: 'paused' })
    expect((await user.send('POST', PANELS, { spec: presetSpec() })).status).toBe(403)
    for (const { id } of panels.slice(0, 3)) await user.send('DELETE', `${PANELS}/${id}`)
    expect((await user.send('POST', PANELS, { spec: presetSpec() })).status).toBe(201)
  })

  it('are those of the contract', () => {
    const tiers: readonly Tier[] = ['free', 'hobby', 'pro', 'institutional']
    expect(tiers.map((tier) => TIERS[tier].panelCap)).toEqual([3, 12, 50, 200])
  })
})
