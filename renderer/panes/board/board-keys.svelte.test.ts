import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, it, vi } from 'vitest'
import {
  because,
  card,
  PANELS,
  pass,
  setUp,
  three,
  titles,
} from '../../testing/board-under-test.svelte.ts'
import { panel } from '../../testing/panels.ts'

describe('keys of the board', () => {
  // [terminal.board.keys]
  it('move over the cards, open one with all its rows and return', async () => {
    const { press, pane } = await setUp(three())
    await press('j')
    expect(document.activeElement).toBe(card('2. Panel b'))
    await press('End')
    await press('k')
    await press('Enter')
    const opened = screen.getByRole('region', { name: 'Panel b' })
    expect(within(opened).getByRole('grid', { name: 'Rows of Panel b' })).toBeTruthy()
    expect(pane.visibleRows?.()).toMatchObject([{ ticker: 'KXOIL-1', change: 5 }])
    await press('Escape')
    expect(document.activeElement).toBe(card('2. Panel b'))
    expect(pane.visibleRows?.()).toHaveLength(3)
  })

  it('a card that the pointer opened is the current one after it is closed', async () => {
    const { press } = await setUp(three())
    await fireEvent.click(within(card('3. Panel c')).getByRole('button', { name: 'Panel c' }))
    await pass(50)
    expect(screen.getByRole('region', { name: 'Panel c' })).toBeTruthy()
    await press('Escape')
    await press('k')
    expect(document.activeElement).toBe(card('2. Panel b'))
  })

  it('show the table view of a chart', async () => {
    const spec = { ...panel('a').spec, display: { visualization: 'gauge' } } as const
    const { press } = await setUp([panel('a', { spec })])
    expect(screen.getByRole('meter')).toBeTruthy()
    await press('t')
    expect(screen.queryByRole('meter')).toBeNull()
    expect(within(card('1. Panel a')).getByRole('table')).toBeTruthy()
  })

  // [terminal.board.reorder]
  it('move a panel by Alt and an arrow, report that, and undo it', async () => {
    const { press, sent, terminal, kept } = await setUp(three())
    expect(await press('ArrowRight', { altKey: true })).toBe(true)
    expect(titles()).toEqual(['1. Panel b', '2. Panel a', '3. Panel c'])
    expect(screen.getByText('“Panel a” moved to position 2 of 3')).toBeTruthy()
    expect(document.activeElement).toBe(card('2. Panel a'))
    expect(sent).toEqual([
      {
        method: 'POST',
        path: `${PANELS}/reorder`,
        body: { order: ['b', 'a', 'c'].map((id, sortIdx) => ({ id, sortIdx })) },
      },
    ])
    terminal.run('UNDO')
    await pass(100)
    expect(kept.panels().map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(titles()[0]).toBe('1. Panel a')
    terminal.run('REDO')
    await pass(100)
    expect(titles()[0]).toBe('1. Panel b')
  })

  it('restore the order after a refusal, and show the reason', async () => {
    const { press, kept, terminal } = await setUp(three())
    kept.refusals.push(because(404, { reason: 'panel_not_found_or_not_owned' }))
    await press('End')
    await press('ArrowLeft', { altKey: true })
    await pass(100)
    expect(titles()).toEqual(['1. Panel a', '2. Panel b', '3. Panel c'])
    expect(terminal.notice?.text).toBe('This panel was removed elsewhere.')
  })

  it('drop a dragged panel beside the one under the pointer', async () => {
    await setUp(three())
    const items = screen.getAllByRole('listitem')
    const header = items[2]?.querySelector('header')
    if (!header || !items[0]) throw new Error('no cards')
    // A card accepts a drop only while another card is dragged.
    expect(await fireEvent.dragOver(items[0], { clientX: -1 })).toBe(true)
    await fireEvent.dragStart(header)
    expect(await fireEvent.dragOver(items[0], { clientX: -1 })).toBe(false)
    await fireEvent.drop(items[0])
    await pass(50)
    expect(titles()).toEqual(['1. Panel c', '2. Panel a', '3. Panel b'])
  })

  it('edit, pause, run and remove the current panel, and add one', async () => {
    const { press, sent, terminal, kept } = await setUp(three())
    await press('j')
    await press('e')
    expect(screen.getByRole('form', { name: 'Edit Panel b' })).toBeTruthy()
    // Keys of the cards wait for the form.
    for (const key of ['j', 'Delete', 'u', 'p', 't']) await press(key)
    expect(sent).toEqual([])
    await press('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.activeElement).toBe(card('2. Panel b'))
    await press('p')
    expect(kept.panels()[1]?.status).toBe('paused')
    expect(terminal.notice?.text).toBe('“Panel b” paused; its data stays')
    await press('p')
    expect(terminal.notice?.text).toBe('“Panel b” resumed')
    await press('u')
    expect(sent.at(-1)).toMatchObject({
      method: 'POST',
      path: expect.stringContaining('/b/') as string,
    })
    await press('Delete')
    await pass(100)
    expect(titles()).toEqual(['1. Panel a', '2. Panel c'])
    expect(terminal.notice?.text).toBe('“Panel b” removed. UNDO restores it')
    expect(document.activeElement).toBe(card('2. Panel c'))
    // The last one leaves the focus to the one before it.
    await press('Delete')
    await pass(100)
    expect(document.activeElement).toBe(card('1. Panel a'))
    await press('n')
    expect(screen.getByRole('form', { name: 'New panel' })).toBeTruthy()
  })

  it('of an opened panel open its markets, and close it', async () => {
    const { press, terminal } = await setUp(three())
    await press('j')
    await press('Enter')
    const opened = vi.spyOn(terminal, 'openMarket').mockReturnValue().mock.calls
    const table = screen.getByRole('grid', { name: 'Rows of Panel b' })
    await press('Home')
    await press('Enter')
    await press('g')
    await fireEvent.click(within(table).getAllByRole('gridcell')[0] as HTMLElement)
    expect(opened.map(([, ticker, verb]) => `${ticker} ${verb}`)).toEqual([
      'KXOIL-1 DES',
      'KXOIL-1 GP',
      'KXOIL-1 null',
    ])
    await press('Escape')
    expect(document.activeElement).toBe(card('2. Panel b'))
  })

  it('keep a panel whose removal is refused', async () => {
    const { press, kept, terminal } = await setUp(three())
    kept.refusals.push(because(404, { reason: 'panel_not_found_or_not_owned' }))
    await press('Delete')
    await pass(100)
    expect(titles()).toHaveLength(3)
    expect(terminal.notice).toMatchObject({ tone: 'error' })
  })
})
