import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import type { Dock } from '../dock/dock.ts'
import { parseLine } from '../commands/parse.ts'
import { TOUR_TEXTS } from './tour-texts.ts'
import { Tour, TOUR } from './tour.svelte.ts'
import TourCard from './TourCard.svelte'
import AccountButton from './AccountButton.svelte'
import KeysCard from './KeysCard.svelte'
import StatusLine from './StatusLine.svelte'
import WelcomeCard from './WelcomeCard.svelte'

it('the tour runs six real commands, one per step [terminal.window.tour]', async () => {
  const { terminal } = pageUnderTest(() => null)
  terminal.dock = { add: () => {}, activate: () => {}, describe: () => {} } as Partial<Dock> as Dock
  for (const line of TOUR) expect(parseLine(line)).toBeInstanceOf(Array)
  expect(terminal.run('HELP TOUR')).toBeNull()
  render(TourCard, { terminal })
  for (const [index, line] of TOUR.entries()) {
    const { title } = TOUR_TEXTS[line]
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText(`${index + 1} of 6`)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: /^(Next|Done)/ }))
  }
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(terminal.history.slice(1)).toEqual([...TOUR])
})

it('goes back to the first step, and does nothing before its start and after its end', () => {
  const ran: string[] = []
  const tour = new Tour((line) => void ran.push(line))
  tour.next()
  tour.back()
  expect([tour.line, tour.step, ran]).toEqual([null, null, []])
  tour.start()
  tour.back()
  tour.next()
  tour.back()
  expect([tour.line, ran]).toEqual([TOUR[0], [TOUR[0], TOUR[1], TOUR[0]]])
  tour.end()
  tour.next()
  expect([tour.line, ran.length]).toEqual([null, 3])
})

describe('the cards of the window', () => {
  it('the tour has a next, a way back and an end, and keeps the focus on what is next', async () => {
    const { terminal } = pageUnderTest(() => null)
    terminal.tour.start()
    render(TourCard, { terminal })
    const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
    await waitFor(() => expect(document.activeElement).toBe(button(/^Next: /)))
    expect([button(/^Next/).textContent, button(/Back/).disabled]).toEqual([
      `Next: ${TOUR[1]}`,
      true,
    ])
    await fireEvent.click(button(/^Next/))
    await waitFor(() => expect(document.activeElement).toBe(button(/^Next: /)))
    expect(button(/Back/).disabled).toBe(false)
    await fireEvent.click(button(/Back/))
    expect(screen.getByText(`1 of ${TOUR.length}`)).toBeTruthy()
    await fireEvent.click(button(/End tour/))
    expect([terminal.tour.step, screen.queryByRole('button')]).toEqual([null, null])
  })

  it('the keys are those of the focused pane, of the window and of the bar', () => {
    Object.assign(HTMLDialogElement.prototype, {
      showModal(this: HTMLDialogElement) {
        this.open = true
      },
      close(this: HTMLDialogElement) {
        this.dispatchEvent(new Event('close'))
      },
    })
    const { terminal, paneOf } = pageUnderTest(() => null)
    const pane = paneOf('MOV')
    const keys = [
      ['global', '$mod+k', 'command bar'],
      ['bar', 'Tab', 'complete'],
      [`pane:${pane.id}`, 'j', 'next row'],
    ] as const
    for (const [scope, chord, label] of keys) {
      terminal.keys.bind(scope, [{ chord, label, run: () => true }])
    }
    let closed = 0
    const props = { terminal, onclose: () => void (closed += 1) }
    const { container, unmount } = render(KeysCard, props)
    const words = () =>
      [...container.querySelectorAll('h2, kbd, dd')].map((part) => part.textContent)
    const shared = ['Global', 'Ctrl+K', 'command bar', 'Command bar', 'Tab', 'complete']
    expect(words()).toEqual(shared)
    screen.getByRole('button', { name: 'Close', hidden: true }).click()
    expect(closed).toBe(1)
    unmount()
    terminal.focusedPane = pane.id
    const other = render(KeysCard, props)
    expect(other.container.textContent).toContain('next row')
    expect(other.container.querySelector('h2')?.textContent).toBe('Movers')
  })

  it('the account has a name, or a way to sign in', async () => {
    const { terminal } = pageUnderTest(() => null)
    const { container } = render(AccountButton, { terminal })
    expect(container.querySelector('button')).toBeNull()
    const state = vi.spyOn(terminal.account, 'signInState', 'get')
    state.mockReturnValue('anonymous')
    const anonymous = render(AccountButton, { terminal })
    await fireEvent.click(anonymous.getByRole('button', { name: 'Sign in' }))
    expect(terminal.history).toEqual(['ACCOUNT'])
    vi.restoreAllMocks()
  })

  it('the welcome runs a line for each of its examples', async () => {
    const { terminal } = pageUnderTest(() => null)
    render(WelcomeCard, { terminal })
    for (const button of screen.getAllByRole('button', { name: /^(SCAN|MOV|WORLD|HELP)/ })) {
      await fireEvent.click(button)
    }
    // The tour begins with its own first line.
    expect(terminal.history).toEqual(['SCAN oil', 'WORLD', 'MOV', 'HELP', 'HELP TOUR', TOUR[0]])
    const close = screen
      .getAllByRole('button')
      .find(({ ariaLabel }) => /Close/.test(ariaLabel ?? ''))
    if (close === undefined) throw new Error('no way to close')
    await fireEvent.click(close)
    expect(terminal.welcome.isOpen).toBe(false)
  })
})

describe('the status line', () => {
  const show = (health: object, more: object = {}) => {
    const { terminal } = pageUnderTest(() => null)
    const state = {
      connected: true,
      connecting: false,
      feeds: 'fresh',
      worstAge: 5_000,
      source: 'live',
      sample: false,
      venue: () => 'fresh',
      ...health,
    }
    const { container, unmount } = render(StatusLine, {
      terminal: {
        live: terminal.live,
        pausing: { count: 0 },
        panes: new Map(),
        trading: null,
        halted: false,
        notice: null,
        health: state,
        ...more,
      } as never,
    })
    const text = container.textContent.replace(/\s+/g, ' ')
    const titles = [...container.querySelectorAll('[title]')].map((part) =>
      part.getAttribute('title'),
    )
    const first = container.querySelector('footer > span')
    const result = { text, tone: first?.className ?? '', titles }
    unmount()
    return result
  }

  it.each([
    [{}, 'ok', 'Connected'],
    [{ connected: false, connecting: true }, 'faint', '●Connecting'],
    [{ connected: false }, 'error', 'Service not reachable'],
  ])('with %j is %s: %s', (health, tone, words) => {
    const { text, tone: shown } = show(health)
    expect([shown.includes(tone), text.includes(words)]).toEqual([true, true])
  })

  it('has a mark for each venue', () => {
    expect(show({}).text).toMatch(/K ✓.*P ✓/)
    expect(show({ venue: () => 'late' }).text).toMatch(/K late.*P late/)
    expect(show({ venue: () => 'stale' }).text).toMatch(/K STALE.*P STALE/)
    const none = show({ source: 'none' })
    expect(none.text).toMatch(/K –.*P –.*No source/)
    expect(none.titles).toContain('Kalshi: not connected')
    expect(show({ source: 'replay' }).text).toContain('REPLAY')
    expect(show({}).text).not.toMatch(/No source|REPLAY|HALTED|LIVE|paused/)
  })

  it('has trading, notices, paused panes and the number of panes', () => {
    expect(show({}, { trading: 'live' }).text).toMatch(/LIVE TRADING (?!\(SAMPLE)/)
    expect(show({ sample: true }, { trading: 'live' }).text).toContain('LIVE TRADING (SAMPLE)')
    expect(show({}, { trading: 'paper' }).text).not.toContain('LIVE')
    expect(show({}, { halted: true }).text).toContain('HALTED')
    expect(show({}, { pausing: { count: 2 } }).text).toContain('‖ 2 paused')
    expect(show({}, { notice: { tone: 'info', text: 'Copied' } }).text).toContain('Copied')
    expect(show({}).text).toContain('0 panes')
    expect(show({}, { panes: new Map([['a', 1]]) }).text).toMatch(/1 pane /)
  })
})
