import '../../testing/set-up-page.ts'
import { fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { portfolioConfig } from '../../api/portfolio-queries.ts'
import { refused, type Writes } from '../../testing/page-under-test.ts'
import { risk, config, show, press } from '../../testing/portfolio.ts'
import { AT } from '../../testing/signed-in.svelte.ts'
import { autopilotText, limitUses } from './portfolio-labels.ts'
import RiskPane from './RiskPane.svelte'

// jsdom has no canvas.
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: () => ({ show: () => {}, colour: () => {}, resize: () => {}, remove: () => {} }),
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

describe('risk [terminal.portfolio.risk]', () => {
  it('a switch explains first what it will do, then does it', async () => {
    const { sent, terminal } = await show(RiskPane, 'RISK', {}, () => ({ ok: true, body: {} }))
    expect(screen.getByText('The autopilot is off')).toBeTruthy()
    await press('Turn on')
    const strip = screen.getByRole('alertdialog', { name: 'Turn on' })
    expect(strip.textContent).toContain('(0 7,19 * * *, Pacific time), at most 3 orders per tick')
    expect(sent).toEqual([])
    await fireEvent.click(within(strip).getByRole('button', { name: 'Turn on' }))
    await pass(100)
    expect(sent).toEqual([
      { method: 'PUT', path: '/api/portfolio/config', body: { enabled: true } },
    ])
    expect(terminal.notice?.text).toBe('Autopilot turned on')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    // The strip that had the focus is gone; keys of the pane still work.
    expect(document.activeElement).not.toBe(document.body)
  })

  it('a halted account reports why and can resume; an error is reported', async () => {
    const halted = { ...risk, enabled: true, halted: { at: AT, reason: 'drawdown' } }
    const { sent, terminal } = await show(RiskPane, 'AUTO', { risk: halted }, () =>
      refused(403, null, 'Not with this key'),
    )
    expect(screen.getByText('Trading is halted: the drawdown reached its limit')).toBeTruthy()
    await press('Resume trading')
    const strip = screen.getByRole('alertdialog')
    await fireEvent.input(within(strip).getByRole('textbox'), { target: { value: 'resume' } })
    await fireEvent.click(within(strip).getByRole('button', { name: 'Resume trading' }))
    await pass(100)
    expect(sent.map(({ body }) => body)).toEqual([{ executionMode: 'dry-run' }])
    expect(terminal.notice).toMatchObject({ tone: 'error' })
  })

  it('live trading names what is missing, and takes a typed phrase [terminal.portfolio.live]', async () => {
    const failed = [
      { name: 'dry_run', message: 'run the autopilot on paper first' },
      { name: 'limits', message: 'set limits above 0: maxDailyLossCents' },
    ]
    let answer: ReturnType<Writes> = refused(409, 'LIVE_PRECONDITION_FAILED', 'no', { failed })
    const { sent, terminal } = await show(RiskPane, 'RISK', {}, () => answer)
    await press('Trade live…')
    await pass(50)
    expect(screen.getByRole('alert').textContent).toContain('run the autopilot on paper first')
    expect(screen.getByRole('alert').textContent).toContain('set limits above 0: Max daily loss')
    const limits = { maxSingleOrderCents: 20_000, maxOrdersPerTick: 3, maxTotalExposureCents: 1 }
    const confirmation = {
      token: 't0ken',
      phrase: 'TRADE LIVE',
      venues: ['venue_a'],
      sample: true,
      limits,
    }
    answer = refused(409, 'CONFIRMATION_REQUIRED', 'confirm', { confirmation })
    await press('Trade live…')
    await pass(50)
    const strip = screen.getByRole('alertdialog', { name: 'Trade live' })
    expect(strip.textContent).toContain('SAMPLE exchange, no real money')
    expect(strip.textContent).toContain('at most $200.00 per order')
    const button = within(strip).getByRole<HTMLButtonElement>('button', { name: 'Trade live' })
    const field = within(strip).getByRole('textbox')
    await fireEvent.input(field, { target: { value: 'trade live' } })
    expect(button.disabled).toBe(true)
    await fireEvent.input(field, { target: { value: 'TRADE LIVE' } })
    answer = { ok: true, body: {} }
    await fireEvent.click(button)
    await pass(100)
    expect(sent.at(-1)?.body).toEqual({
      executionMode: 'live',
      confirmToken: 't0ken',
      confirmPhrase: 'TRADE LIVE',
    })
    expect(terminal.notice?.text).toBe('Live trading is on')
  })

  it('live trading that was confirmed at another exchange is confirmed again, or ended [terminal.portfolio.live]', async () => {
    const unconfirmed = { ...config, executionMode: 'live', mode: 'paper' }
    await show(RiskPane, 'RISK', { risk, config: unconfirmed })
    expect(screen.getByText(/^Ticks trade on paper/).textContent).toContain('Confirm again')
    expect(screen.getByRole('button', { name: 'Trade live…' })).toBeTruthy()
    await press('Trade on paper')
    expect(screen.getByRole('alertdialog', { name: 'Trade on paper' })).toBeTruthy()
  })

  it('limits are changed after a confirmation that states each change [terminal.portfolio.limits]', async () => {
    let answer: ReturnType<Writes> = refused(400, 'VALIDATION_ERROR', 'cronExpression is not cron')
    const { sent, terminal, pane } = await show(RiskPane, 'RISK', {}, () => answer)
    const keys = (key: string) =>
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
    keys('e')
    await pass(50)
    const form = screen.getByRole('form', { name: 'Limits and schedule' })
    const field = (name: RegExp) => within(form).getByRole<HTMLInputElement>('textbox', { name })
    expect(field(/^Max order cost/).value).toBe('200')
    expect(document.activeElement).toBe(field(/^Max order cost/))
    expect(within(form).queryByText('Decision model')).toBeNull()
    await fireEvent.submit(form)
    expect(within(form).getByText('No changes yet')).toBeTruthy()

    await fireEvent.input(field(/^Max order cost/), { target: { value: 'much' } })
    await fireEvent.submit(form)
    await pass(50)
    expect(within(form).getByRole('alert').textContent).toBe('Max order cost must be a number')
    expect(field(/^Max order cost/).getAttribute('aria-invalid')).toBe('true')
    expect(screen.queryByRole('alertdialog')).toBeNull()

    await fireEvent.input(field(/^Max order cost/), { target: { value: '250' } })
    await fireEvent.input(field(/^Schedule/), { target: { value: 'often' } })
    await fireEvent.submit(form)
    const strip = screen.getByRole('alertdialog', { name: 'Change limits' })
    expect(strip.textContent).toContain(
      'Max order cost $200.00 → $250.00; Schedule 0 7,19 * * * → often',
    )
    expect(sent).toEqual([])
    await fireEvent.click(within(strip).getByRole('button', { name: 'Change limits' }))
    await pass(100)
    expect(within(form).getByRole('alert').textContent).toBe('Schedule is not cron')
    expect(document.activeElement).toBe(field(/^Schedule/))

    answer = { ok: true, body: {} }
    await fireEvent.input(field(/^Schedule/), { target: { value: '0 9 * * *' } })
    await fireEvent.submit(form)
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Change limits' }),
    )
    await pass(100)
    expect(sent.at(-1)?.body).toEqual({
      maxSingleOrderCents: 25_000,
      cronExpression: '0 9 * * *',
    })
    expect(screen.queryByRole('form')).toBeNull()
  })

  it('trading halts at once, in one key [terminal.portfolio.halt]', async () => {
    const { sent, terminal, pane } = await show(RiskPane, 'RISK', {}, () => ({
      ok: true,
      body: {},
    }))
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'h' }), [`pane:${pane.id}`])
    await pass(100)
    expect(sent.map(({ body }) => body)).toEqual([{ executionMode: 'halted' }])
    expect(terminal.notice?.text).toContain('Trading halted')
    expect(terminal.halted).toBe(true)
  })

  it.each([
    [{ enabled: false }, 'off', ['Turn on', 'Halt trading']],
    [{ enabled: true }, 'on', ['Turn off', 'Halt trading']],
    [
      { enabled: true, halted: { at: AT, reason: 'user' } },
      'halted',
      ['Turn off', 'Resume trading'],
    ],
  ])('%j is noted as %s', async (change, note, buttons) => {
    const { pane } = await show(RiskPane, 'RISK', { risk: { ...risk, ...change } })
    expect(pane.note).toBe(note)
    for (const name of buttons) expect(screen.getByRole('button', { name })).toBeTruthy()
    const canTradeLive = screen.queryByRole('button', { name: 'Trade live…' }) !== null
    expect(canTradeLive).toBe(note !== 'halted')
  })

  it('live trading is announced, and ended on paper', async () => {
    const live = { ...config, executionMode: 'live', mode: 'live' }
    const { sent, terminal } = await show(
      RiskPane,
      'RISK',
      { risk: { ...risk, mode: 'live' }, config: live },
      () => ({ ok: true, body: {} }),
    )
    expect(screen.queryByRole('button', { name: 'Trade live…' })).toBeNull()
    expect(screen.queryByText(/^Ticks trade on paper/)).toBeNull()
    expect(screen.getByText('Mode').nextElementSibling?.textContent).toBe('LIVE')
    await press('Turn on')
    const text = screen.getByRole('alertdialog').textContent
    expect(text).toContain('trades LIVE at the exchange')
    expect(text).not.toContain('Nothing leaves this machine')
    await press('Trade on paper')
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Trade on paper' }),
    )
    await pass(100)
    expect(sent.at(-1)?.body).toEqual({ executionMode: 'dry-run' })
    expect(terminal.notice?.text).toBe('Live trading ended')
  })

  it('an autopilot that is on is turned off after an explanation', async () => {
    const { sent, terminal } = await show(
      RiskPane,
      'RISK',
      { risk: { ...risk, enabled: true } },
      () => ({ ok: true, body: {} }),
    )
    await press('Turn off')
    const strip = screen.getByRole('alertdialog', { name: 'Turn off' })
    expect(strip.textContent).toContain('Positions stay open')
    await fireEvent.click(within(strip).getByRole('button', { name: 'Turn off' }))
    await pass(100)
    expect(sent.map(({ body }) => body)).toEqual([{ enabled: false }])
    expect(terminal.notice?.text).toBe('Autopilot turned off')
  })

  it('a change is sent once, and renews what it changes', async () => {
    const { requested, terminal } = await show(RiskPane, 'RISK', {}, () => ({ ok: true, body: {} }))
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await press('Turn on')
    const strip = within(screen.getByRole('alertdialog'))
    const button = strip.getByRole<HTMLButtonElement>('button', { name: 'Turn on' })
    await fireEvent.click(button)
    expect(button.disabled).toBe(true)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Trade live…' }).disabled).toBe(
      true,
    )
    requested.length = 0
    end({ ok: true, body: {} })
    await pass(100)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Trade live…' }).disabled).toBe(
      false,
    )
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Limits' }))
    for (const part of ['/risk', '/config'])
      expect(
        requested.filter((path) => path.includes(part)),
        part,
      ).toHaveLength(1)
  })

  it('a change that live trading needs first is named', async () => {
    const failed = [{ name: 'limits', message: 'set limits above 0: maxDailyLossCents' }]
    let answer = refused(409, 'LIVE_PRECONDITION_FAILED', 'no', { failed })
    const { terminal } = await show(RiskPane, 'RISK', {}, () => answer)
    await press('Turn on')
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Turn on' }),
    )
    await pass(100)
    expect(screen.getByRole('alert').textContent).toContain('Max daily loss')
    expect(terminal.notice).toBeNull()
    // Another error replaces the list.
    answer = refused(403, null, 'Not with this key')
    await press('Trade live…')
    await pass(100)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(terminal.notice?.tone).toBe('error')
    await press('Turn on')
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Turn on' }),
    )
    await pass(100)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('live trading that needs no confirmation renews the account', async () => {
    const { requested } = await show(RiskPane, 'RISK', {}, () => ({ ok: true, body: {} }))
    requested.length = 0
    await press('Trade live…')
    await pass(100)
    expect(requested.filter((path) => path.includes('/config'))).toHaveLength(1)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('a cancelled change leaves the focus on the pane, and in the form on its first button', async () => {
    const { terminal, pane } = await show(RiskPane, 'RISK')
    const keys = async (key: string) => {
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
    await keys('a')
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }),
    )
    await pass(50)
    const page = screen.getByRole('region', { name: 'Limits' })
    expect([screen.queryByRole('alertdialog'), document.activeElement]).toEqual([null, page])
    await keys('e')
    const form = within(screen.getByRole('form', { name: 'Limits and schedule' }))
    const order = form.getByRole('textbox', { name: /^Max order cost/ })
    await fireEvent.input(order, { target: { value: '250' } })
    expect(form.getByText('was $200.00')).toBeTruthy()
    await fireEvent.submit(screen.getByRole('form'))
    await fireEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }),
    )
    await pass(50)
    expect(document.activeElement?.textContent).toBe('Review changes')
    await keys('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.activeElement).toBe(page)
  })

  it('a halt closes what is being confirmed', async () => {
    const { terminal, pane } = await show(RiskPane, 'RISK', {}, () => ({ ok: true, body: {} }))
    await press('Turn on')
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'h' }), [`pane:${pane.id}`])
    await pass(100)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('a schedule that does not run is reported', async () => {
    await show(RiskPane, 'RISK', {
      config: { ...config, schedule: { lastError: 'the day is missing' } },
      risk: {
        ...risk,
        halted: { at: AT, reason: 'user' },
        lastTick: { tickAt: AT, status: 'skipped' },
      },
    })
    expect(screen.getByText('The schedule does not run: the day is missing')).toBeTruthy()
    const figure = (name: string) => screen.getByText(name).closest('div')
    expect(figure('Halted')?.textContent).toContain('20 Nov')
    expect(figure('Last tick')?.textContent).toContain('20 Nov')
  })

  it('an account without equity has no curves', async () => {
    const { drawdown } = risk
    await show(RiskPane, 'RISK', {
      risk: { ...risk, drawdown: { ...drawdown, equityCents: null } },
    })
    expect(screen.queryByRole('heading', { name: 'Equity and drawdown' })).toBeNull()
    expect(screen.getByRole('heading', { name: 'Limit usage' })).toBeTruthy()
  })

  it('a refresh does not change what is being typed', async () => {
    const scene = { risk, config }
    const { terminal, pane } = await show(RiskPane, 'RISK', scene)
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'e' }), [`pane:${pane.id}`])
    await pass(50)
    const order = screen.getByRole<HTMLInputElement>('textbox', { name: /^Max order cost/ })
    scene.config = { ...config, maxSingleOrderCents: 30_000 }
    terminal.live.refetch(terminal.live.source(portfolioConfig))
    await pass(100)
    expect(order.value).toBe('200')
  })

  it('equity and drawdown of each day follow from the equity now', async () => {
    const { requested } = await show(RiskPane, 'RISK')
    expect(requested).toContain(
      '/api/portfolio/attribution/daily?mode=paper&from=2026-10-22&to=2026-11-20',
    )
    expect(
      screen.getByRole('img', { name: /^Equity \$5,010\.00 on 2026-11-18, \$5,000\.00 now/ }),
    ).toBeTruthy()
    await press('table')
    const table = screen.getByRole('table', { name: 'Account by day' })
    const rows = within(table).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^ ?Day/),
      expect.stringMatching(/2026-11-20 ?−\$10\.00 ?\$5,000\.00 ?\$10\.00/),
      expect.stringMatching(/2026-11-19 ?\$0\.00 ?\$5,010\.00 ?\$0\.00/),
      expect.stringMatching(/2026-11-18 ?\+\$40\.00 ?\$5,010\.00 ?\$0\.00/),
    ])
  })

  it('what turning on does follows limits that are changed elsewhere meanwhile', async () => {
    const scene = { risk: { ...risk, enabled: false }, config }
    const { terminal, pane } = await show(RiskPane, 'RISK', scene)
    scene.config = { ...config, cronExpression: '1 * * * *' }
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'a' }), [`pane:${pane.id}`])
    await pass(100)
    expect(screen.getByRole('alertdialog').textContent).toContain('1 * * * *, Pacific time')
  })

  it('old prices are counted, not listed', async () => {
    const staleReasons = ['A', 'B', 'C'].map((ticker) => `price of ${ticker} is outdated`)
    await show(RiskPane, 'RISK', { risk: { ...risk, staleData: true, staleReasons } })
    expect(screen.getByText('Stale data: price of A is outdated; and 2 more')).toBeTruthy()
  })

  it('a fill requests the profit of the days again, and prices do not', async () => {
    const scene = { risk: { ...risk } }
    const { requested } = await show(RiskPane, 'RISK', scene)
    const count = () => requested.filter((path) => path.includes('/daily')).length
    expect(count()).toBe(1)
    scene.risk = { ...risk, drawdown: { ...risk.drawdown, equityCents: 500_100 } }
    await pass(6_000)
    expect(count()).toBe(1)
    scene.risk = { ...risk, balance: { ...risk.balance, totalCents: 497_000 } }
    await pass(6_000)
    expect(count()).toBe(2)
  })

  it('use of limits is a share, full at the limit and for a limit of 0', () => {
    const uses = limitUses(risk as never)
    expect(uses.map(({ name, usedText: used, share }) => [name, used, share])).toEqual([
      ['Exposure', '$2,400.00', 0.8],
      ['Loss today', '$0.00', 0],
      ['Drawdown', '$500.00', 1],
      ['Positions', '1', 0.05],
      ['Rate cut?', '$16.50', 0.0165],
    ])
    const none = { ...risk, positions: { used: 0, limit: 0 } }
    expect(limitUses(none as never)[3]?.share).toBe(1)
  })

  it.each([
    [{ enabled: true }, 'The autopilot is on'],
    [
      { enabled: true, cooldown: { ticksSinceLoss: 3, required: 4, active: true } },
      'The autopilot is on; no entries for 1 more tick after a loss',
    ],
    [{ halted: { at: AT, reason: 'user' } }, 'Trading is halted'],
  ])('%j', (change, text) => {
    expect(autopilotText({ ...risk, ...change })).toBe(text)
  })
})
