import '../../testing/set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import MarketListPane from '../../panes/lists/MarketListPane.svelte'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import { MAX_WATCHED, Watchlist } from './watchlist.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)
const AT = '2026-11-20T10:00:00.000Z'

const keepOf = (items: Record<string, string> = {}) => ({
  items,
  getItem: (name: string) => items[name] ?? null,
  setItem: (name: string, text: string) => void (items[name] = text),
})

describe('the watchlist', () => {
  it('is stored, exported to a file and imported from one [terminal.watch.kept]', () => {
    const keep = keepOf()
    const list = new Watchlist(keep)
    list.add('KX', AT)
    expect(list.add('KX', AT).text).toBe('KX is already on the watchlist')
    list.add('0xab', AT)
    expect(new Watchlist(keep).all.map(({ ticker }) => ticker)).toEqual(['KX', '0xab'])
    const other = new Watchlist(keepOf())
    other.add('KX', AT)
    expect(other.importFile(list.file(AT)).text).toBe('Added 1 of 2 markets')
    expect(other.remove('KX').ok).toBe(true)
    expect(other.remove('KX')).toEqual({ ok: false, text: 'KX is not on the watchlist' })
  })

  it.each([
    ['{', 'not valid JSON'],
    ['{"kind":"augury-layouts","version":1}', 'no Augury watchlist'],
    ['{"kind":"augury-watchlist","version":3,"markets":[]}', 'has version 3'],
    ['{"kind":"augury-watchlist","version":1,"markets":[{"ticker":"<b>"}]}', 'has no market'],
  ])('refuses the file %s and is unchanged [terminal.watch.refused]', (text, message) => {
    const list = new Watchlist(keepOf())
    list.add('KX', AT)
    const { ok, text: sentence } = list.importFile(text)
    expect([ok, sentence.includes(message), sentence.endsWith('Nothing was changed')]).toEqual([
      false,
      true,
      true,
    ])
    expect(list.all).toHaveLength(1)
  })

  it.each([
    ['{"kind":"augury-watchlist","markets":[]}', 'The file has no version'],
    ['{"kind":"augury-watchlist","version":2,"markets":[]}', 'reads up to 1'],
    ['{"kind":"augury-watchlist","version":1,"markets":{}}', 'has no market'],
    ['{"kind":"augury-watchlist","version":1,"markets":[{"ticker":"A"},7]}', 'has no market'],
    ['{"kind":"augury-watchlist","version":1,"markets":[{"ticker":7}]}', 'has no market'],
    ['[]', 'no Augury watchlist'],
    ['null', 'no Augury watchlist'],
  ])('takes nothing of the file %s', (text, message) => {
    const list = new Watchlist(keepOf())
    const result = list.importFile(text)
    expect([result.ok, list.all]).toEqual([false, []])
    expect(result.text).toContain(message)
  })

  it('imports what fits, and reports the rest', () => {
    const stored: string[] = []
    const list = new Watchlist(keepOf())
    for (let count = 0; count < MAX_WATCHED - 1; count++) list.add(`K${count}`, AT)
    list.store = {
      refusal: () => null,
      onAdded: (ticker) => void stored.push(ticker),
      onRemoved: () => {},
    }
    const file = new Watchlist(keepOf())
    for (const ticker of ['K0', 'A', 'B', 'C']) file.add(ticker, AT)
    expect(list.importFile(file.file(AT))).toEqual({
      ok: true,
      text: 'Added 1 of 4 markets; 2 did not fit',
    })
    expect([list.all.length, list.has('A'), list.has('B'), stored]).toEqual([
      MAX_WATCHED,
      true,
      false,
      ['A'],
    ])
  })

  it('lists a market once that a file names twice', () => {
    const list = new Watchlist(keepOf())
    const markets = ['A', 'B', 'A'].map((ticker) => ({ ticker, addedAt: AT }))
    const text = JSON.stringify({ kind: 'augury-watchlist', version: 1, markets })
    expect(list.importFile(text).text).toBe('Added 2 of 2 markets')
    expect(list.all.map(({ ticker }) => ticker)).toEqual(['A', 'B'])
  })

  it('keeps times that are texts, and 100 markets of a stored list', () => {
    const rows = Array.from({ length: 101 }, (_, at) => ({ ticker: `K${at}`, addedAt: at }))
    const text = JSON.stringify({ version: 1, markets: rows, owner: 'ann' })
    const list = new Watchlist(keepOf({ 'augury.watchlist': text }))
    expect([list.all.length, list.all[0], list.owner]).toEqual([
      100,
      { ticker: 'K0', addedAt: '' },
      'ann',
    ])
    const damaged = JSON.stringify({ version: 1, markets: [{ ticker: '' }], owner: 7 })
    const none = new Watchlist(keepOf({ 'augury.watchlist': damaged }))
    expect([none.all, none.owner, none.problem]).toEqual([[], null, 'unreadable'])
    list.replace(
      rows.map(({ ticker }) => ({ ticker, addedAt: AT })),
      'bob',
    )
    expect([list.all.length, list.owner]).toEqual([100, 'bob'])
  })

  it('is the user’s until it changes without the account', () => {
    const keep = keepOf()
    const list = new Watchlist(keep)
    list.replace([{ ticker: 'KX', addedAt: AT }], 'ann')
    const removed: string[] = []
    list.store = {
      refusal: (ticker) => (ticker === 'KX' ? 'An alert keeps it' : null),
      onAdded: () => {},
      onRemoved: (ticker) => void removed.push(ticker),
    }
    list.add('KY', AT)
    expect(list.remove('KX')).toEqual({ ok: false, text: 'An alert keeps it' })
    expect([list.remove('KY').ok, removed, list.owner]).toEqual([true, ['KY'], 'ann'])
    const other = new Watchlist(keep)
    list.store = null
    list.add('KZ', AT)
    expect([list.owner, other.owner]).toEqual([null, 'ann'])
    other.reload()
    expect([other.owner, other.has('KZ')]).toEqual([null, true])
    keep.setItem('augury.watchlist', '{')
    other.reload()
    expect(other.has('KZ')).toBe(true)
  })

  it('has as many entries as one request may name', () => {
    const list = new Watchlist(keepOf())
    for (let count = 0; count < MAX_WATCHED; count++) list.add(`K${count}`, AT)
    expect(list.add('ONE-MORE', AT)).toMatchObject({ ok: false })
    expect(list.all).toHaveLength(MAX_WATCHED)
  })

  it('sets aside the data of a later version', () => {
    const keep = keepOf({ 'augury.watchlist': '{"version":2}' })
    expect(new Watchlist(keep).problem).toBe('newer')
    expect(keep.items['augury.watchlist.aside']).toBe('{"version":2}')
  })
})

it('rows are watched with w and listed with ended ones [terminal.watch.rows]', async () => {
  const list = { markets: [marketRow()], count: 1, total: 1, nextCursor: null, hasMore: false }
  const { service, terminal, paneOf, requested, stop } = pageUnderTest((path) =>
    path.includes('/markets') ? { ...list, generatedAt: AT } : null,
  )
  service.topics.set('ticker:KX', {
    epoch: 'e',
    seq: 1,
    changes: [],
    data: tickerData(),
  })
  const scan = paneOf('SCAN')
  render(MarketListPane, { terminal, pane: scan })
  await pass(1_000)
  const press = (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    terminal.keys.handle(event, [`pane:${scan.id}`])
  }
  press('j')
  press('w')
  expect(terminal.notice?.text).toBe('KX added to the watchlist. WATCH lists it')
  terminal.run('$GONE-1 WATCH')
  render(MarketListPane, { terminal, pane: paneOf('WATCH') })
  await pass(1_000)
  expect(requested.some((path) => path.includes('tickers=KX%2CGONE-1'))).toBe(true)
  expect(screen.getByRole('button', { name: 'GONE-1' })).toBeTruthy()
  press('w')
  expect(terminal.watchlist.all.map(({ ticker }) => ticker)).toEqual(['GONE-1'])
  stop()
})
