import '../../testing/set-up-page.ts'
import { screen } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { because, card, PANELS, pass, setUp } from '../../testing/board-under-test.svelte.ts'
import { panel } from '../../testing/panels.ts'

describe('a manual run', () => {
  const button = (name = 'Run Panel a now') => screen.getByRole('button', { name })

  // [terminal.board.run]
  it('shows its cooldown as a ring, counted down to zero', async () => {
    const { press, sent, terminal } = await setUp([panel('a')])
    await press('u')
    await pass(1_000)
    expect(sent).toEqual([{ method: 'POST', path: `${PANELS}/a/run`, body: undefined }])
    const left = Number(button().dataset['cooldown'])
    expect(left).toBeGreaterThan(295)
    expect(button().getAttribute('title')).toMatch(/^Refresh again in (\d+ s|5 min) \(Free\)$/)
    await press('u')
    expect(sent).toHaveLength(1)
    expect(terminal.notice?.text).toMatch(/^Refresh again in/)
    await pass(100_000)
    expect(left - Number(button().dataset['cooldown'])).toBeGreaterThanOrEqual(99)
    await pass(201_000)
    expect(button().dataset['cooldown']).toBeUndefined()
  })

  it('that is refused counts down the time of the service', async () => {
    const { press, kept } = await setUp([panel('a')])
    kept.refusals.push(because(429, { reason: 'panel_refresh_cooldown', retryAfterSeconds: 42 }))
    await press('u')
    await pass(1_000)
    expect(Number(button().dataset['cooldown'])).toBeGreaterThanOrEqual(41)
    expect(card('1. Panel a').textContent).toContain('Run it again in 42 s.')
    await pass(43_000)
    expect(button().dataset['cooldown']).toBeUndefined()
  })

  it('that was refused as busy starts no cooldown', async () => {
    const { press, kept } = await setUp([panel('a')])
    kept.refusals.push(because(503, { reason: 'panel_execution_busy' }))
    await press('u')
    await pass(1_000)
    expect(button().dataset['cooldown']).toBeUndefined()
    expect(card('1. Panel a').textContent).toContain('Too many panels are running')
  })

  it('of another window is shown by the board', async () => {
    const { terminal } = await setUp([])
    const until = new Date(terminal.live.clock.machine() + 60_000).toISOString()
    document.body.replaceChildren()
    await setUp([panel('a', { cooldownUntil: until })])
    expect(Number(button().dataset['cooldown'])).toBeGreaterThan(55)
  })
})
