import '../../testing/set-up-page.ts'
import { render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { framing } from '../../shell/dock/frame-context.ts'
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
  render(TerminalPane, { props: { terminal, pane }, context: framing(PaneFrame) })
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
      expect(first?.words()).toContain('| KX |')
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
  expect(all[0]?.words()).toBe('No response.')
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
