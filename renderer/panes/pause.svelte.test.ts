import '../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import StatusLine from '../shell/window/StatusLine.svelte'
import { pageUnderTest } from '../testing/page-under-test.ts'
import { marketRow, tickerData } from '../testing/rows.ts'
import MarketListPane from './lists/MarketListPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const later = (seconds: number) => Date.parse(AT) + seconds * 1_000
const list = { markets: [marketRow()], count: 1, total: 1, nextCursor: null, hasMore: false }
const answers = (path: string): object | null =>
  path.includes('/markets') ? { ...list, generatedAt: AT } : null
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent)

async function setUp() {
  const page = pageUnderTest(answers)
  page.service.topics.set('ticker:KX', {
    epoch: 'e',
    seq: 1,
    changes: [],
    data: tickerData({ ts: later(1) }),
  })
  const pane = page.paneOf('SCAN')
  render(MarketListPane, { terminal: page.terminal, pane })
  render(StatusLine, { terminal: page.terminal })
  await pass(1_000)
  return { ...page, pane }
}

describe('a paused pane', () => {
  it('keeps its values, shows that it is paused, and catches up afterwards [terminal.window.pause]', async () => {
    const { terminal, service, pane, stop } = await setUp()
    terminal.run('PAUSE')
    await pass(40)
    service.change('ticker:KX', { lastPrice: 0.505, ts: later(2) })
    await pass(40)
    expect(cells()).toContain('50.0¢')
    expect(terminal.pausing.isPaused(pane)).toBe(true)
    expect(screen.getByText('‖ 1 paused')).toBeTruthy()
    terminal.run('PAUSE')
    await pass(40)
    expect(cells()).toContain('50.5¢')
    expect(screen.queryByText(/paused$/)).toBeNull()
    stop()
  })

  it('sends no request, but refreshes on demand', async () => {
    const { terminal, pane, requested, stop } = await setUp()
    terminal.pausing.toggle(pane)
    await pass(40)
    const before = requested.filter((path) => path.includes('/markets')).length
    await pass(300_000)
    expect(requested.filter((path) => path.includes('/markets'))).toHaveLength(before)
    // Its age grows meanwhile, because nothing confirms its content.
    expect(pane.sources.map(({ streamedAt }) => streamedAt)).toEqual([null])
    terminal.refresh(pane)
    await pass(40)
    expect(requested.filter((path) => path.includes('/markets'))).toHaveLength(before + 1)
    terminal.pausing.toggle(pane)
    await pass(40)
    expect(terminal.pausing.count).toBe(0)
    stop()
  })

  it('that opens while all are paused shows its first response', async () => {
    const { terminal, paneOf, stop } = await setUp()
    terminal.run('PAUSE on')
    const other = paneOf('iran SCAN')
    render(MarketListPane, { terminal, pane: other })
    await pass(1_000)
    expect(other.sources[0]?.body).not.toBeNull()
    expect(terminal.pausing.count).toBe(2)
    stop()
  })
})
