import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { AT, OWNER, renderSignedIn } from '../../testing/signed-in.svelte.ts'
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

  it('with nothing new has nothing to confirm', async () => {
    await show({ '': pageOf([1], null) }, () => answer(true, 0))
    await drop(CSV)
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.getByRole('status').textContent).toMatch(/^Nothing to add\. Kalshi: 0 fills/)
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('status')).toBeNull()
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
