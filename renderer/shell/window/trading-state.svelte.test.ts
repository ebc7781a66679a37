import '../../testing/set-up-page.ts'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { portfolioConfig } from '../../api/portfolio-queries.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { globalKeys } from './global-keys.ts'
import { haltedText, watchTrading } from './trading-state.svelte.ts'
import { waitUntil } from '../../testing/wait-until.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

function setUp(writes?: Writes) {
  const config = { executionMode: 'dry-run', mode: 'paper', haltReason: null as string | null }
  const page = pageUnderTest(
    (path) => (path.startsWith('/api/portfolio/config') ? { ...config } : null),
    writes,
  )
  page.terminal.keys.bind(
    'global',
    globalKeys(page.terminal, () => {}),
  )
  return { ...page, config }
}

describe('HALT [terminal.portfolio.halt]', () => {
  it.each([
    ['the command', (terminal: ReturnType<typeof setUp>['terminal']) => terminal.run('HALT')],
    [
      'its key, also while a text is typed',
      (terminal: ReturnType<typeof setUp>['terminal']) => {
        const event = new KeyboardEvent('keydown', { key: 'F8' })
        Object.defineProperty(event, 'target', { value: document.createElement('input') })
        expect(terminal.keys.handle(event, ['bar', 'global'])).toBe(true)
      },
    ],
  ])('%s halts at once, with a message', async (_name, act) => {
    const { terminal, sent } = setUp(() => ({ ok: true, body: {} }))
    act(terminal)
    await waitUntil(() => expect(sent).toHaveLength(1))
    await pass(10)
    expect(sent).toEqual([
      { method: 'PUT', path: '/api/portfolio/config', body: { executionMode: 'halted' } },
    ])
    expect(terminal.notice).toEqual({
      tone: 'info',
      text: 'Trading halted: no order is sent. Positions stay. RISK resumes it',
    })
    expect(terminal.halted).toBe(true)
  })

  it.each([
    [401, 'Not halted: sign in first, or run augury portfolio halt'],
    [403, 'Not halted: No.'],
  ])('an error %i is reported', async (status, text) => {
    const { terminal, sent } = setUp(() => refused(status, null, 'No'))
    terminal.run('HALT')
    await waitUntil(() => expect(sent).toHaveLength(1))
    await pass(10)
    expect(terminal.notice).toEqual({ tone: 'error', text })
    expect(terminal.halted).toBe(false)
  })

  it('reports the orders that could not be cancelled', () => {
    const order = {
      clientOrderId: 'svc-1',
      venue: 'venue_b' as const,
      marketId: 'KX',
      marketTitle: 'K',
    }
    const resting = { ...order, status: 'resting' } as const
    expect(haltedText({ cancelled: [], failed: [] })).toContain('no order is sent')
    expect(haltedText({ cancelled: [resting, resting], failed: [] })).toContain(
      '2 orders cancelled',
    )
    expect(haltedText({ cancelled: [], failed: [{ ...resting, reason: 'no answer' }] })).toBe(
      'Trading halted; 1 order not cancelled and tried again each minute: KX, no answer',
    )
  })

  it('live trading is shown while ticks trade at the exchange, not while it waits for a confirmation', async () => {
    const { terminal, config } = setUp()
    onTestFinished(watchTrading(terminal))
    config.executionMode = 'live'
    await pass(100)
    expect(terminal.trading).toBe('paper')
    config.mode = 'live'
    await pass(16_000)
    expect(terminal.trading).toBe('live')
  })

  it('the window shows a halt made elsewhere, and a halt by drawdown as an error', async () => {
    const { terminal, config } = setUp()
    const stop = watchTrading(terminal)
    onTestFinished(stop)
    await pass(100)
    expect(terminal.halted).toBe(false)
    config.executionMode = 'halted'
    config.haltReason = 'drawdown'
    await pass(16_000)
    expect(terminal.halted).toBe(true)
    expect(terminal.notice).toEqual({
      tone: 'error',
      text: 'Trading is halted: the drawdown reached its limit',
    })
    config.executionMode = 'dry-run'
    await pass(16_000)
    expect(terminal.halted).toBe(false)
  })

  it('a halt requests again what it changes, and orders that stay are an error', async () => {
    const failed = [{ marketId: 'KX', reason: 'no answer' }]
    const orders = { cancelled: [{}], failed }
    const { terminal, requested } = setUp(() => ({ ok: true, body: { orders } }))
    terminal.live.subscribe(terminal.live.source(portfolioConfig))
    await pass(100)
    requested.length = 0
    terminal.run('HALT')
    await waitUntil(() => expect(terminal.halted).toBe(true))
    await pass(100)
    expect([terminal.trading, terminal.notice]).toEqual([
      'paper',
      {
        tone: 'error',
        text: 'Trading halted; 1 order cancelled; 1 order not cancelled and tried again each minute: KX, no answer',
      },
    ])
    expect(requested.filter((path) => path.startsWith('/api/portfolio/config'))).toHaveLength(1)
  })

  it('a halt made here is no drawdown, and the state ends with the watch', async () => {
    const { terminal, config } = setUp()
    const stop = watchTrading(terminal)
    config.executionMode = 'halted'
    config.haltReason = 'drawdown'
    terminal.halted = true
    await pass(100)
    expect([terminal.halted, terminal.trading, terminal.notice]).toEqual([true, 'paper', null])
    stop()
    expect([terminal.halted, terminal.trading]).toEqual([false, null])
  })

  it('a halt by the user elsewhere is shown without an error', async () => {
    const { terminal, config } = setUp()
    onTestFinished(watchTrading(terminal))
    await pass(100)
    config.executionMode = 'halted'
    config.haltReason = 'user'
    await pass(16_000)
    expect([terminal.halted, terminal.notice]).toEqual([true, null])
  })
})
