import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import type { ServedDelivery } from '../../../backend/contract/orders/deliveries.ts'
import { lineOf, NewNotices, otherNotices, showAlerts, unshown } from './alert-notices.svelte.ts'

const delivery = (eventId: string, id = `del_${eventId}`) =>
  ({ id, eventId }) as Partial<ServedDelivery> as ServedDelivery
const ids = (deliveries: readonly ServedDelivery[], shown: readonly string[]) =>
  unshown(deliveries, shown).map(({ eventId }) => eventId)

it('shows the alerts that are new since the last answer, oldest first', () => {
  const newestFirst = ['4', '3', '2', '1'].map((eventId) => delivery(eventId))
  expect(ids(newestFirst, ['2', '1'])).toEqual(['3', '4'])
  expect(ids(newestFirst, ['4', '3', '2', '1'])).toEqual([])
})

it('shows an event once that also went to webhooks', () => {
  const deliveries = [delivery('2'), delivery('1', 'del_hook'), delivery('1')]
  expect(ids(deliveries, [])).toEqual(['1', '2'])
})

it('shows notices of theses and endpoints, and leaves ticks and fired alerts to their places', () => {
  const events = ['thesis.killed', null, 'portfolio.tick_completed', 'alert.fired'] as const
  const notices = events.map((event, at) => ({ ...delivery(`${at}`), event }))
  expect(otherNotices(notices).map(({ event }) => event)).toEqual(['thesis.killed', null])
})

it.each([
  [null, 'Thesis Fed cuts formed: confidence 55%, 2 edges', 'THES'],
  [null, 'Heartbeat of thesis Fed cuts paused: its budget of $5 for 2026-11 is spent', 'THES'],
  ['thesis.killed', 'Thesis Fed cuts killed: a kill condition is met', 'THES'],
  [null, 'Webhook endpoint Bot paused: it answered 410 Gone', 'HOOK'],
  [null, 'The drawdown of $120 reached the warning of $100', 'RISK'],
  ['portfolio.halt_triggered', 'Trading halted', 'RISK'],
] as const)('a click on a notice opens the pane of its subject: %s, %s', (event, message, line) => {
  expect(lineOf({ ticker: null, ruleId: null, event, message })).toBe(line)
})

it('a click on the notice of an alert opens its market, or the alerts', () => {
  const alert = { event: 'alert.fired', ruleId: 'ar_1', message: '99¢' } as const
  expect(lineOf({ ...alert, ticker: 'KX-1' })).toBe('KX-1 DES')
  expect(lineOf({ ...alert, ticker: null })).toBe('ALERT')
})

it('shows no notice from before the page was opened, also when a deletion lets old ones in', () => {
  const at = (n: number) => ({ ...delivery(`${n}`), createdAt: `2026-11-20T12:0${n}:00.000Z` })
  const fresh = new NewNotices()
  const next = (...newestFirst: number[]) =>
    fresh.next(newestFirst.map(at)).map(({ eventId }) => eventId)
  expect(next(3, 2)).toEqual([])
  expect(next(4, 3)).toEqual(['4'])
  expect(next(5, 4)).toEqual(['5'])
  // 4 and 5 were deleted: the list is filled up with older ones.
  expect(next(3, 2, 1)).toEqual([])
  expect(next(6, 3, 2)).toEqual(['6'])
})

it.each([
  ['endpoint.paused', 'x', 'HOOK'],
  ['thesis.killed', 'Webhook endpoint x', 'THES'],
  [null, 'Heartbeat of thesis x', 'THES'],
  [null, 'Live trading ended', 'RISK'],
  [null, 'Your thesis', 'ALERT'],
] as const)('the event counts before the text: %s, %s', (event, message, line) => {
  expect(lineOf({ ticker: null, ruleId: null, event: event as never, message })).toBe(line)
})

describe('while the page is open', () => {
  beforeEach(() => vi.useFakeTimers({ now: 0 }))
  afterEach(() => vi.useRealTimers())

  it.each([
    { isSeen: true, shown: [] },
    {
      isSeen: false,
      shown: ['Augury alert: KX is above 60¢ ($KX DES)', 'Augury: Thesis ends (THES)'],
    },
  ])('alerts and notices are shown, seen $isSeen', async ({ isSeen, shown }) => {
    const pages = { alerts: [] as object[], others: [] as object[] }
    const page = pageUnderTest((path) => {
      if (path.includes('event=') || path.includes('rule')) return { data: pages.alerts }
      return path.includes('deliveries') ? { data: pages.others } : null
    })
    const { terminal, requested, stop } = page
    const notices: string[] = []
    vi.spyOn(terminal, 'showNotice').mockImplementation((text) => void notices.push(text))
    const notes: string[] = []
    const bridge = {
      notify: ({ title, body, line }: { title: string; body: string; line: string | null }) => {
        notes.push(`${title}: ${body} (${line ?? ''})`)
        return Promise.resolve('shown' as const)
      },
    }
    const end = showAlerts(terminal, { bridge, web: null, open: () => {} }, () => isSeen)
    const settle = async () => {
      flushSync()
      await vi.advanceTimersByTimeAsync(60_000)
      flushSync()
    }
    await settle()
    expect([notices, requested.length > 1]).toEqual([[], true])
    const row = (eventId: string, more: object) => ({
      id: eventId,
      eventId,
      createdAt: '2026-11-20T12:00:00.000Z',
      ticker: null,
      ruleId: null,
      ...more,
    })
    const fired = row('1', {
      event: 'alert.fired',
      message: 'KX is above 60¢',
      ticker: 'KX',
      ruleId: 'r',
    })
    pages.alerts = [fired]
    pages.others = [row('2', { event: 'thesis.killed', message: 'Thesis ends' })]
    await settle()
    expect(notices).toEqual(['Alert: KX is above 60¢', 'Thesis ends'])
    expect(notes).toEqual(shown)
    await settle()
    expect(notices).toHaveLength(2)
    end()
    stop()
  })
})
