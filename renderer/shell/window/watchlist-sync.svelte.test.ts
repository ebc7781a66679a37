import { flushSync } from 'svelte'
import { expect, it, vi } from 'vitest'
import type { WatchedPage } from '../../../backend/contract/orders/watch.ts'
import { Watchlist } from './watchlist.svelte.ts'
import { WatchlistSync } from './watchlist-sync.svelte.ts'

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
  const live = {
    source: () => ({
      get body() {
        return body
      },
    }),
    subscribe: () => () => {},
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
  return { list, sent, notices, answer, tickers, end, refetch: live.refetch }
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
  await vi.waitFor(() => expect(refetch).toHaveBeenCalled())
  list.add('FULL', AT)
  await vi.waitFor(() => expect(notices).toEqual(['FULL was not stored: limit reached']))
  expect(sent.map((text) => text.slice(0, 28))).toContainEqual(expect.stringMatching(/^DELETE/))
  answer(page(object('NEXT'), object('ALERTED', 2)))
  expect(tickers()).toEqual(['ALERTED', 'NEXT'])
  end()
})

it('keeps a list without an account on this machine', () => {
  const { list, sent, tickers, end } = setUp(['MINE'], null)
  list.add('OTHER', AT)
  expect([tickers(), sent, list.owner]).toEqual([['MINE', 'OTHER'], [], null])
  end()
})
