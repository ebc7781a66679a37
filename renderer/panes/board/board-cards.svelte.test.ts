import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, it, vi } from 'vitest'
import type { Panel } from '../../../backend/contract/panels/panels.ts'
import {
  because,
  card,
  PANELS,
  pass,
  setUp,
  three,
  titles,
} from '../../testing/board-under-test.svelte.ts'
import { freeTier, panel } from '../../testing/panels.ts'
import {
  cadenceSeconds,
  cardLine,
  filterLabel,
  scheduleLabel,
  spanLabel,
  tierLine,
} from './board-labels.ts'

describe('the cards of a board', () => {
  it('are moved by dragging, before or after another', async () => {
    const { sent } = await setUp(three())
    const slot = (name: string) => card(name).closest('li') as HTMLElement
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({
      left: 0,
      width: 100,
      top: 0,
    } as DOMRect)
    const drag = async (from: string, onto: string, clientX: number) => {
      const header = card(from).querySelector('header') as HTMLElement
      await fireEvent(header, new Event('dragstart', { bubbles: true }))
      const event = (type: string) =>
        Object.assign(new Event(type, { bubbles: true, cancelable: true }), { clientX })
      const isAccepted = !(await fireEvent(slot(onto), event('dragover')))
      const marks = slot(onto).className
      await fireEvent(slot(onto), event('drop'))
      await fireEvent(header, new Event('dragend', { bubbles: true }))
      await pass(50)
      return { isAccepted, marks }
    }
    const first = await drag('1. Panel a', '2. Panel b', 80)
    expect([first.isAccepted, first.marks]).toEqual([true, expect.stringContaining('drop-after')])
    expect(titles()).toEqual(['1. Panel b', '2. Panel a', '3. Panel c'])
    const second = await drag('3. Panel c', '1. Panel b', 20)
    expect(second.marks).toContain('drop-before')
    expect(titles()).toEqual(['1. Panel c', '2. Panel b', '3. Panel a'])
    await drag('1. Panel c', '3. Panel a', 20)
    expect(titles()).toEqual(['1. Panel b', '2. Panel c', '3. Panel a'])
    const writes = sent.length
    await drag('1. Panel b', '1. Panel b', 80)
    expect(sent).toHaveLength(writes)
    expect(slot('1. Panel b').className).not.toMatch(/drop|dragged/)
    // Without a dragged panel nothing is accepted.
    const stray = Object.assign(new Event('dragover', { bubbles: true, cancelable: true }), {
      clientX: 1,
    })
    expect(await fireEvent(slot('1. Panel b'), stray)).toBe(true)
    vi.restoreAllMocks()
  })

  it('are opened by their title or a double click, with their rows, and closed again', async () => {
    const { press, terminal, pane } = await setUp([panel('a'), panel('b')])
    expect(pane.note).toBe('2')
    expect(pane.visibleRows?.()).toHaveLength(2)
    await fireEvent.click(screen.getByRole('button', { name: 'Panel b' }))
    await pass(50)
    const opened = () => screen.queryByRole('region', { name: 'Panel b' })
    expect(opened()).not.toBeNull()
    expect(pane.visibleRows?.()).toHaveLength(1)
    expect(opened()?.textContent).toContain('manual')
    const table = screen.getByRole('grid', { name: 'Rows of Panel b' })
    expect(table.textContent).toContain('Oil above 100?')
    expect(document.activeElement).toBe(table)
    await fireEvent.click(screen.getByRole('button', { name: 'Board' }))
    await pass(50)
    expect(opened()).toBeNull()
    expect(document.activeElement).toBe(card('2. Panel b'))
    await fireEvent.dblClick(card('1. Panel a').querySelector('header') as HTMLElement)
    await pass(50)
    expect(screen.getByRole('region', { name: 'Panel a' })).toBeTruthy()
    await press('Escape')
    expect(document.activeElement).toBe(card('1. Panel a'))
    await fireEvent.click(
      within(card('1. Panel a')).getByRole('button', { name: 'Oil above 100?' }),
    )
    await pass(50)
    expect(terminal.links.A).toBe('KXOIL-1')
    expect([...terminal.panes.values()].at(-1)?.line).toBe('. DES')
  })

  it('show a drawing, or a table for a moment', async () => {
    const display = { visualization: 'stat' } as const
    const { press, pane } = await setUp([panel('a', { spec: { ...panel('a').spec, display } })])
    const tables = () => within(card('1. Panel a')).queryAllByRole('table').length
    expect(tables()).toBe(0)
    card('1. Panel a').focus()
    await press('t')
    expect([tables(), card('1. Panel a').textContent]).toEqual([
      1,
      expect.stringContaining('manual · as a table'),
    ])
    await press('t')
    expect(tables()).toBe(0)
    await press('Enter')
    const opened = screen.getByRole('region', { name: 'Panel a' })
    expect(opened.querySelector('.drawn')).not.toBeNull()
    expect(pane.visibleRows?.()[0]).toMatchObject({ ticker: 'KXOIL-1' })
  })

  it('are edited and removed by their buttons, and the focus stays on the board', async () => {
    const { kept, terminal, sent } = await setUp(three())
    await fireEvent.click(screen.getByRole('button', { name: 'Edit Panel b' }))
    await pass(50)
    expect(screen.getByRole('form', { name: /Panel b/ })).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await pass(50)
    expect(screen.queryByRole('form')).toBeNull()
    await fireEvent.click(screen.getByRole('button', { name: 'Remove Panel b' }))
    await pass(50)
    expect(titles()).toEqual(['1. Panel a', '2. Panel c'])
    expect(document.activeElement).toBe(card('2. Panel c'))
    expect(terminal.notice?.text).toBe('“Panel b” removed. UNDO restores it')
    await fireEvent.click(screen.getByRole('button', { name: 'Remove Panel c' }))
    await pass(50)
    expect(document.activeElement).toBe(card('1. Panel a'))
    kept.refusals.push(because(500, {}))
    await fireEvent.click(screen.getByRole('button', { name: 'Remove Panel a' }))
    await pass(50)
    expect([titles(), terminal.notice?.tone]).toEqual([['1. Panel a'], 'error'])
    expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(3)
  })

  it('are paused and resumed, with a notice, or why not', async () => {
    const { press, terminal, kept } = await setUp(three())
    card('2. Panel b').focus()
    await press('p')
    expect(terminal.notice).toEqual({ text: '“Panel b” paused; its data stays', tone: 'info' })
    expect(kept.panels()[1]?.status).toBe('paused')
    await press('p')
    expect([terminal.notice?.text, kept.panels()[1]?.status]).toEqual([
      '“Panel b” resumed',
      'active',
    ])
    kept.refusals.push(because(500, {}))
    await press('p')
    expect(terminal.notice?.tone).toBe('error')
  })
})

describe('commands of the board', () => {
  it('ask before they run, pause or move a panel', async () => {
    const { run, press, sent, terminal } = await setUp(three())
    const strip = () => screen.queryByRole('button', { name: 'Cancel' })
    const confirm = async () => {
      const { previousElementSibling } = strip() as HTMLElement
      await fireEvent.click(previousElementSibling as HTMLElement)
      await pass(100)
    }
    await run('PANEL pause 2')
    expect(strip()).not.toBeNull()
    // Keys of the board wait meanwhile.
    expect(await press('t')).toBe(false)
    await fireEvent.click(strip() as HTMLElement)
    await pass(50)
    expect([strip(), sent, document.activeElement]).toEqual([null, [], card('2. Panel b')])
    await run('PANEL pause 2')
    await confirm()
    expect(sent.at(-1)).toMatchObject({ method: 'PATCH', body: { status: 'paused' } })
    await run('PANEL resume 2')
    await confirm()
    expect(sent.at(-1)).toMatchObject({ method: 'PATCH', body: { status: 'active' } })
    await run('PANEL move 3 1')
    await confirm()
    expect(titles()).toEqual(['1. Panel c', '2. Panel a', '3. Panel b'])
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
      '“Panel c” moved to position 1 of 3',
    )
    await run('PANEL run 1')
    await confirm()
    expect(sent.at(-1)).toMatchObject({ method: 'POST', path: `${PANELS}/c/run` })
    expect(terminal.notice?.text).toBe('“Panel c” ran')
    await run('PANEL remove 3')
    await pass(50)
    expect(titles()).toEqual(['1. Panel c', '2. Panel a'])
    await run('PANEL remove 9')
    expect(terminal.notice?.tone).toBe('error')
  })

  it('a confirmation that was opened during a run stays after the run', async () => {
    const { run, terminal } = await setUp(three())
    let end: (answer: object) => void = () => {}
    const pending = new Promise((resolve) => (end = resolve))
    const send = vi.spyOn(terminal.live, 'send').mockReturnValue(pending)
    await run('PANEL run 1')
    await fireEvent.submit(screen.getByRole('button', { name: 'Run now' }))
    await run('PANEL pause 2')
    send.mockRestore()
    end({ ok: true, body: {} })
    await pass(100)
    expect(terminal.notice?.text).toBe('“Panel a” ran')
    expect(screen.getByRole('alertdialog', { name: 'Pause' })).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Pause' }))
  })

  it('open a form at what is missing', async () => {
    const { run, terminal } = await setUp(three())
    const focused = () =>
      document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
    await run('PANEL add')
    await pass(50)
    expect(screen.getByRole('form', { name: 'New panel' })).toBeTruthy()
    const first = focused()
    await run('PANEL add prices p=20%..60%')
    await pass(50)
    expect(focused()).not.toBe(first)
    await run('PANEL rename 2 title="New title"')
    await pass(50)
    expect(screen.getByRole('form', { name: /Panel b/ })).toBeTruthy()
    expect(terminal.boardRequested).toBeNull()
  })
})

describe('labels of panels', () => {
  it.each([
    [5, '5 s'],
    [59.96, '1 min'],
    [90, '90 s'],
    [60, '1 min'],
    [300, '5 min'],
    [3_600, '1 h'],
    [5_400, '90 min'],
    [7_200, '2 h'],
    [0.25, '0.3 s'],
  ])('%s seconds are %s', (seconds, label) => expect(spanLabel(seconds)).toBe(label))

  const spec = (more: object): Panel['spec'] => ({ ...panel('a').spec, ...more })
  const prices = (filters: object) =>
    spec({ kind: 'screen', preset: undefined, sources: ['latest_market_prices'], filters })
  it.each([
    [prices({ probability: { min: 0.2 } }), '20% to 100%'],
    [prices({ probability: { max: 0.6 } }), '0% to 60%'],
    [prices({ probability: { min: 0.2, max: 0.6 }, window: '24h' }), '20% to 60%, 24h'],
    [prices({ tickers: ['A'] }), '1 ticker'],
    [prices({ tickers: ['A', 'B'] }), '2 tickers'],
    [prices({}), ''],
    [spec({ filters: { tickers: ['A'] } }), ''],
    [
      spec({
        preset: { id: 'watchlist_microstructure' },
        filters: { tickers: ['A'], window: '1h' },
      }),
      '1 ticker',
    ],
  ])('a filter is listed where it applies', (one, label) => {
    expect(filterLabel(one)).toBe(label)
  })

  it('a schedule is no faster than the tier allows', () => {
    const every = (cadenceMinutes: number | undefined, more: Partial<Panel> = {}) =>
      panel('a', { spec: spec({ schedule: { mode: 'interval', cadenceMinutes } }), ...more })
    expect([
      scheduleLabel(every(10)),
      scheduleLabel(every(1)),
      scheduleLabel(every(10, { status: 'paused' })),
      scheduleLabel(every(undefined)),
      scheduleLabel(panel('a')),
    ]).toEqual(['every 10 min', 'every 5 min', 'schedule paused', 'manual', 'manual'])
    expect([cadenceSeconds(every(10).spec), cadenceSeconds(panel('a').spec)]).toEqual([600, null])
    expect(tierLine(freeTier)).toBe('2 of 3 panels, 1 of 1 screens, refresh at least 5 min')
    expect([cardLine({ rowHeight: 22 }), cardLine({ rowHeight: 32 })]).toEqual([20, 28])
  })
})
