import { flushSync } from 'svelte'
import { expect, it, vi } from 'vitest'
import type { ChartDrawings } from '../../../../backend/contract/charts/drawings.ts'
import { Drawings } from '../../../shell/window/drawings.svelte.ts'
import { DrawingsSync } from './drawings-sync.ts'

const level = (price: number) => ({ id: `level-${price}`, kind: 'level' as const, price })
const page = (...markets: readonly (readonly [string, ...number[]])[]): ChartDrawings => ({
  markets: markets.map(([ticker, ...prices]) => ({
    ticker,
    drawings: prices.map(level),
    updatedAt: '2026-11-20T10:00:00.000Z',
  })),
  count: markets.length,
})

/** A page whose service stores drawings, and refuses those of the market FULL. */
function setUp(user: { readonly id: string } | null, stored = new Map<string, string>()) {
  const keep = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  }
  const drawings = new Drawings(keep)
  let body = $state.raw<ChartDrawings | null>(null)
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
    send: (
      _method: string,
      _path: string,
      { ticker, drawings: all }: ChartDrawings['markets'][0],
    ) => {
      sent.push(`${ticker} ${all.map(({ id }) => id).join()}`)
      const isOk = ticker !== 'FULL'
      return Promise.resolve(
        isOk ? { ok: true, body: {} } : { ok: false, failure: { message: 'at most 200 markets' } },
      )
    },
  }
  const sync = new DrawingsSync(live as never, { user } as never, drawings, (text) =>
    notices.push(text),
  )
  const end = $effect.root(() => {
    $effect(() => sync.follow())
  })
  const answer = async (next: ChartDrawings) => {
    body = next
    flushSync()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  const prices = (ticker: string) => drawings.get(ticker).map(({ id }) => id)
  return { drawings, sent, notices, answer, prices, end, stored, refetch: live.refetch }
}

it('drawings of this machine move into the account once [terminal.chart.drawings-account]', async () => {
  const page1 = setUp({ id: 'ann' })
  const { drawings, sent, answer, prices, end, stored } = page1
  drawings.addLevel('MINE', 10)
  drawings.addLevel('BOTH', 20)
  await answer(page(['NEW', 30], ['BOTH', 40]))
  expect(sent.toSorted()).toEqual(['BOTH level-40,level-20', 'MINE level-10'])
  expect([prices('NEW'), prices('BOTH'), prices('MINE')]).toEqual([
    ['level-30'],
    ['level-40', 'level-20'],
    ['level-10'],
  ])
  expect(drawings.owner).toBe('ann')
  // What another device removed is removed here.
  await answer(page(['NEW', 30]))
  expect([prices('MINE'), sent.length]).toEqual([[], 2])
  end()
  // Another account on this machine does not receive them.
  const other = setUp({ id: 'ben' }, stored)
  await other.answer(page())
  expect([other.prices('NEW'), other.sent]).toEqual([[], []])
  other.end()
})

it('changes and what takes them back are stored, one market at a time', async () => {
  const { drawings, sent, answer, prices, end, refetch } = setUp({ id: 'ann' })
  await answer(page(['KX', 30]))
  drawings.addLevel('KX', 40)
  drawings.addLevel('KX', 50)
  // Requested before the changes: not taken over.
  await answer(page(['KX', 30]))
  expect(prices('KX')).toEqual(['level-30', 'level-40', 'level-50'])
  expect(sent).toEqual(['KX level-30,level-40', 'KX level-30,level-40,level-50'])
  drawings.undo('KX')
  await answer(page(['KX', 30, 40, 50]))
  expect(sent.at(-1)).toBe('KX level-30,level-40')
  expect(refetch).toHaveBeenCalled()
  end()
})

it('an answer is requested again only after a change that was stored', async () => {
  const { drawings, answer, end, refetch } = setUp({ id: 'ann' })
  await answer(page(['KX', 30]))
  await answer(page(['KX', 30]))
  drawings.addLevel('FULL', 40)
  await answer(page(['KX', 30]))
  expect(refetch).not.toHaveBeenCalled()
  drawings.addLevel('KX', 50)
  await answer(page(['KX', 30]))
  expect(refetch).toHaveBeenCalledTimes(1)
  end()
})

it('refused drawings stay on this machine, with the reason, and are sent again', async () => {
  const { drawings, sent, notices, answer, prices, end } = setUp({ id: 'ann' })
  await answer(page())
  drawings.addLevel('FULL', 40)
  await answer(page())
  await answer(page(['KX', 1]))
  expect(prices('FULL')).toEqual(['level-40'])
  expect(notices).toEqual(['Drawings of FULL are on this machine only: at most 200 markets'])
  expect(sent).toEqual(['FULL level-40', 'FULL level-40'])
  end()
})

it('changes that the account does not have are kept over a reload, deletions too', async () => {
  const first = setUp({ id: 'ann' })
  await first.answer(page(['KX', 30]))
  first.drawings.addLevel('FULL', 40)
  await first.answer(page(['KX', 30]))
  first.end()
  const reloaded = setUp({ id: 'ann' }, first.stored)
  // Before the service answers.
  reloaded.drawings.clear('KX')
  await reloaded.answer(page(['KX', 30]))
  expect([reloaded.prices('FULL'), reloaded.prices('KX')]).toEqual([['level-40'], []])
  expect(reloaded.sent.toSorted()).toEqual(['FULL level-40', 'KX '])
  reloaded.end()
  // They never move into another account.
  const other = setUp({ id: 'ben' }, reloaded.stored)
  await other.answer(page(['KX', 7]))
  expect([other.prices('FULL'), other.prices('KX'), other.sent]).toEqual([[], ['level-7'], []])
  other.end()
})

it('without an account drawings stay on this machine', () => {
  const { drawings, sent, end } = setUp(null)
  flushSync()
  drawings.addLevel('KX', 40)
  expect([sent, drawings.owner, drawings.get('KX').length]).toEqual([[], null, 1])
  end()
})
