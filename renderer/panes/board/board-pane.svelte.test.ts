import '../../testing/set-up-page.ts'
import { screen, within } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { AT, card, pass, setUp, three, titles } from '../../testing/board-under-test.svelte.ts'
import { panel } from '../../testing/panels.ts'

describe('the board', () => {
  // [terminal.board.cards]
  it('shows each panel with its number, title, values, cadence and age, and the tier', async () => {
    const screenPanel = panel('b', {
      kind: 'screen',
      status: 'paused',
      title: '<b>Coin</b> flips',
      spec: {
        version: 1,
        kind: 'screen',
        sources: ['latest_market_prices'],
        filters: { probability: { min: 0.4, max: 0.6 } },
        display: { visualization: 'stat' },
        schedule: { mode: 'interval', cadenceMinutes: 10 },
      },
    })
    await setUp([panel('a'), screenPanel])
    expect(screen.getByText('2 of 3 panels, 1 of 1 screens, refresh at least 5 min')).toBeTruthy()
    expect(titles()).toEqual(['1. Panel a', '2. <b>Coin</b> flips'])
    const first = within(card('1. Panel a'))
    expect(first.getByRole('rowheader', { name: 'Oil above 100?' })).toBeTruthy()
    expect(first.getByText('+5.0¢ ▲')).toBeTruthy()
    expect(first.getByText('manual')).toBeTruthy()
    expect(card('2. <b>Coin</b> flips').textContent).toContain('schedule paused · 40% to 60%')
    expect(document.querySelector('b b')).toBeNull()
  })

  it('offers to sign in, and sends no request when signed out [terminal.board.sign-in]', async () => {
    const { asks } = await setUp(three(), { isSignedIn: false })
    expect(screen.getByText(/to see your board/)).toBeTruthy()
    expect(asks()).toBe(0)
  })

  it('explains what to do when it is empty', async () => {
    const { press } = await setUp([])
    expect(screen.getByText('Your board has no panels yet.')).toBeTruthy()
    await press('n')
    expect(screen.getByRole('form', { name: 'New panel' })).toBeTruthy()
  })

  // [terminal.board.states]
  it('distinguishes waiting, failed and stale panels from fresh ones', async () => {
    const lastError = { at: AT, reason: 'panel_execution_timeout', message: '' }
    const gone = { payload: null, sourceClock: null, cacheState: 'miss' } as const
    await setUp([
      panel('a', { ...gone, executionStatus: 'pending' }),
      panel('b', { ...gone, executionStatus: 'error-miss', lastError }),
      panel('c', { cacheState: 'stale', executionStatus: 'error-stale', lastError }),
      panel('d', { sourceClock: { source: 'quotes', asOf: AT, ageSeconds: 999, stale: true } }),
    ])
    expect(card('1. Panel a').textContent).toContain('Computing for the first time')
    expect(card('2. Panel b').textContent).toContain('took longer than 15 s')
    expect(card('3. Panel c').textContent).toMatch(/longer than 15 s.*Showing the previous result/)
    expect(card('3. Panel c').textContent).toContain('+5.0¢')
    expect(card('4. Panel d').textContent).toContain('STALE')
    expect(card('4. Panel d').querySelector('.stale')).not.toBeNull()
    expect(card('3. Panel c').querySelector('.stale')).toBeNull()
  })

  // [terminal.board.schedule]
  it('polls when a panel is due, soon while one is pending, and not while it is hidden', async () => {
    const { asks, kept, pane } = await setUp([
      panel('a', { nextRunAt: '2026-11-20T10:00:09.000Z' }),
    ])
    const first = asks()
    await pass(8_000)
    expect(asks()).toBe(first)
    await pass(2_000)
    expect(asks()).toBe(first + 1)
    kept.set([panel('a', { payload: null, executionStatus: 'pending' })])
    await pass(32_000)
    const before = asks()
    await pass(10_000)
    expect(asks() - before).toBeGreaterThanOrEqual(4)
    pane.visible = false
    await pass(100)
    const hidden = asks()
    await pass(120_000)
    expect(asks()).toBe(hidden)
  })

  it('marks sample data', async () => {
    const { pane } = await setUp(three())
    expect(pane.sources.map(({ isOwn, isOfMarkets }) => [isOwn, isOfMarkets])).toEqual([
      [true, true],
    ])
  })
})
