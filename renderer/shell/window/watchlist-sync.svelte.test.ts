import { flushSync } from 'svelte'
import { expect, it, vi } from 'vitest'
import type { WatchedPage } from '../../../backend/contract/orders/watch.ts'
import { Watchlist } from './watchlist.svelte.ts'
import { WatchlistSync } from './watchlist-sync.svelte.ts'
import { waitUntil } from '../../testing/wait-until.ts'

const AT = '2026-11-20T10:00:00.000Z'
const KEEP = { getItem: () => null, setItem: () => {} }
const object = (ref: string, rules = 0) => ({
  id: `w-${ref}`,
  kind: 'market',
  ref,
  rules: Array.from({ length: rules }, () => ({})),
  createdAt: AT,
})
const page = (...objects: readonly object[]) => ({ objects }) as unknown as WatchedPage

/** A page whose service stores a list; `answer` is the newest list that the page received. */
function setUp(local: readonly string[], user: { readonly id: string } | null) {
  const list = new Watchlist(KEEP)
  for (const ticker of local) list.add(ticker, AT)
  let body = $state.raw<WatchedPage | null>(null)
  const sent: string[] = []
  const notices: string[] = []
  const polls = { count: 0 }
  const live = {
    source: () => ({
      get body() {
        return body
      },
    }),
    subscribe: () => {
      polls.count += 1
      return () => void (polls.count -= 1)
    },
    refetch: vi.fn(),
    send: (method: string, path: string | { readonly path: string }, fields?: object) => {
      const target = typeof path === 'string' ? path : path.path
      sent.push(`${method} ${target} ${JSON.stringify(fields ?? '')}`)
      const failure = { message: 'limit reached' }
      const { ticker = '' } = (fields ?? {}) as { readonly ticker?: string }
      const ok = ticker !== 'FULL'
      return Promise.resolve(ok ? { ok, body: { id: `w-${ticker}` } } : { ok, failure })
    },
  }
  const sync = new WatchlistSync(live as never, { user } as never, list, (text) =>
    notices.push(text),
  )
  const end = $effect.root(() => {
    $effect(() => sync.follow())
  })
  const answer = (next: WatchedPage) => {
    body = next
    flushSync()
  }
  const tickers = () => list.all.map(({ ticker }) => ticker)
  return { list, sent, notices, answer, tickers, end, refetch: live.refetch, sync, polls }
}

it('is the list of the service, with markets added before signing in [terminal.watch.one]', () => {
  const { list, sent, answer, tickers, end } = setUp(['MINE', 'BOTH'], { id: 'ann' })
  answer(page(object('NEW'), object('BOTH')))
  expect(tickers()).toEqual(['BOTH', 'NEW', 'MINE'])
  expect(sent).toEqual(['POST /api/watch {"ticker":"MINE"}'])
  // From then on a market that another device removed is removed here.
  expect(list.owner).toBe('ann')
  end()
})

it('stores what is added and removed, and reports what was not', async () => {
  const { list, sent, notices, answer, tickers, end, refetch } = setUp([], { id: 'ann' })
  answer(page(object('OLD'), object('ALERTED', 2)))
  list.add('NEXT', AT)
  list.remove('OLD')
  expect(list.remove('ALERTED').text).toBe(
    '2 alerts keep ALERTED on the watchlist. ALERT lists and removes them',
  )
  // A list that was requested before the change does not take it back.
  answer(page(object('OLD'), object('ALERTED', 2)))
  expect(tickers()).toEqual(['ALERTED', 'NEXT'])
  await waitUntil(() => expect(refetch).toHaveBeenCalled())
  list.add('FULL', AT)
  await waitUntil(() => expect(notices).toEqual(['FULL was not stored: limit reached']))
  expect(sent.map((text) => text.slice(0, 28))).toContainEqual(expect.stringMatching(/^DELETE/))
  answer(page(object('NEXT'), object('ALERTED', 2)))
  expect(tickers()).toEqual(['ALERTED', 'NEXT'])
  end()
})

it('removes a market at the service that was removed before its addition was answered', async () => {
  const { list, sent, notices, answer, end, refetch } = setUp([], { id: 'ann' })
  answer(page())
  list.add('TWICE', AT)
  list.remove('TWICE')
  expect(sent).toEqual(['POST /api/watch {"ticker":"TWICE"}'])
  await waitUntil(() => expect(refetch).toHaveBeenCalledOnce())
  expect(sent.slice(1)).toEqual(['DELETE /api/watch/w-TWICE ""'])
  expect(notices).toEqual([])
  end()
})

it('keeps a list without an account on this machine', () => {
  const { list, sent, tickers, end } = setUp(['MINE'], null)
  list.add('OTHER', AT)
  expect([tickers(), sent, list.owner]).toEqual([['MINE', 'OTHER'], [], null])
  end()
})

it('is requested once for a user, and repeatedly while a pane shows it', () => {
  const { sync, polls, answer, end } = setUp([], { id: 'ann' })
  const stop = sync.watch()
  expect(polls.count).toBe(1)
  stop()
  expect(polls.count).toBe(0)
  answer(page())
  sync.watch()
  expect(polls.count).toBe(0)
  const stopOften = sync.watchOften()
  expect(polls.count).toBe(1)
  stopOften()
  expect(polls.count).toBe(0)
  end()
  const anonymous = setUp([], null)
  anonymous.sync.watch()
  anonymous.sync.watchOften()
  expect(anonymous.polls.count).toBe(0)
  anonymous.end()
})

it('takes over markets only, oldest first, and keeps those with one alert', () => {
  const { list, tickers, answer, sent, end } = setUp([], { id: 'ann' })
  const event = { ...object('E'), kind: 'event' }
  answer(page(object('NEW', 1), event, object('OLD')))
  expect(tickers()).toEqual(['OLD', 'NEW'])
  expect(list.remove('NEW').text).toBe(
    'An alert keeps NEW on the watchlist. ALERT lists and removes them',
  )
  expect(list.remove('OLD').ok).toBe(true)
  expect(sent).toEqual(['DELETE /api/watch/w-OLD ""'])
  end()
})

it('reports a market that was not removed, and requests the list once for many changes', async () => {
  const { list, notices, answer, refetch, end } = setUp([], { id: 'ann' })
  answer(page(object('A'), object('B')))
  list.add('FULL', AT)
  list.remove('A')
  list.remove('B')
  await waitUntil(() => expect(notices).toHaveLength(1))
  await Promise.resolve()
  expect(refetch).toHaveBeenCalledTimes(1)
  end()
})

it('drops what another device removed, and adds nothing of its own again', () => {
  const { list, tickers, answer, sent, end } = setUp([], { id: 'ann' })
  answer(page(object('A'), object('B')))
  answer(page(object('B')))
  expect([tickers(), sent, list.owner]).toEqual([['B'], [], 'ann'])
  end()
})
