import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import PaneGallery from '../gallery/PaneGallery.svelte'
import { PICTURES, pictureOf } from '../gallery/pane-pictures.ts'
import { FillMarks } from './fill-marks.svelte.ts'
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
    expect(terminal.history).toEqual(['. DES'])
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

describe('the freshness of the focused market', () => {
  it.each([
    { isUp: true, status: 'operational', at: '08', freshness: null },
    { isUp: true, status: 'outage', at: '08', freshness: 'stale' },
    { isUp: false, status: 'operational', at: '08', freshness: 'stale' },
    // Its own answer counts, not the shared quotes, which have none.
    { isUp: false, status: 'operational', at: '10', freshness: null },
  ])('with a socket $isUp, a venue that is $status and an answer of $at', async (scene) => {
    const { isUp, status, freshness } = scene
    const answeredAt = `2026-11-20T${scene.at}:00:00.000Z`
    const component = { name: 'venue_a', status, dataAgeSeconds: 1, detail: '' }
    const { service, terminal, stop } = pageUnderTest((path) => {
      if (path.startsWith('/status')) return { updatedAt: AT, components: [component] }
      if (!path.includes('/market/')) return null
      return {
        ...marketRow({ venue: 'venue_a', price: 55 }),
        indicators: {},
        fetchedAt: answeredAt,
      }
    })
    service.isUp = isUp
    const data = tickerData({ bestBid: 0.7, bestAsk: 0.72, ts: Date.parse(AT) })
    service.topics.set('ticker:KX', { epoch: 'e', seq: 1, changes: [], data })
    const end = terminal.health.watch()
    terminal.focusMarket('A', 'KX')
    const { container } = render(FocusMarket, { terminal })
    await pass(1_000)
    expect(container.textContent).toContain(isUp ? '70.0¢' : '55.0¢')
    const price = container.querySelector('strong > *')
    expect(price?.classList.contains('stale')).toBe(freshness === 'stale')
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
    expect(terminal.history).toEqual(['MOV', '. GP'])
    expect([...terminal.panes.values()].every(({ isKept }) => isKept)).toBe(true)
    for (const verb of ['ASK', 'DISC', 'EXPLAIN', 'FEED']) {
      await choose(new RegExp(` ${verb} `))
      expect(terminal.prompt?.text).toBe(`${verb} `)
    }
    expect(terminal.history).toHaveLength(2)
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

it('charts of a link group mark the fills of the run whose trade was opened', () => {
  const fill = (id: string) => ({ id, time: 1, at: AT, label: 'buy', title: id })
  const [first, second] = [fill('1'), fill('2')]
  const marks = new FillMarks()
  expect([marks.get('A', 'KX'), marks.fillOf('A', 'KX')]).toEqual([[], null])
  const byTicker = new Map([
    ['KX', [first]],
    ['KY', [second]],
  ])
  marks.setRun('A', { run: 'bt_1', byTicker, fill: second })
  expect([marks.get('A', 'KX'), marks.get('A', 'KZ'), marks.get('A', null)]).toEqual([
    [first],
    [],
    [],
  ])
  expect([marks.fillOf('A', 'KY'), marks.fillOf('A', 'KX'), marks.fillOf('B', 'KY')]).toEqual([
    second,
    null,
    null,
  ])
  marks.clear('B')
  expect(marks.get('A', 'KY')).toEqual([second])
  marks.clear('A')
  expect(marks.get('A', 'KY')).toEqual([])
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
