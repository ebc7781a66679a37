import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import type { Dock } from '../dock/dock.ts'
import PaneGallery from '../gallery/PaneGallery.svelte'
import { PICTURES, pictureOf } from '../gallery/pane-pictures.ts'
import FocusMarket from './FocusMarket.svelte'
import { LinkGroups } from './link-groups.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)
const AT = '2026-11-20T10:00:00.000Z'

describe('the market of the focused link group', () => {
  const quoted = { ...marketRow({ title: 'Fed cuts?', price: 44, change24h: 2 }), quotes: [] }
  const shared = { generatedAt: AT, tickers: [quoted], markets: [quoted] }
  const market = { ...marketRow({ title: 'Own answer', price: 55 }), indicators: {}, fetchedAt: AT }

  async function show(quotes: object | null, isUp = false) {
    const page = pageUnderTest((path) =>
      path.includes('live-tickers') ? quotes : path.includes('/market/') ? market : null,
    )
    page.service.isUp = isUp
    const { terminal } = page
    const end = terminal.live.subscribe(terminal.health.quotes)
    await pass(1_000)
    const { container } = render(FocusMarket, { terminal })
    const text = () => container.textContent.replace(/\s+/g, ' ').trim()
    return { ...page, text, end, container }
  }

  it('is polled by itself outside the shared quotes, and opens its description', async () => {
    const { terminal, text, requested, end, container } = await show(null)
    expect(text()).toBe('')
    terminal.focusMarket('A', 'KX')
    await pass(1_000)
    expect(requested.some((path) => path.includes('/market/KX?'))).toBe(true)
    expect(text()).toContain('55.0¢')
    const button = screen.getByRole('button')
    expect(button.title).toBe('Own answer\nKX\nMarket of link group A')
    await fireEvent.click(button)
    expect(terminal.past).toEqual(['. DES'])
    // Another group has no market.
    const pane = terminal.newPane(
      { verb: 'MOV', subject: null, args: {}, filters: [], venue: null, flags: [], sink: null },
      'B',
    )
    terminal.focusedPane = pane.id
    await pass(100)
    expect(container.querySelector('button')).toBeNull()
    end()
  })

  it('is a shared quote while these are polled', async () => {
    const { terminal, text, requested, end } = await show(shared)
    terminal.focusMarket('A', 'KX')
    await pass(1_000)
    expect(text()).toContain('44.0¢')
    expect(text()).toContain('+2.0¢')
    expect(requested.some((path) => path.includes('/market/KX?'))).toBe(false)
    end()
  })

  it('follows its topic', async () => {
    const { terminal, service, text, end, stop } = await show(null, true)
    const data = tickerData({ bestBid: 0.7, bestAsk: 0.72, ts: Date.parse(AT) + 60_000 })
    service.topics.set('ticker:KX', { epoch: 'e', seq: 1, changes: [], data })
    terminal.focusMarket('A', 'KX')
    await pass(1_000)
    expect(service.followed).toContain('ticker:KX')
    expect(text()).toContain('70.0¢')
    end()
    stop()
  })
})

describe('the gallery of panes', () => {
  const shown: string[] = []
  beforeEach(() => {
    shown.length = 0
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true
        shown.push('open')
      },
      close: () => shown.push('close'),
    })
  })

  it('opens a pane, that of the market, or the bar for its words', async () => {
    const { terminal } = pageUnderTest(() => null)
    const { unmount } = render(PaneGallery, { terminal })
    expect(shown).toEqual(['open'])
    const choose = async (name: RegExp) => {
      terminal.galleryShown = true
      await fireEvent.click(screen.getByRole('button', { name }))
      expect(terminal.galleryShown).toBe(false)
    }
    await choose(/ MOV /)
    await choose(/ GP /)
    expect(terminal.past).toEqual(['MOV', '. GP'])
    expect([...terminal.panes.values()].every(({ isKept }) => isKept)).toBe(true)
    for (const verb of ['ASK', 'DISC', 'EXPLAIN', 'FEED']) {
      await choose(new RegExp(` ${verb} `))
      expect(terminal.prompt?.text).toBe(`${verb} `)
    }
    expect(terminal.past).toHaveLength(2)
    unmount()
    expect(shown).toEqual(['open', 'close'])
  })

  it('filters by name, title and help, and closes beside its content', async () => {
    const { terminal } = pageUnderTest(() => null)
    const { container } = render(PaneGallery, { terminal })
    const names = () =>
      [...container.querySelectorAll('li .mono')].map(({ textContent }) => textContent)
    const all = names().length
    expect(all).toBeGreaterThan(40)
    const filter = (value: string) =>
      fireEvent.input(screen.getByRole('searchbox'), { target: { value } })
    await filter(' BOOK ')
    expect(names()).toContain('BOOK')
    expect(names().length).toBeLessThan(all)
    await filter('zzzz')
    expect([names(), screen.getByText('No pane matches “zzzz”.')]).toEqual([[], expect.anything()])
    const dialog = container.querySelector('dialog')
    if (dialog === null) throw new Error('no dialog')
    terminal.galleryShown = true
    await fireEvent.click(screen.getByRole('searchbox'))
    expect(terminal.galleryShown).toBe(true)
    await fireEvent.click(dialog)
    expect(terminal.galleryShown).toBe(false)
    terminal.galleryShown = true
    await fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(terminal.galleryShown).toBe(false)
    const seen = vi.fn()
    document.body.addEventListener('keydown', seen)
    await fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'a' })
    expect(seen).not.toHaveBeenCalled()
    document.body.removeEventListener('keydown', seen)
  })

  it('has a picture of each kind', () => {
    expect([pictureOf('GP'), pictureOf('MOV'), pictureOf('SQL')]).toEqual([
      'candles',
      'list',
      'console',
    ])
    expect(Object.values(PICTURES).every((path) => path.startsWith('M'))).toBe(true)
  })
})

it('link groups store their markets, and know the previous one', () => {
  const kept = new Map<string, string>()
  const keep = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  }
  const groups = new LinkGroups(keep)
  groups.setTicker('A', 'KX1')
  groups.setTicker('A', 'KX2')
  groups.setTicker('A', 'KX2')
  expect([groups.markets.A, groups.previous.A]).toEqual(['KX2', 'KX1'])
  groups.setTicker('C', 'KX3')
  expect(new LinkGroups(keep).markets).toEqual({ A: 'KX2', B: null, C: 'KX3', D: null })
  kept.set('augury.links', JSON.stringify({ version: 1, A: 5, B: 'KXB' }))
  expect(new LinkGroups(keep).markets).toMatchObject({ A: null, B: 'KXB' })
})

describe('the state that the page shares', () => {
  const terminalOf = () => {
    const kept = new Map<string, string>()
    const keep = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
    }
    const { terminal, paneOf } = pageUnderTest(() => null, undefined, keep)
    const calls: string[] = []
    terminal.dock = {
      add: ({ id }: { id: string }) => calls.push(`add ${id}`),
      activate: (id: string) => calls.push(`activate ${id}`),
      describe: ({ id }: { id: string }) => calls.push(`describe ${id}`),
      order: () => [],
    } as unknown as Dock
    return { terminal, paneOf, calls, kept }
  }

  it('gives panes ids that are free, and relinks them one after another', () => {
    const { terminal, paneOf, calls } = terminalOf()
    const pane = paneOf('MOV')
    terminal.adopt('pane-2', pane.command, 'D')
    const next = terminal.open(pane.command)
    expect([pane.id, next.id, calls]).toEqual([
      'pane-1',
      'pane-3',
      ['add pane-3', 'activate pane-3'],
    ])
    calls.length = 0
    const links = ['B', 'C', 'D', 'A'].map(() => {
      terminal.relink(pane)
      return pane.link
    })
    expect(links).toEqual(['B', 'C', 'D', 'A'])
    terminal.setArguments(pane, { window: '1h' })
    terminal.replaceCommand(pane, next.command)
    expect(calls).toEqual(Array.from({ length: 6 }, () => 'describe pane-1'))
  })

  it('reads what another window stored', () => {
    const { terminal, kept } = terminalOf()
    const other = pageUnderTest(() => null, undefined, {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, text) => void kept.set(name, text),
    }).terminal
    other.watchlist.add('KX', AT)
    other.aliases.put('CALM', 'MOV')
    expect(terminal.watchlist.has('KX')).toBe(false)
    terminal.onStoredElsewhere('augury.watchlist')
    expect([terminal.watchlist.has('KX'), terminal.aliases.words.size]).toEqual([true, 0])
    terminal.onStoredElsewhere(null)
    expect(terminal.aliases.words.get('CALM')).toBe('MOV')
  })

  it('queues what is run before the panes are built', () => {
    const { terminal, paneOf } = terminalOf()
    const { command } = paneOf('CHG')
    terminal.panes.clear()
    const ready = terminal.awaitPanes()
    terminal.execute(command, true)
    terminal.goTo('3')
    expect([terminal.panes.size, terminal.workspace]).toEqual([0, 1])
    ready()
    expect([[...terminal.panes.values()].map(({ line }) => line), terminal.workspace]).toEqual([
      ['CHG'],
      3,
    ])
    terminal.execute(command, true)
    expect(terminal.panes.size).toBe(2)
  })

  it('remembers lines once, opens the market of a row, and prefills again', () => {
    const { terminal, paneOf } = terminalOf()
    const pane = paneOf('MOV')
    terminal.run('CHG')
    terminal.run(' CHG ')
    terminal.run('NEW')
    expect(terminal.past).toEqual(['CHG', 'NEW'])
    expect(terminal.run('"')?.message).toBe('Unclosed quote')
    expect(terminal.past).toHaveLength(2)
    const focused: string[] = []
    terminal.onfocus = (letter, ticker) => focused.push(`${letter} ${ticker}`)
    terminal.openMarket(pane, 'KX', 'BOOK')
    expect([focused, terminal.links.A]).toEqual([['A KX'], 'KX'])
    expect([...terminal.panes.values()].at(-1)?.line).toBe('. BOOK')
    terminal.receiveFocus('A', 'KX2')
    expect([focused.length, terminal.links.A]).toEqual([1, 'KX2'])
    expect(terminal.lineOf(paneOf('. GP 1h'))).toBe('KX2 GP 1h')
    expect(terminal.lineOf(pane)).toBe('MOV')
    terminal.prefill('a')
    terminal.prefill('a')
    expect(terminal.prompt).toEqual({ text: 'a', count: 2 })
  })

  it('reuses the pane of a verb in its link group only', () => {
    const { terminal } = terminalOf()
    terminal.run('. BOOK')
    const [first] = terminal.panes.values()
    if (first === undefined) throw new Error('no pane')
    first.link = 'B'
    terminal.run('. BOOK')
    expect(terminal.panes.size).toBe(2)
    terminal.run('. BOOK 5')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['. BOOK', '. BOOK 5'])
    // A pane of one market is no pane of the group's.
    terminal.run('$KX GP in new')
    terminal.run('. GP 15m')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual([
      '. BOOK',
      '. BOOK 5',
      '$KX GP',
      '. GP 15m',
    ])
  })
})
