import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import AgeMark from './AgeMark.svelte'
import CalibrationPlot from './CalibrationPlot.svelte'
import CitedMarkets from './CitedMarkets.svelte'
import ConfirmStrip from './ConfirmStrip.svelte'
import PlainTable from './PlainTable.svelte'
import Treemap from './Treemap.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

function setUp() {
  const page = pageUnderTest(() => null)
  const pane = page.paneOf('SCAN')
  const key = async (pressed: string) => {
    const event = new KeyboardEvent('keydown', { key: pressed, cancelable: true })
    page.terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(50)
    return event.defaultPrevented
  }
  return { ...page, pane, key }
}

describe('cited markets', () => {
  const cited = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ticker: `KX-${index + 1}`,
      title: `Market ${index + 1}`,
      note: '50.0¢',
    }))

  it('open by the first nine digits, and all by their button', async () => {
    const { terminal, pane, key, stop } = setUp()
    const opened = vi.spyOn(terminal, 'openMarket').mockReturnValue().mock.calls
    render(CitedMarkets, { terminal, pane, markets: cited(10) })
    await key('1')
    await key('9')
    await fireEvent.click(screen.getByRole('button', { name: /Market 10/ }))
    expect(opened).toEqual(['KX-1', 'KX-9', 'KX-10'].map((ticker) => [pane, ticker, 'DES']))
    const chords = [...document.querySelectorAll('kbd')].map(({ textContent }) => textContent)
    expect(chords.join('')).toBe('123456789')
    stop()
  })

  it('leave the digits beyond them, and draw nothing without one', async () => {
    const { terminal, pane, key, stop } = setUp()
    const { rerender } = render(CitedMarkets, { terminal, pane, markets: cited(1) })
    const opened = vi.spyOn(terminal, 'openMarket').mockReturnValue().mock.calls
    expect([await key('1'), await key('2')]).toEqual([true, false])
    expect(opened).toHaveLength(1)
    await rerender({ markets: [] })
    expect(screen.queryByRole('region', { name: 'Cited markets' })).toBeNull()
    stop()
  })
})

describe('a confirmation', () => {
  function strip(props: { confirmationText?: string; busy?: boolean }) {
    const page = setUp()
    const [onconfirm, oncancel] = [vi.fn(), vi.fn()]
    const { terminal, pane } = page
    const text = 'Delete it?'
    render(ConfirmStrip, { terminal, pane, text, label: 'Delete', onconfirm, oncancel, ...props })
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
    const form = button.closest('form')
    if (form === null) throw new Error('a strip is a form')
    return { ...page, onconfirm, oncancel, button, submit: () => fireEvent.submit(form) }
  }

  it('has the focus on its button, is submitted, and cancelled by Escape or its button', async () => {
    const { button, submit, key, onconfirm, oncancel, stop } = strip({})
    expect(document.activeElement).toBe(button)
    expect(screen.getByRole('alertdialog', { name: 'Delete' }).textContent).toContain('Delete it?')
    await submit()
    expect(onconfirm).toHaveBeenCalledTimes(1)
    await key('Escape')
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(oncancel).toHaveBeenCalledTimes(2)
    stop()
  })

  it('returns the focus to the element that had it', async () => {
    const opener = document.body.appendChild(document.createElement('button'))
    opener.focus()
    const { button, stop } = strip({})
    expect(document.activeElement).toBe(button)
    cleanup()
    await pass(0)
    expect(document.activeElement).toBe(opener)
    opener.remove()
    stop()
  })

  it.each([
    ['halt', 'halt', true],
    ['halt', ' Halt ', true],
    ['halt', 'hal', false],
    ['halt', '', false],
    ['HALT', 'HALT', true],
    ['HALT', 'halt', false],
  ])('by the word %s: “%s” is accepted: %s', async (word, typed, isAccepted) => {
    const { button, submit, onconfirm, stop } = strip({ confirmationText: word })
    const field = screen.getByLabelText(`Type ${word} to confirm`)
    expect(document.activeElement).toBe(field)
    await fireEvent.input(field, { target: { value: typed } })
    expect(button.disabled).toBe(!isAccepted)
    await submit()
    expect(onconfirm).toHaveBeenCalledTimes(isAccepted ? 1 : 0)
    stop()
  })

  it('that is being carried out is not submitted again', async () => {
    const { button, submit, onconfirm, stop } = strip({ busy: true })
    expect(button.disabled).toBe(true)
    await submit()
    expect(onconfirm).not.toHaveBeenCalled()
    stop()
  })
})

describe('a map of tiles', () => {
  const tile = (id: string, weight: number, onopen = () => {}) => ({
    id,
    name: `Name ${id}`,
    weight,
    value: `$${weight}`,
    change: id === 'b' ? null : '+1%',
    tone: 'up' as const,
    heat: 3,
    title: `Title ${id}`,
    onopen,
  })
  const titles = () => screen.getAllByRole('button').map(({ title }) => title)

  it('has a place in the order of keys for one tile, which moves by keys and by the focus', async () => {
    const { terminal, pane, key, stop } = setUp()
    const opened = vi.fn()
    const tiles = [tile('a', 60, opened), tile('b', 30), tile('c', 10), tile('d', 0)]
    const { rerender } = render(Treemap, { terminal, pane, tiles, noun: 'theme', label: 'A map' })
    expect(titles()).toEqual(['Title a', 'Title b', 'Title c'])
    const inOrder = () =>
      screen
        .getAllByRole('button')
        .filter(({ tabIndex }) => tabIndex === 0)
        .map(({ title }) => title)
    expect(inOrder()).toEqual(['Title a'])
    expect(await key('ArrowRight')).toBe(true)
    const [second] = inOrder()
    expect(second).not.toBe('Title a')
    expect(document.activeElement?.getAttribute('title')).toBe(second)
    expect(document.activeElement?.hasAttribute('data-focus')).toBe(true)
    await key('ArrowLeft')
    expect(inOrder()).toEqual(['Title a'])
    // At the edge the key is used, and nothing moves.
    expect(await key('ArrowLeft')).toBe(true)
    expect(inOrder()).toEqual(['Title a'])
    screen.getByTitle('Title c').focus()
    await pass(20)
    expect(inOrder()).toEqual(['Title c'])
    await rerender({ tiles: tiles.slice(0, 1) })
    expect(inOrder()).toEqual(['Title a'])
    await fireEvent.click(screen.getByTitle('Title a'))
    expect(opened).toHaveBeenCalledTimes(1)
    stop()
  })

  it('moves down and up by keys', async () => {
    const { terminal, pane, key, stop } = setUp()
    const tiles = [tile('a', 50), tile('b', 25), tile('c', 25)]
    render(Treemap, { terminal, pane, tiles, noun: 'theme', label: 'A map' })
    const focused = () => document.activeElement?.getAttribute('title')
    await key('ArrowRight')
    const right = focused()
    for (const [down, up] of [
      ['ArrowDown', 'ArrowUp'],
      ['j', 'k'],
    ] as const) {
      const first = [right, await key(down), focused(), await key(up), focused()]
      expect(new Set([first[0], first[2], first[4]]).size).toBe(2)
    }
    stop()
  })

  it('without a weight shows its sentence', () => {
    const { terminal, pane, stop } = setUp()
    render(Treemap, { terminal, pane, tiles: [tile('a', 0)], noun: 'theme', label: 'No trades' })
    expect(screen.getByText('No trades')).toBeTruthy()
    stop()
  })
})

it.each([
  [null, 'as of –', false],
  ['1970-01-01T00:00:00.000Z', 'as of 30s ago', false],
])('the age of %s is “%s”', (at, text, isStale) => {
  render(AgeMark, { at, now: 30_000, cadence: 60_000 })
  expect(document.body.textContent.replace(/\s+/g, ' ')).toContain(text)
  expect(screen.queryByText('STALE') !== null).toBe(isStale)
})

it('an age of three cadences is stale', () => {
  render(AgeMark, {
    at: '1970-01-01T00:00:00.000Z',
    now: 200_000,
    cadence: 60_000,
    label: 'computed',
  })
  expect(screen.getByText('STALE')).toBeTruthy()
  expect(screen.getByText('computed 3m ago').className).toContain('late')
})

it('a plain table has row headers, buttons in rows that open, and warnings', async () => {
  const onopen = vi.fn()
  const heads = [{ text: 'Name' }, { text: 'Why', help: 'A reason', isProse: true }]
  const rows = [
    { id: 'a', cells: ['One', 'because'], onopen },
    { id: 'b', cells: ['Two', 'unless'], isWarning: true },
  ]
  render(PlainTable, { label: 'A table', heads, rows })
  const table = screen.getByRole('table', { name: 'A table' })
  expect(table.classList.contains('narrows')).toBe(true)
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['One', 'Two'])
  expect(table.querySelectorAll('td.prose, th.prose')).toHaveLength(3)
  expect([...table.querySelectorAll('tr.warns')].map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Two'),
  ])
  await fireEvent.click(within(table).getByRole('button', { name: 'One' }))
  expect(onopen).toHaveBeenCalledTimes(1)
  expect(within(table).getAllByRole('button')).toHaveLength(1)
})

it('a calibration draws the diagonal, and a dot for each bucket with a result', () => {
  const bucket = (from: number, n: number, realizedRate: number | null) => ({
    from,
    to: from + 10,
    n,
    predictedMean: from + 5,
    realizedRate,
    deviation: null,
    brier: null,
  })
  const buckets = [bucket(0, 1, 4), bucket(10, 0, 20), bucket(20, 3, null), bucket(50, 2, 55)]
  render(CalibrationPlot, { buckets, quantity: 'markets', xName: 'price', label: 'Calibration' })
  expect(
    [...document.querySelectorAll('circle title')].map(({ textContent }) => textContent),
  ).toEqual(['0 to 10¢: 1 markets, 4% resolved YES', '50 to 60¢: 2 markets, 55% resolved YES'])
})
