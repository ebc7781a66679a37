import '../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BookData } from '../../backend/contract/socket.ts'
import { pageUnderTest } from '../testing/page-under-test.ts'
import { marketRow, tickerData } from '../testing/rows.ts'
import MarketListPane from './lists/MarketListPane.svelte'
import DepthPane from './market/DepthPane.svelte'
import HistoryPane from './market/HistoryPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const later = (seconds: number) => Date.parse(AT) + seconds * 1_000
const list = { markets: [marketRow()], count: 1, total: 1, nextCursor: null, hasMore: false }
const detail = {
  ...marketRow(),
  description: '',
  rulesUrl: null,
  expirationTime: null,
  tickSize: 1,
  exclusive: false,
  bidLevels: [{ price: 49, size: 7 }],
  askLevels: [],
  depthAt: AT,
  indicators: {},
  siblings: [],
  fetchedAt: AT,
}
const gap = { feed: 'trades', state: 'gap', from: AT, to: AT, reason: 'socket' }
const history = {
  ticker: 'KX',
  windowDays: 7,
  indicatorCount: 1,
  gaps: [gap],
  indicatorHistory: [{ at: AT, price: 50, delta: 1, iy: null, cri: null }],
}
const answers = (path: string): object | null => {
  if (path.includes('/history')) return history
  if (path.includes('/market/')) return detail
  return path.includes('/markets') ? { ...list, generatedAt: AT } : null
}
const cells = () => screen.getAllByRole('gridcell').map(({ textContent }) => textContent)

describe('a list of markets', () => {
  it('updates its rows from the stream, and polls rarely meanwhile', async () => {
    const { service, terminal, requested, paneOf, stop } = pageUnderTest(answers)
    service.topics.set('ticker:KX', {
      epoch: 'e',
      seq: 1,
      changes: [],
      data: tickerData({ ts: later(1) }),
    })
    render(MarketListPane, { terminal, pane: paneOf('SCAN') })
    await pass(1_000)
    expect(cells()).toContain('50.0¢')
    service.change('ticker:KX', { lastPrice: 0.505, ts: later(2) })
    await pass(40)
    expect(cells()).toContain('50.5¢')
    // A list without a topic is polled each 20 s.
    await pass(22_500)
    expect(requested).toHaveLength(1)
    service.isUp = false
    service.close(1006)
    await pass(25_000)
    expect(requested.length).toBeGreaterThan(1)
    stop()
  })

  it('shows the newer quote that another pane polled, and keeps its own against an older one', async () => {
    let polled = { ...detail, price: 51, change24h: 2, updatedAt: '2026-11-20T10:00:05.000Z' }
    const { service, terminal, paneOf, stop } = pageUnderTest((path) =>
      path.includes('/market/') ? polled : answers(path),
    )
    service.isUp = false
    const { container } = render(MarketListPane, { terminal, pane: paneOf('SCAN') })
    await pass(1_000)
    expect(cells()).toContain('50.0¢')
    render(DepthPane, { terminal, pane: paneOf('KX BOOK') })
    await pass(1_000)
    const listed = () => container.textContent
    expect(listed()).toContain('51.0¢')
    expect(listed()).toContain('+2.0')
    polled = { ...polled, price: 40, updatedAt: '2026-11-20T09:59:00.000Z' }
    await pass(11_000)
    expect(listed()).not.toContain('40.0¢')
    expect(listed()).toContain('51.0¢')
    stop()
  })

  it('keeps its own change over a day against a quote that is only equal', async () => {
    const { service, terminal, paneOf, stop } = pageUnderTest((path) =>
      path.includes('/market/') ? { ...detail, change24h: 9 } : answers(path),
    )
    service.isUp = false
    const { container } = render(MarketListPane, { terminal, pane: paneOf('SCAN') })
    render(DepthPane, { terminal, pane: paneOf('KX BOOK') })
    await pass(1_000)
    expect(container.textContent).toContain('50.0¢')
    expect(container.textContent).not.toContain('+9.0')
    stop()
  })
})

describe('the depth pane', () => {
  const book: BookData = { bids: [[0.48, 3]], asks: [[0.52, 4]], stale: false }

  it('draws the streamed book, marks it when nothing confirms it, and falls back to polling', async () => {
    const { service, terminal, paneOf, stop } = pageUnderTest(answers)
    const state = { epoch: 'e', seq: 1, changes: [], data: { ...book } }
    service.topics.set('book:KX', state)
    service.topics.set('ticker:KX', {
      epoch: 'e',
      seq: 1,
      changes: [],
      data: tickerData(),
    })
    const { container } = render(DepthPane, { terminal, pane: paneOf('KX BOOK') })
    await pass(1_000)
    expect(screen.getByText('live, 1 + 1 levels')).toBeTruthy()
    service.change('book:KX', { bids: [[0.48, 0]], asks: [], stale: true })
    await pass(40)
    expect(screen.getByText('stale: levels are not confirmed')).toBeTruthy()
    expect(container.querySelector('.depth.stale')).not.toBeNull()
    service.isUp = false
    service.close(1006)
    await pass(40)
    expect(screen.getByText(/^book \d+s, 5 best levels$/)).toBeTruthy()
    stop()
  })
})

it('the history shows its feed gaps and the change after one [terminal.live.gaps]', async () => {
  const { terminal, paneOf, stop } = pageUnderTest(answers)
  render(HistoryPane, { terminal, pane: paneOf('KX HIST') })
  await pass(1_000)
  expect(screen.getByText(/^1 feed gap in these seven days/)).toBeTruthy()
  expect(cells()).toContain('▨ feed gap')
  stop()
})
