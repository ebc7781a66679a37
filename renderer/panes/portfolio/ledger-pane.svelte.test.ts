import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import * as queries from '../../api/portfolio-queries.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { AT, OWNER, renderSignedIn } from '../../testing/signed-in.svelte.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import LedgerPane from './LedgerPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const entry = (n: number) => ({
  id: `ple_${n}`,
  eventType: 'fill',
  occurredAt: AT,
  marketId: 'KX',
  marketTitle: `Market ${n}`,
  action: 'buy',
  direction: 'yes',
  quantity: 10,
  priceCents: 44,
  cashDeltaCents: -457,
  feeCents: 17,
  realizedPnlCents: null,
  result: null,
  note: null,
  source: 'import_venue_a',
  payload: {},
})
const pageOf = (rows: readonly number[], nextCursor: string | null) => ({
  data: rows.map(entry),
  pageInfo: { limit: 200, nextCursor, hasMore: nextCursor !== null },
})

async function show(pages: Readonly<Record<string, object>>, writes?: Writes) {
  const shown = { ...pages }
  const page = pageUnderTest((path) => {
    if (path.startsWith('/api/auth/me')) return OWNER
    if (!path.startsWith('/api/portfolio/ledger')) return null
    const cursor = new URLSearchParams(path.split('?')[1]).get('cursor') ?? ''
    return shown[cursor] ?? refused(400, 'VALIDATION_ERROR', 'cursor is invalid')
  }, writes)
  const pane = page.paneOf('LEDG')
  await renderSignedIn(LedgerPane, page.terminal, pane)
  const press = (key: string) =>
    page.terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
  return { ...page, pane, shown, press }
}
const titles = () =>
  screen
    .getAllByRole('gridcell')
    .map(({ textContent }) => textContent.trim())
    .filter((text) => text.startsWith('Market '))

describe('older entries of the ledger [terminal.portfolio.ledger-pages]', () => {
  it('follow the newest ones, which stay current, and are exported with them', async () => {
    const { press, pane, shown, requested } = await show({
      '': pageOf([5, 4], 'c1'),
      c1: pageOf([3, 2], 'c2'),
      c2: pageOf([1], null),
    })
    expect(titles()).toEqual(['Market 5', 'Market 4'])
    press('m')
    await pass(50)
    expect(titles()).toEqual(['Market 5', 'Market 4', 'Market 3', 'Market 2'])
    shown[''] = pageOf([6, 5], 'c0')
    await pass(11_000)
    expect(titles()).toEqual(['Market 6', 'Market 5', 'Market 4', 'Market 3', 'Market 2'])
    await fireEvent.click(screen.getByRole('button', { name: 'Load older' }))
    await pass(50)
    expect(titles().at(-1)).toBe('Market 1')
    expect(requested.filter((path) => path.includes('cursor'))).toEqual([
      '/api/portfolio/ledger?limit=200&cursor=c1',
      '/api/portfolio/ledger?limit=200&cursor=c2',
    ])
    expect(screen.queryByRole('button', { name: 'Load older' })).toBeNull()
    expect(pane.visibleRows?.()).toHaveLength(6)
    // More entries than a page arrived: those between are not known, so the older ones are dropped.
    shown[''] = pageOf([90, 89], 'c9')
    await pass(11_000)
    expect(titles()).toEqual(['Market 90', 'Market 89'])
  })

  it('are counted beside the title, and forgotten with the pane', async () => {
    const { press, pane, terminal } = await show({
      '': pageOf([2], 'c1'),
      c1: pageOf([1], null),
    })
    expect(pane.note).toBe('1+')
    expect(screen.getByText('The newest 1')).toBeTruthy()
    press('m')
    await pass(50)
    expect(pane.note).toBe('2')
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    for (const key of ['Home', 'Enter']) press(key)
    expect(open.mock.calls).toEqual([[pane, 'KX', null]])
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('are loaded one page at a time', async () => {
    const { press, terminal } = await show({ '': pageOf([2], 'c1') })
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    const read = vi.spyOn(terminal.live, 'read').mockReturnValue(running)
    press('m')
    press('m')
    await pass(50)
    expect(read).toHaveBeenCalledTimes(1)
    const signal = read.mock.calls[0]?.[1]
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Loading…' }).disabled).toBe(true)
    expect(signal?.aborted).toBe(false)
    cleanup()
    expect(signal?.aborted).toBe(true)
    end({ ok: true, body: pageOf([1], null) })
    await pass(50)
  })

  it('of live trading name their account', async () => {
    const live = { ...entry(2), mode: 'live', marketTitle: null, marketId: null }
    const { terminal, press } = await show({
      '': { ...pageOf([], null), data: [live, { ...entry(1), mode: 'paper' }] },
    })
    const cells = screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
    expect(cells.slice(1, 3)).toEqual(['LIVE', '–'])
    // An entry without a market opens none.
    const open = vi.spyOn(terminal, 'openMarket').mockReturnValue()
    for (const key of ['Home', 'Enter']) press(key)
    expect(open).not.toHaveBeenCalled()
    expect(await tableColumns()).toBe(
      'Time | Mode | Market | Entry | Cash, right | Fee, right, hides 2 | Realised, right, hides 1 | Source, hides 3',
    )
  })

  it('explain how to add some when there are none', async () => {
    const { pane } = await show({ '': pageOf([], null) })
    expect(screen.getByText(/^No entries yet\. Paper trades appear here/)).toBeTruthy()
    expect(pane.note).toBe('')
  })

  it('that cannot be read are reported', async () => {
    const { press, terminal } = await show({ '': pageOf([2], 'gone') })
    press('m')
    await pass(50)
    expect(terminal.notice).toEqual({ tone: 'error', text: 'Cursor is invalid.' })
    expect(titles()).toEqual(['Market 2'])
  })
})

const CSV = [
  'fill_id,ticker,action,side,count,yes_price,created_time',
  'f1,KXA,buy,yes,10,44,2026-11-10T15:00:00Z',
  'f2,KXA,sell,yes,10,55,2026-11-11T15:00:00Z',
].join('\n')

/** Drops a file with this content onto the pane. */
async function drop(content: string): Promise<void> {
  const file = { size: content.length, text: () => Promise.resolve(content) }
  const dataTransfer = { types: ['Files'], files: [file] }
  await fireEvent.drop(screen.getByRole('group', { name: 'Ledger entries' }), { dataTransfer })
  await pass(100)
}

describe('a file of an exchange [terminal.portfolio.import]', () => {
  const rows = [
    { fill_id: 'f1', ticker: 'KXA', action: 'buy', side: 'yes', count_fp: '10' },
    { fill_id: 'f2', ticker: 'KXA', action: 'sell', side: 'yes', count_fp: '10' },
  ]
  const answer = (dryRun: boolean, inserted: number) => ({
    ok: true as const,
    body: {
      ok: true,
      dryRun,
      source: 'import_venue_a',
      received: { fills: 2, settlements: 0 },
      inserted: { fills: inserted, settlements: 0 },
      duplicates: { fills: 1 - inserted, settlements: 0 },
      errors: [{ kind: 'fill', index: 1, reason: 'price must be above 0' }],
    },
  })
  const writes: Writes = ({ body }) => answer((body as { dryRun: boolean }).dryRun, 1)

  it('is checked first, and stored after a confirmation', async () => {
    const { sent, terminal } = await show({ '': pageOf([1], null) }, writes)
    await drop(CSV)
    const strip = screen.getByRole('alertdialog', { name: 'Import 1 row' })
    expect(strip.textContent).toContain(
      'Kalshi: 1 fill and 0 settlements to add, 0 rows known, 1 line not imported. Nothing is stored yet.',
    )
    expect(document.activeElement?.textContent).toBe('Import 1 row')
    const lines = within(screen.getByRole('region', { name: 'Lines that are not imported' }))
    expect(lines.getByRole('listitem').textContent).toBe('Line 3 price must be above 0')
    await fireEvent.click(within(strip).getByRole('button', { name: 'Import 1 row' }))
    await pass(100)
    expect(sent.map(({ path, body }) => [path, body])).toEqual(
      [true, false].map((dryRun) => [
        '/api/portfolio/ledger/import/venue_a',
        { fills: rows.map((row): unknown => expect.objectContaining(row)), dryRun },
      ]),
    )
    expect(terminal.notice?.text).toBe(
      'Kalshi: 1 fill and 0 settlements added, 0 rows known, 1 line not imported',
    )
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.queryByRole('region')).toBeNull()
  })

  it('renews what it changes, and moves the focus to the rows', async () => {
    const { requested, terminal } = await show({ '': pageOf([1], 'c1') }, writes)
    const { live } = terminal
    const stops = [queries.risk, queries.positions('open')].map((query) =>
      live.subscribe(live.source(query as typeof queries.risk)),
    )
    await drop(CSV)
    requested.length = 0
    const strip = within(screen.getByRole('alertdialog'))
    await fireEvent.click(strip.getByRole('button', { name: 'Import 1 row' }))
    await pass(100)
    for (const part of ['/ledger', '/risk', '/positions?status=open'])
      expect(
        requested.filter((path) => path.includes(part)),
        part,
      ).toHaveLength(1)
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    for (const stop of stops) stop()
  })

  it('that is not imported leaves the focus on the rows', async () => {
    const { sent } = await show({ '': pageOf([1], null) }, writes)
    await drop(CSV)
    const strip = within(screen.getByRole('alertdialog'))
    await fireEvent.click(strip.getByRole('button', { name: 'Cancel' }))
    await pass(50)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('grid'))
    expect(sent).toHaveLength(1)
  })

  it('is marked while it is over the pane, and only one is taken', async () => {
    const { sent, terminal } = await show({ '': pageOf([1], null) }, writes)
    const host = screen.getByRole('group', { name: 'Ledger entries' })
    const transfer = (types: readonly string[], files: readonly object[] = []) => ({
      dataTransfer: { types, files },
    })
    expect(await fireEvent.dragOver(host, transfer(['text/plain']))).toBe(true)
    expect(host.classList.contains('over')).toBe(false)
    // A drop is only possible where the event is prevented.
    expect(await fireEvent.dragOver(host, transfer(['Files']))).toBe(false)
    expect(host.classList.contains('over')).toBe(true)
    await fireEvent.dragLeave(host)
    expect(host.classList.contains('over')).toBe(false)
    await fireEvent.dragOver(host, transfer(['Files']))
    const outside = vi.fn()
    document.addEventListener('drop', outside)
    expect(await fireEvent.drop(host, transfer(['text/plain']))).toBe(true)
    expect(outside).toHaveBeenCalledTimes(1)
    expect(await fireEvent.drop(host, transfer(['Files'], [{}, {}]))).toBe(false)
    expect(outside).toHaveBeenCalledTimes(1)
    document.removeEventListener('drop', outside)
    expect(host.classList.contains('over')).toBe(false)
    expect(terminal.notice).toEqual({ tone: 'error', text: 'Drop one file at a time' })
    expect(await fireEvent.drop(host, transfer(['Files']))).toBe(false)
    expect(sent).toEqual([])
  })

  it('is chosen with a key, and larger than 20 MB is not read', async () => {
    const { press, sent } = await show({ '': pageOf([1], null) }, writes)
    const text = vi.fn(() => Promise.resolve(CSV))
    let size = 20_000_001
    const choose = vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (
      this: HTMLInputElement,
    ) {
      Object.defineProperty(this, 'files', { value: [{ size, text }] })
      this.dispatchEvent(new Event('change'))
    })
    press('i')
    await pass(50)
    expect(screen.getByRole('alert').textContent).toBe('The file is larger than 20 MB')
    expect([text.mock.calls, sent]).toEqual([[], []])
    size = 20_000_000
    press('i')
    await pass(100)
    expect(sent).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
    choose.mockRestore()
  })

  it('lists the first 50 lines that are not imported, and counts the rest', async () => {
    const errors = Array.from({ length: 52 }, (_, index) => ({
      kind: 'fill',
      index,
      reason: 'side is required',
    }))
    await show({ '': pageOf([1], null) }, () => {
      const { ok, body } = answer(true, 1)
      return { ok, body: { ...body, errors } }
    })
    await drop(CSV)
    const lines = within(screen.getByRole('region', { name: 'Lines that are not imported' }))
    const items = lines.getAllByRole('listitem')
    expect(items).toHaveLength(51)
    expect(items.at(-1)?.textContent.trim()).toBe('2 more')
  })

  it('with nothing new has nothing to confirm', async () => {
    await show({ '': pageOf([1], null) }, () => answer(true, 0))
    await drop(CSV)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole('status').textContent).toMatch(/^Nothing to add\. Kalshi: 0 fills/)
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('status')).toBeNull()
    await pass(50)
    expect(document.activeElement).toBe(screen.getByRole('grid'))
  })

  it.each([
    ['a,b\n1,2\n', /^The columns fit no known export/],
    ['', 'The file is empty'],
  ])('that cannot be read is reported with the reason: %j', async (content, text) => {
    const { sent } = await show({ '': pageOf([1], null) }, writes)
    await drop(content)
    expect(screen.getByRole('alert').textContent).toMatch(text)
    expect(sent).toEqual([])
  })

  it('that the service rejects is reported and not stored', async () => {
    const { sent } = await show({ '': pageOf([1], null) }, () =>
      refused(413, null, 'Body too large'),
    )
    await drop(CSV)
    expect(screen.getByRole('alert').textContent).toBe('Body too large')
    expect(sent.every(({ body }) => (body as { dryRun: boolean }).dryRun)).toBe(true)
  })
})

describe('the account at Kalshi [terminal.portfolio.pull]', () => {
  const pulled = (dryRun: boolean) => ({
    ok: true as const,
    body: {
      ok: true,
      dryRun,
      source: 'import_venue_a',
      received: { fills: 3, settlements: 1 },
      inserted: { fills: 2, settlements: 1 },
      duplicates: { fills: 0, settlements: 0 },
      errors: [{ kind: 'fill', index: 2, reason: 'side is required' }],
      fetched: { fills: 3, settlements: 1 },
      truncated: !dryRun,
      tickId: 'pt_1',
    },
  })

  it('is checked first, and booked after a confirmation', async () => {
    const { sent, terminal, press } = await show({ '': pageOf([1], null) }, ({ body }) =>
      pulled((body as { dryRun: boolean }).dryRun),
    )
    press('p')
    await pass(100)
    const strip = screen.getByRole('alertdialog', { name: 'Import 3 rows' })
    expect(strip.textContent).toContain(
      'Kalshi: 2 fills and 1 settlement to add, 0 rows known, 1 line not imported. Nothing is stored yet.',
    )
    const lines = within(screen.getByRole('region', { name: 'Lines that are not imported' }))
    expect(lines.getByRole('listitem').textContent).toBe('Row 3 fill: side is required')
    await fireEvent.click(within(strip).getByRole('button', { name: 'Import 3 rows' }))
    await pass(100)
    expect(sent.map(({ path, body }) => [path, body])).toEqual(
      [true, false].map((dryRun) => ['/api/portfolio/ledger/import/venue_a/pull', { dryRun }]),
    )
    expect(terminal.notice?.text).toContain('read the account again for the rest')
  })

  it('a file that is dropped meanwhile is refused with the reason', async () => {
    const { press, terminal } = await show({ '': pageOf([1], null) })
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(new Promise(() => {}))
    press('p')
    await drop(CSV)
    expect(terminal.notice).toEqual({
      tone: 'error',
      text: 'Wait until the running import has ended',
    })
    expect(send).toHaveBeenCalledTimes(1)
  })

  it('is read once at a time, and the reading is shown', async () => {
    const { press, terminal } = await show({ '': pageOf([1], null) })
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    press('p')
    press('p')
    await pass(50)
    expect(send.mock.calls).toEqual([
      ['POST', '/api/portfolio/ledger/import/venue_a/pull', { dryRun: true }, 110_000],
    ])
    expect(screen.getByRole('status').textContent.trim()).toBe('Reading the account…')
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Read Kalshi account' })
    expect(button.disabled).toBe(true)
    end(pulled(true))
    await pass(50)
    expect(screen.queryByRole('status')).toBeNull()
    expect(button.disabled).toBe(false)
    // A second Enter while the rows are stored does not store them twice.
    const confirm = within(screen.getByRole('alertdialog')).getByRole<HTMLButtonElement>('button', {
      name: 'Import 3 rows',
    })
    send.mockReturnValue(new Promise(() => {}))
    confirm.click()
    confirm.click()
    await pass(50)
    expect(send).toHaveBeenCalledTimes(2)
    expect(confirm.disabled).toBe(true)
  })

  it.each([
    [409, 'no secrets found', 'No key of Kalshi is stored. Store it in SECRET first'],
    [
      502,
      'Kalshi limits the requests of this account (429); wait a minute and pull again',
      'Kalshi limits the requests of this account (429); wait a minute and pull again',
    ],
  ])('that cannot be read is reported with the cause: %i %s', async (status, message, text) => {
    await show({ '': pageOf([1], null) }, () => refused(status, null, message))
    await fireEvent.click(screen.getByRole('button', { name: 'Read Kalshi account' }))
    await pass(100)
    expect(screen.getByRole('alert').textContent).toBe(text)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
