import '../testing/set-up-page.ts'
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { describe, expect, it } from 'vitest'
import { Live } from '../api/live.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import { refuseWrites } from '../testing/refuse-writes.ts'
import { noTopics } from '../testing/no-topics.ts'
import CommandBar from './bar/CommandBar.svelte'
import type { Dock } from './dock/dock.ts'
import { MarketFinder, type FinderRequest, type FinderWorker } from './bar/market-finder.ts'
import type { MarketHit } from './bar/suggest.ts'
import { Terminal } from './terminal.svelte.ts'

const keep = { getItem: () => null, setItem: () => {} }

/** A worker that returns the same markets for each query. */
function workerWith(hits: readonly MarketHit[]): FinderWorker {
  const worker: FinderWorker = {
    onmessage: null,
    postMessage(request: FinderRequest) {
      if (request.kind !== 'find') return
      const data = { id: request.id, hits }
      worker.onmessage?.(new MessageEvent('message', { data }))
    },
  }
  return worker
}

function setUp(hits: readonly MarketHit[] = []) {
  const clock = new PageClock()
  const live = new Live({
    client: { get: async () => null, send: refuseWrites },
    clock,
    topics: noTopics(clock),
    inView: () => false,
    onFrame: (work) => work(),
  })
  const terminal = new Terminal(live, keep)
  const activated: string[] = []
  terminal.dock = {
    add: () => {},
    activate: (id) => void activated.push(id),
    describe: () => {},
  } as Partial<Dock> as Dock
  render(CommandBar, { terminal, finder: new MarketFinder(workerWith(hits)) })
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Command' })
  input.addEventListener('keydown', (event) => terminal.keys.handle(event, ['bar']))
  const type = (text: string) => fireEvent.input(input, { target: { value: text } })
  const press = (key: string, init: object = {}) => fireEvent.keyDown(input, { key, ...init })
  const opened = () => [...terminal.panes.values()].map(({ line }) => line)
  return { terminal, input, type, press, opened, activated }
}

describe('the command bar', () => {
  it('runs a line on Enter and clears itself', async () => {
    const { type, press, opened, input } = setUp()
    await type('mov iran')
    await press('Enter')
    expect(opened()).toEqual(['iran MOV'])
    expect(input.value).toBe('')
  })

  it('shows the problem and the nearest names, and runs nothing', async () => {
    const { type, press, opened } = setUp()
    await type('KXFED-26DEC BOK')
    await press('Enter')
    expect(screen.getByRole('alert').textContent).toContain('Unknown command BOK')
    expect(screen.getByRole('alert').textContent).toContain('BOOK')
    expect(opened()).toEqual([])
  })

  it('offers markets and opens the selected one', async () => {
    const { type, press, terminal, opened } = setUp([{ ticker: 'KXFED-26DEC', title: 'Fed cuts' }])
    await type('fed cuts')
    const option = await waitFor(() => screen.getByRole('option', { name: /KXFED-26DEC/ }))
    const index = screen.getAllByRole('option').indexOf(option)
    for (let step = 0; step <= index; step++) await press('ArrowDown')
    expect(option.getAttribute('aria-selected')).toBe('true')
    await press('Enter')
    expect(terminal.links.A).toBe('KXFED-26DEC')
    expect(opened()).toEqual(['. DES'])
  })

  it('reuses the open pane, and opens a new one on Ctrl+Enter', async () => {
    const { type, press, opened } = setUp()
    await type('MOV')
    await press('Enter')
    await type('MOV oil')
    await press('Enter')
    expect(opened()).toEqual(['oil MOV'])
    await type('MOV iran')
    await press('Enter', { ctrlKey: true })
    expect(opened()).toEqual(['oil MOV', 'iran MOV'])
  })

  it('completes by Tab and recalls by the arrows', async () => {
    const { type, press, input } = setUp()
    await type('. GP 15')
    await press('Tab')
    expect(input.value).toBe('. GP 15m ')
    await press('Enter')
    await press('Escape')
    await press('ArrowUp')
    expect(input.value).toBe('. GP 15m')
  })

  it('closes, then clears, then moves focus', async () => {
    const { type, press, input, terminal, activated } = setUp()
    terminal.focusedPane = 'pane-9'
    await type('mo')
    expect(screen.getAllByRole('option').length).toBeGreaterThan(0)
    await press('Escape')
    expect([screen.queryAllByRole('option').length, input.value]).toEqual([0, 'mo'])
    await press('Escape')
    expect([input.value, activated]).toEqual(['', []])
    await press('Escape')
    expect(activated).toEqual(['pane-9'])
  })
})
