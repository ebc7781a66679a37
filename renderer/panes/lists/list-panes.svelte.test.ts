import '../../testing/set-up-page.ts'
import { cleanup, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refused } from '../../testing/page-under-test.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import { cells, clickCell, column, press, shownPane } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import ChangesPane from './ChangesPane.svelte'
import MarketListPane from './MarketListPane.svelte'
import MarketName from './MarketName.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const row = (ticker: string, more: object = {}) =>
  marketRow({ ticker, title: `Will ${ticker}?`, ...more })
const page = (markets: readonly object[]) => ({
  markets,
  count: markets.length,
  total: markets.length,
  nextCursor: null,
  hasMore: false,
  generatedAt: AT,
})
/** A list of markets whose tickers are streamed. */
const listPane = (line: string, answers: (path: string) => object | null) =>
  shownPane(line, MarketListPane, answers, undefined, ({ topics }) => {
    for (const ticker of ['KX-1', 'KX-2', 'KX-3']) {
      const data = tickerData({ ticker })
      topics.set(`ticker:${ticker}`, { epoch: 'e', seq: 1, changes: [], data })
    }
    topics.set('movers:24h', { epoch: 'e', seq: 1, changes: [], data: { movers: [] } })
  })
const lists = (requested: readonly string[]) =>
  requested.filter((path) => path.includes('/markets') || path.includes('/newmarkets'))

describe('changes', () => {
  const change = (id: string, more: object = {}) => ({
    id,
    type: 'price_move',
    ticker: 'KX-1',
    venue: 'venue_a',
    title: 'Will KX-1?',
    before: 41,
    after: 44,
    delta: 3,
    at: '2026-11-20T09:05:00.000Z',
    ...more,
  })
  const changes = [
    change('a'),
    change('b', { type: 'status_change', ticker: 'KX-2', title: 'Will KX-2?', after: 'closed' }),
    change('c', { delta: -9, before: 50, after: 41 }),
  ]
  const body = (shown: readonly object[] = changes) => ({ changes: shown, from: AT, to: AT })

  it('of all markets are named and counted, and open their market', async () => {
    const { pane, keys, opened, requested, stop } = await shownPane('CHG', ChangesPane, () =>
      body(),
    )
    expect(requested.at(-1)).toMatch(/^\/api\/changes\?since=24h&limit=200$/)
    expect(pane.note).toBe('3')
    expect(cells().slice(0, 8)).toEqual([
      '09:05',
      'Will KX-1?KX-1',
      '+3.0¢▲',
      '41.0¢ → 44.0¢',
      '09:05',
      'Will KX-2?KX-2',
      'closed',
      '',
    ])
    await keys('Home', 'Enter', 'j', 'g')
    await clickCell('closed')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-2', 'GP'],
      [pane, 'KX-2', null],
    ])
    // Only moves have a size.
    await press('Change')
    expect(column(2)).toEqual(['+3.0¢▲', '−9.0¢▼', 'closed'])
    expect(await tableColumns()).toBe('Time | Market | ▼Change, right | From, to, right, hides 1')
    stop()
  })

  it('of one market have no name, and the date beside the time', async () => {
    const { requested, stop } = await shownPane('KX-1 CHG', ChangesPane, () => body())
    expect(requested.at(-1)).toContain('ticker=KX-1')
    expect(cells().slice(0, 3)).toEqual([expect.stringMatching(/09:05/), '+3.0¢▲', '41.0¢ → 44.0¢'])
    expect(cells()[0]).not.toBe('09:05')
    expect(await tableColumns()).toBe('Time | Change, right | From, to, right, hides 1')
    stop()
  })

  it('that are none offer a longer period', async () => {
    const { pane, stop } = await shownPane('CHG', ChangesPane, () => body([]))
    expect(pane.note).toBe('')
    await press('Look back 7 days')
    expect(pane.command.args['since']).toBe('7d')
    stop()
  })

  it('report why they are missing', async () => {
    const { requested, stop } = await shownPane('CHG', ChangesPane, () =>
      refused(503, null, 'busy'),
    )
    expect(screen.getByRole('alert').textContent).toContain('busy')
    const before = requested.length
    await press('Retry')
    await pass(50)
    expect(requested.length).toBeGreaterThan(before)
    stop()
  })
})

describe('lists of markets', () => {
  it('count their rows, and open and filter them', async () => {
    const { pane, keys, opened, prefilled, requested, stop } = await listPane('SCAN', () =>
      page([row('KX-1', { tauDays: 3 }), row('KX-2', { change24h: -4 })]),
    )
    expect(lists(requested)).toHaveLength(1)
    expect(pane.note).toBe('2')
    await keys('Home', 'Enter', 'b', 'f')
    await clickCell('Will KX-2?KX-2')
    expect(opened).toEqual([
      [pane, 'KX-1', 'DES'],
      [pane, 'KX-1', 'BOOK'],
      [pane, 'KX-2', null],
    ])
    expect(prefilled).toEqual([['SCAN ']])
    // By sign in a scan.
    await press('24h')
    expect(column(3)).toEqual(['+1.0¢▲', '−4.0¢▼'])
    stop()
  })

  it.each([
    [
      'SCAN price>20 vol24h>5',
      'No market matches. Remove vol24h>5',
      'Remove vol24h>5',
      'SCAN price>20',
    ],
    [
      'SCAN price>20 category="climate and weather"',
      'No market matches. Remove category="climate and weather"',
      'Remove category="climate and weather"',
      'SCAN price>20',
    ],
    ['NEW', 'No new markets in this period.', 'Show most traded', 'SCAN'],
    ['MOV', 'No traded market moved in 24 hours.', 'Show all movers', 'MOV -thin'],
    ['MOV -thin', 'No price changes in 24 hours.', 'Show most traded', 'SCAN'],
    ['SCAN', 'No market matches.', 'Show most traded', 'SCAN'],
  ])('%s without markets offers what helps', async (line, text, action, command) => {
    const { pane, ran, stop } = await listPane(line, () => page([]))
    expect(pane.note).toBe('')
    expect(screen.getByText(text)).toBeTruthy()
    await press(action)
    expect(ran.map(([run]) => run.trim())).toEqual([command])
    stop()
  })

  it('explain why nothing matches, in the words of the service', async () => {
    const { stop } = await listPane('SCAN', () => ({
      ...page([]),
      note: 'Nearest words: rain',
    }))
    expect(screen.getByText('Nearest words: rain')).toBeTruthy()
    stop()
  })

  it('of new markets show when each was first seen', async () => {
    const { requested, stop } = await listPane('NEW', () =>
      page([{ ...row('KX-1'), firstSeenAt: '2026-11-20T08:30:00.000Z' }, row('KX-2')]),
    )
    expect(lists(requested)).toEqual([expect.stringContaining('/api/public/newmarkets?since=24h')])
    expect(column(9)).toEqual([expect.stringMatching(/08:30/), '–'])
    stop()
  })

  it('of movers join both ends, and sort them by their size', async () => {
    const { requested, stop } = await listPane('MOV', (path) =>
      page(
        path.includes('order=desc')
          ? [row('KX-1', { change24h: 3 }), row('KX-2', { change24h: 0 })]
          : [row('KX-3', { change24h: -8 })],
      ),
    )
    expect(lists(requested)).toHaveLength(2)
    expect(column(3)).toEqual(['−8.0¢▼', '+3.0¢▲'])
    await press('24h')
    expect(column(3)).toEqual(['−8.0¢▼', '+3.0¢▲'])
    stop()
  })

  it('of movers are requested again once for a mover that they lack', async () => {
    const { service, requested, stop } = await listPane('MOV', () =>
      page([row('KX-1', { change24h: 3 })]),
    )
    const mover = (ticker: string, more: object = {}) => ({
      ticker,
      change: 0.1,
      changeAbs: 0.1,
      window: '24h',
      venue: 'venue_b',
      title: '',
      lastPrice: 0.6,
      volume24h: 9_000,
      closeTime: null,
      bestBid: null,
      bestAsk: null,
      ...more,
    })
    expect(service.followed).toContain('movers:24h')
    const before = lists(requested).length
    const report = async (...movers: readonly object[]) => {
      service.change('movers:24h', { movers })
      await pass(200)
      return lists(requested).length - before
    }
    expect(await report(mover('KX-1'))).toBe(0)
    // Hardly traded ones are not listed.
    expect(await report(mover('KX-1'), mover('KX-5', { volume24h: 0 }))).toBe(0)
    expect(await report(mover('KX-1'), mover('KX-9'))).toBe(2)
    expect(await report(mover('KX-9'), mover('KX-1'))).toBe(2)
    stop()
  })

  it.each(['MOV iran', 'SCAN', 'NEW'])(
    '%s does not follow the movers of all markets',
    async (line) => {
      const { service, stop } = await listPane(line, () => page([]))
      expect(service.followed).not.toContain('movers:24h')
      stop()
    },
  )

  it('follow the prices of the rows in view', async () => {
    const { service, stop } = await listPane('SCAN', () => page([row('KX-1'), row('KX-2')]))
    // Without a layout only the first row is in view.
    expect(service.followed.filter((name) => name.startsWith('ticker:'))).toEqual(['ticker:KX-1'])
    stop()
  })
})

describe('the watchlist', () => {
  it('is requested by its markets, and Delete removes the one under the cursor', async () => {
    const { terminal, pane, keys, ran, requested, stop } = await listPane('WATCH', () =>
      page([row('KX-1')]),
    )
    expect(screen.getByText(/^Your watchlist is empty/)).toBeTruthy()
    expect(lists(requested)).toEqual([])
    terminal.watchlist.add('KX-1', AT)
    terminal.watchlist.add('KX-9', AT)
    await pass(1_000)
    expect(lists(requested).at(-1)).toContain('tickers=KX-1%2CKX-9')
    expect(pane.note).toBe('1')
    expect(screen.getByText(/^No longer trading:/)).toBeTruthy()
    await press('KX-9')
    expect(ran).toEqual([['$KX-9 DES']])
    await keys('Home', 'Delete')
    expect(terminal.watchlist.has('KX-1')).toBe(false)
    expect(terminal.notice?.text).toBe('KX-1 removed from the watchlist')
    stop()
  })

  it('without an open market states that', async () => {
    const { terminal, stop } = await listPane('WATCH', () => page([]))
    terminal.watchlist.add('KX-9', AT)
    await pass(1_000)
    expect(screen.getByText('None of the watched markets is open.')).toBeTruthy()
    stop()
  })

  it('is requested often for its user while it is shown', async () => {
    for (const [line, visible, often] of [
      ['WATCH', true, 1],
      ['WATCH', false, 0],
      ['SCAN', true, 0],
    ] as const) {
      const { terminal, pane, stop } = await listPane('SCAN', () => page([]))
      const watch = vi.spyOn(terminal.watchlistSync, 'watchOften').mockReturnValue(() => {})
      pane.visible = visible
      pane.command = { ...pane.command, verb: line }
      await pass(50)
      expect(watch).toHaveBeenCalledTimes(often)
      stop()
      cleanup()
    }
  })

  it('Delete removes nothing in other lists', async () => {
    const { terminal, keys, stop } = await listPane('SCAN', () => page([row('KX-1')]))
    terminal.watchlist.add('KX-1', AT)
    await keys('Home', 'Delete')
    expect(terminal.watchlist.has('KX-1')).toBe(true)
    expect(screen.queryByText(/^No longer trading:/)).toBeNull()
    stop()
  })
})

describe('the name of a market', () => {
  const shown = (props: { title: string; ticker: string | null } & Record<string, unknown>) => {
    const { container } = render(MarketName, props)
    const name = container.querySelector<HTMLElement>('.name')
    return {
      title: name?.title,
      text: name?.textContent,
      isShort: name?.querySelector('.lead')?.classList.contains('short'),
    }
  }

  it.each([
    ['Twelve chars', true],
    ['Thirteen char', false],
  ])('“%s” has a lead that is cut last: %s', (title, isShort) => {
    expect(shown({ title, ticker: null })).toEqual({ title, text: title, isShort })
  })

  it('has its event and its ticker in the tooltip', () => {
    const named = { title: 'Dune?', ticker: 'KX-1', event: 'Best film?' }
    expect(shown(named).title).toBe('Best film?: Dune?\nKX-1')
    expect(shown({ ...named, event: 'Dune?' }).title).toBe('Dune?\nKX-1')
    expect(shown({ ...named, showsTicker: false }).title).toBe('Best film?: Dune?')
    expect(shown({ ...named, note: 'politics' }).title).toBe('Best film?: Dune?\npolitics')
  })
})
