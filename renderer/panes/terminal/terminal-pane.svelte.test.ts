import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { frameContext } from '../../shell/dock/frame-context.ts'
import PaneFrame from '../../shell/dock/PaneFrame.svelte'
import { MAX_BLOCKS, MAX_LIVE } from '../../shell/bar/blocks.svelte.ts'
import type { Dock } from '../../shell/dock/dock.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow, tickerData } from '../../testing/rows.ts'
import TerminalPane from './TerminalPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const list = { markets: [marketRow()], count: 1, total: 1, nextCursor: null, hasMore: false }
const answers = (path: string): object | null =>
  path.includes('/markets') ? { ...list, generatedAt: AT } : null

async function setUp() {
  const page = pageUnderTest(answers)
  const { terminal, service } = page
  service.topics.set('ticker:KX', {
    epoch: 'e',
    seq: 1,
    changes: [],
    data: tickerData(),
  })
  terminal.dock = {
    add: () => {},
    activate: (id) => void (terminal.focusedPane = id),
    describe: () => {},
    order: () => [...terminal.panes.keys()],
  } as Partial<Dock> as Dock
  const pane = page.paneOf('TERM')
  terminal.focusedPane = pane.id
  render(TerminalPane, { props: { terminal, pane }, context: frameContext(PaneFrame) })
  const press = async (key: string) => {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(40)
  }
  await pass(40)
  return { ...page, pane, press }
}
const blocks = () => screen.queryAllByRole('article')

describe('the terminal pane', () => {
  it('shows the results of its commands, with time, latency, age and component [terminal.results.block]', async () => {
    const { terminal } = await setUp()
    expect(screen.getByText(/^No commands in this workspace/)).toBeTruthy()
    terminal.run('MOV')
    await pass(1_000)
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['TERM'])
    const [block] = blocks()
    if (block === undefined) throw new Error('no block')
    expect(within(block).getByText('MOV')).toBeTruthy()
    expect(block.textContent).toMatch(/Movers · \d\d:\d\d:\d\d/)
    expect(block.textContent).toMatch(/\d+ ms/)
    expect(within(block).getAllByRole('gridcell').length).toBeGreaterThan(0)
  })

  it('moves through results by keys, collapses, repeats and opens them [terminal.results.actions]', async () => {
    const { terminal, press } = await setUp()
    terminal.run('MOV')
    terminal.run('iran NEW')
    await pass(1_000)
    const currentLine = () => document.querySelector('article.current .line')?.textContent
    expect(currentLine()).toBe('iran NEW')
    await press('k')
    expect(currentLine()).toBe('MOV')
    await press('ArrowLeft')
    expect(blocks()[0]?.querySelector('table')).toBeNull()
    await press('ArrowRight')
    expect(blocks()[0]?.querySelector('table')).not.toBeNull()
    await press('r')
    expect(terminal.blocks.all.map(({ line }) => line)).toEqual(['MOV', 'iran NEW', 'MOV'])
    await press('Enter')
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['TERM', 'MOV'])
  })

  it('is cleared by CLR, one workspace at a time [terminal.results.clear]', async () => {
    const { terminal } = await setUp()
    terminal.run('MOV')
    terminal.workspace = 2
    terminal.focusedPane = null
    terminal.run('NEW')
    terminal.run('CLR')
    expect(terminal.notice?.text).toBe('One result cleared')
    expect(terminal.blocks.all).toEqual([])
    terminal.workspace = 1
    expect(terminal.blocks.all.map(({ line }) => line)).toEqual(['MOV'])
  })
})

it('200 results are kept, the newest 50 live, the rest as text [terminal.results.kept]', async () => {
  const { terminal } = await setUp()
  terminal.run('MOV')
  await pass(1_000)
  for (let count = 0; count < MAX_BLOCKS; count++) {
    terminal.run(
      `SCAN word${'abcdefghij'[count % 10]}${'abcdefghijklmnopqrst'[Math.floor(count / 10)]}`,
    )
    if (count === MAX_LIVE - 1) {
      const [first] = terminal.blocks.all
      expect(first?.line).toBe('MOV')
      expect(first?.text).toContain('A market')
      expect(first?.toText()).toContain('| KX |')
    }
  }
  const { all } = terminal.blocks
  expect(all).toHaveLength(MAX_BLOCKS)
  const live = all.filter(({ text }) => text === null)
  expect(live).toHaveLength(MAX_LIVE)
  // Text needs no updates.
  expect(all.filter(({ pane }) => pane.visible).length).toBeLessThanOrEqual(MAX_LIVE)
  expect(
    all.slice(0, -MAX_LIVE).some(({ pane, sources }) => pane.visible || sources.length > 0),
  ).toBe(false)
  expect(all[0]?.line).not.toBe('MOV')
  expect(all[0]?.toText()).toBe('No response.')
})

it('a command that opens a pane adds a result too [terminal.results.block]', async () => {
  const { terminal } = await setUp()
  terminal.focusedPane = null
  terminal.links.A = 'KX'
  terminal.run('. HIST')
  const [block] = terminal.blocks.all
  expect(block?.line).toBe('$KX HIST')
  expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['TERM', '. HIST'])
})

describe('a result', () => {
  const head = (index: number) => document.querySelectorAll<HTMLElement>('[data-block]')[index]
  const currentLine = () => document.querySelector('article.current .line')?.textContent

  it('has the focus when it is reached by a key, and is current when it has the focus', async () => {
    const { terminal, pane, press } = await setUp()
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    expect(pane.note).toBe('')
    terminal.run('MOV')
    terminal.run('NEW')
    await pass(1_000)
    expect(pane.note).toBe('2')
    expect(pane.sources).toEqual([])
    // The newest one was scrolled into view.
    expect(scrolled.mock.contexts.at(-1)).toBe(blocks()[1])
    await press('ArrowUp')
    expect(document.activeElement).toBe(head(0))
    expect(scrolled.mock.contexts.at(-1)).toBe(head(0))
    await press('ArrowUp')
    expect(currentLine()).toBe('MOV')
    await press('ArrowDown')
    await press('ArrowDown')
    expect(currentLine()).toBe('NEW')
    expect(head(1)?.tabIndex).toBe(0)
    expect(head(0)?.tabIndex).toBe(-1)
    head(0)?.focus()
    await pass(20)
    expect(currentLine()).toBe('MOV')
    await press('j')
    expect(currentLine()).toBe('NEW')
    scrolled.mockRestore()
  })

  it('pauses while it is collapsed, and while its pane is not visible', async () => {
    const { terminal, pane, press } = await setUp()
    terminal.run('MOV')
    await pass(1_000)
    const [block] = terminal.blocks.all
    expect(block?.pane.visible).toBe(true)
    await press('ArrowLeft')
    expect(block?.pane.visible).toBe(false)
    expect(screen.getByRole('button', { name: 'Show MOV' }).ariaExpanded).toBe('false')
    await fireEvent.click(screen.getByRole('button', { name: 'Show MOV' }))
    expect(block?.pane.visible).toBe(true)
    await fireEvent.click(screen.getByRole('button', { name: 'Collapse MOV' }))
    expect(block?.isCollapsed).toBe(true)
    await press('ArrowRight')
    pane.visible = false
    await pass(20)
    expect(block?.pane.visible).toBe(false)
  })

  it('is copied with its command, and a denied clipboard is reported', async () => {
    const { terminal, press } = await setUp()
    const writeText = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    terminal.run('MOV')
    await pass(1_000)
    await press('c')
    expect(writeText.mock.calls).toEqual([[expect.stringMatching(/^MOV\n\n[^]*\| KX \|/)]])
    expect(terminal.notice).toEqual({ text: 'Copied the answer of MOV', tone: 'info' })
    writeText.mockReturnValue(Promise.reject(new Error('denied')))
    await fireEvent.click(screen.getByRole('button', { name: 'copy' }))
    await pass(20)
    expect(terminal.notice).toEqual({
      text: 'The browser denied clipboard access',
      tone: 'error',
    })
    vi.unstubAllGlobals()
  })

  it('is run again and opened by its buttons, where Enter presses the button itself', async () => {
    const { terminal, pane } = await setUp()
    terminal.run('MOV')
    await pass(1_000)
    terminal.focusedPane = 'another'
    await fireEvent.click(screen.getByRole('button', { name: 'rerun' }))
    await pass(20)
    expect(terminal.focusedPane).toBe(pane.id)
    expect(terminal.blocks.all.map(({ line }) => line)).toEqual(['MOV', 'MOV'])
    const button = screen.getAllByRole('button', { name: 'pane' })[0]
    if (button === undefined) throw new Error('no button')
    const event = new KeyboardEvent('keydown', { key: 'Enter', cancelable: true })
    Object.defineProperty(event, 'target', { value: button })
    terminal.keys.handle(event, [`pane:${pane.id}`])
    expect([event.defaultPrevented, terminal.panes.size]).toEqual([false, 1])
    await fireEvent.click(button)
    expect([...terminal.panes.values()].map(({ line }) => line)).toEqual(['TERM', 'MOV'])
  })

  it('is exported with its times, and its keys do nothing without one', async () => {
    const { terminal, pane, press } = await setUp()
    for (const key of ['j', 'Enter', 'r', 'ArrowLeft']) await press(key)
    expect(terminal.blocks.all).toEqual([])
    terminal.run('MOV')
    expect(pane.visibleRows?.()).toMatchObject([{ command: 'MOV', latencyMs: null, dataAt: null }])
    await pass(1_000)
    expect(pane.visibleRows?.()).toEqual([
      {
        command: 'MOV',
        component: 'Movers',
        ranAt: expect.stringMatching(/^2026-11-20T10:00:00\.\d{3}Z$/) as string,
        latencyMs: expect.any(Number) as number,
        dataAt: expect.stringMatching(/^2026-11-20T10:00:00\.\d{3}Z$/) as string,
      },
    ])
    cleanup()
    expect(pane.visibleRows).toBeNull()
  })

  it('that waits for its answer states that', async () => {
    const { terminal } = await setUp()
    terminal.run('MOV')
    await pass(0)
    expect(blocks()[0]?.textContent).toContain('waiting')
    await pass(1_000)
    expect(blocks()[0]?.textContent).not.toContain('waiting')
  })
})
