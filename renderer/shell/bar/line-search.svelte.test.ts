import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { marketRow } from '../../testing/rows.ts'
import { freeText, LineSearch } from './line-search.svelte.ts'
import { MarketFinder } from './market-finder.ts'
import { createMarketRanking } from './market-ranking.ts'

it('finds markets that are loaded after the line was typed [terminal.keyboard.fresh]', async () => {
  const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
  const search = new LineSearch({ read: () => Promise.resolve(null) } as never, finder)
  await finder.loaded
  search.find('rave', new Map())
  expect(search.hits).toEqual([])
  finder.add([marketRow({ ticker: 'KXA', title: 'Ravens win?' })])
  expect(search.hits.map(({ ticker }) => ticker)).toEqual(['KXA'])
  finder.add([marketRow({ ticker: 'KXB', title: 'Ravens lose?' })])
  expect(search.hits).toHaveLength(1)
  search.cancel()
})

describe('the markets of a line', () => {
  const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
  finder.add([
    marketRow({ ticker: 'KXA', title: 'Ravens win?' }),
    marketRow({ ticker: 'KXB', title: 'Oil above 90?' }),
  ])
  it.each([
    ['rave', ['KXA']],
    ['r', []],
    ['MOV; rave', ['KXA']],
    ['rave; oil', ['KXB']],
    ['oil GP', ['KXB']],
    ['rave GP +oil', ['KXB']],
    ['MOV', []],
    ['', []],
  ])('“%s” are %j', async (line, tickers) => {
    const search = new LineSearch({ read: () => Promise.resolve(null) } as never, finder)
    await finder.loaded
    search.find(line, new Map())
    expect(search.hits.map(({ ticker }) => ticker)).toEqual(tickers)
    search.clear()
    expect(search.hits).toEqual([])
  })
})

describe('the finder of the service', () => {
  beforeEach(() => vi.useFakeTimers({ now: 0 }))
  afterEach(() => vi.useRealTimers())
  const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

  function setUp() {
    const requests: { path: string; signal: AbortSignal; answer: (isOk?: boolean) => void }[] = []
    const read = (path: string, signal: AbortSignal) =>
      new Promise((resolve) => {
        const answer = (isOk = true) =>
          resolve(isOk ? { ok: true, body: { results: [marketRow()] } } : { ok: false })
        requests.push({ path, signal, answer })
      })
    const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
    return { search: new LineSearch({ read } as never, finder), requests }
  }

  it('is requested 120 ms after the last key, once a text', async () => {
    const { search, requests } = setUp()
    search.find('rave', new Map())
    await pass(119)
    search.find('raven', new Map())
    await pass(119)
    expect(requests).toHaveLength(0)
    await pass(1)
    expect(requests.map(({ path }) => path)).toEqual([expect.stringContaining('q=raven')])
    requests[0]?.answer()
    await pass(0)
    expect(search.lookup?.text).toBe('raven')
    expect(await search.lookUp('raven')).toBe(search.lookup)
    expect(requests).toHaveLength(1)
  })

  it('is not requested for commands, and the answer to an older line is dropped', async () => {
    const { search, requests } = setUp()
    search.find('MOV', new Map())
    await pass(1_000)
    expect(requests).toHaveLength(0)
    search.find('ravens', new Map())
    await pass(120)
    search.find('MOV', new Map())
    expect(requests[0]?.signal.aborted).toBe(true)
    requests[0]?.answer()
    await pass(1_000)
    expect([search.lookup, requests.length]).toEqual([null, 1])
  })

  it('Enter requests it at once, in place of the planned request and of a pending one', async () => {
    const { search, requests } = setUp()
    search.find('ravens', new Map())
    const [first, second] = [search.lookUp('ravens'), search.lookUp('oil')]
    await pass(1_000)
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
    for (const { answer } of requests) answer()
    expect(await first).toBeNull()
    expect((await second)?.text).toBe('oil')
    const failed = search.lookUp('ravens')
    requests[2]?.answer(false)
    expect([await failed, search.lookup]).toEqual([null, null])
  })
})

it.each([
  ['ravens', 'ravens'],
  [' oil above $90? ', 'oil above $90?'],
  ['r', null],
  ['?ravens', null],
  ['MOV', null],
  ['oil', null],
  ['ravens>3', null],
  ['ravens; MOV', null],
])('the free text of “%s” is %j', (line, text) => {
  expect(freeText(line, new Map())).toBe(text)
})
