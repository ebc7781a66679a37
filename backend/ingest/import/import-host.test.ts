import { beforeAll, describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import type { Millis, PriceE4 } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { WholeHistory } from '../../history/history.ts'
import { silentLogger } from '../../lib/logger.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import {
  createImportHost,
  type FactsVersion,
  type ImportHost,
  type Outcome,
} from './import-host.ts'
import { UNDESCRIBED } from './staging/undescribed-tag.ts'

const END = 8_640_000_000_000_000 as Millis

let history: WholeHistory
let host: ImportHost
/** Each test has markets of its own. */
beforeAll(async () => {
  history = await openHistory({ path: ':memory:', logger: silentLogger })
  host = createImportHost(history)
  return () => history.close()
})

const version = (
  ticker: string,
  knownAt: number,
  facts: Partial<MarketFacts> = {},
): FactsVersion => ({
  knownAt: knownAt as Millis,
  facts: marketFacts({ ticker, title: `${ticker}?`, ...facts }),
})
/** The description of a market by its id, whose rows are stored. */
const undescribed = async (ticker: string, knownAt: number): Promise<FactsVersion> => {
  await host.marketIds([{ venue: 'venue_a', ticker }])
  return version(ticker, knownAt, { title: ticker, tags: [UNDESCRIBED] })
}
/** The title that is known of a market at an instant. */
const titleAt = async (ticker: string, at: number): Promise<string | null> => {
  const market = history.marketIdOf(ticker)?.market
  if (market === undefined) return null
  return (await history.recordsAt(at as Millis, [market]))[0]?.facts.title ?? null
}

describe('outcomes of an import', () => {
  const outcome = (ticker: string, more: Partial<Outcome> = {}): Outcome => ({
    venue: 'venue_a',
    ticker,
    result: 'yes',
    settlementPrice: 10_000 as PriceE4,
    knownAt: 2_000 as Millis,
    ...more,
  })
  const undated = { knownAt: null }
  const over = { status: 'settled', result: 'yes' } as const

  it.each([
    ['an unknown market', null, {}, 'no such market'],
    ['a market of another venue', {}, { venue: 'venue_b' }, 'no such market'],
    ['an open market', {}, {}, 'taken'],
    ['an open market, undated', {}, undated, 'no end on file'],
    ['a closed market', { status: 'closed' }, {}, 'taken'],
    ['a closed market, undated', { status: 'closed' }, undated, 'taken'],
    ['a settled market', over, {}, 'known'],
    ['a settled market, undated', over, undated, 'known'],
    ['a market with another result', over, { result: 'no' }, 'other result'],
  ] as const)('of %s', async (name, facts, more, status) => {
    if (facts !== null) await host.adoptFacts([version(name, 1_000, facts)])
    const versions = async (): Promise<number> => {
      const market = history.marketIdOf(name)?.market
      return market === undefined ? 0 : (await history.versionsOf(market, END)).length
    }
    const before = await versions()
    expect(await host.settle([outcome(name, more)], true)).toEqual([status])
    expect(await versions()).toBe(before)
    expect(await host.settle([outcome(name, more)], false)).toEqual([status])
    expect(await versions()).toBe(before + (status === 'taken' ? 1 : 0))
  })

  it.each([
    ['when it was reported', 2_000, 2_000],
    ['just after the last version if it was reported before', 500, 1_001],
    ['just after the last version if no time is stated', null, 1_001],
  ])('is known %s', async (name, knownAt, expected) => {
    await host.adoptFacts([version(name, 1_000, { status: 'closed' })])
    await host.settle([outcome(name, { knownAt: knownAt as Millis | null })], false)
    const [record] = await history.recordsAt(END, [history.marketIdOf(name)?.market ?? -1])
    expect(record?.knownAt).toBe(expected)
    expect(record?.facts).toMatchObject({
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000,
      title: `${name}?`,
    })
  })
})

describe('markets known by their rows alone', () => {
  it('are described once, unless something describes them', async () => {
    await host.adoptFacts([version('KNOWN', 1_000)])
    const rows = [await undescribed('NEW', 1_000), await undescribed('KNOWN', 500)]
    expect(await host.describeByIds(rows, true)).toEqual([true, false])
    expect(await titleAt('NEW', END)).toBeNull()
    expect(await host.describeByIds(rows, false)).toEqual([true, false])
    expect(await titleAt('NEW', 999)).toBeNull()
    expect(await titleAt('NEW', 1_000)).toBe('NEW')
    expect(await titleAt('KNOWN', END)).toBe('KNOWN?')
    // The rows of a later file still belong to a market that nothing describes.
    expect(await host.describeByIds(rows, false)).toEqual([true, false])
    expect(await createImportHost(history).describeByIds(rows, false)).toEqual([true, false])
  })

  it.each([
    ['before the first row', 500, ['?', '?']],
    ['at the instant of the first row', 1_000, [null, '?']],
    ['after it', 1_500, [null, '']],
  ] as const)('have a description that was known %s', async (name, knownAt, titles) => {
    await host.describeByIds([await undescribed(name, 1_000)], false)
    await host.adoptFacts([version(name, knownAt)])
    const expected = titles.map((sign) => (sign === null ? null : `${name}${sign}`))
    expect([await titleAt(name, 999), await titleAt(name, 1_001)]).toEqual(expected)
    expect(await titleAt(name, END)).toBe(`${name}?`)
  })

  it('repeat the newest description from before their rows, once', async () => {
    await host.describeByIds([await undescribed('REPEATED', 1_000)], false)
    await host.adoptFacts([
      version('REPEATED', 300, { title: 'Second?' }),
      version('REPEATED', 100, { title: 'First?' }),
    ])
    expect(await titleAt('REPEATED', 200)).toBe('First?')
    expect(await titleAt('REPEATED', END)).toBe('Second?')
    await host.adoptFacts([version('REPEATED', 200, { title: 'Between?' })])
    expect(await titleAt('REPEATED', END)).toBe('Second?')
  })
})

describe('other names of markets', () => {
  it('are found by venue, in the order of the request', async () => {
    await host.adoptFacts([
      version('A', 1_000, { venue: 'venue_b', aliases: ['1', 'slug-a'], assetIds: ['11', '12'] }),
      version('B', 1_000, { aliases: ['2'] }),
    ])
    expect(await host.tickersByName('venue_b', ['2', 'slug-a', '1', 'none'])).toEqual([
      null,
      'A',
      'A',
      null,
    ])
    expect(await host.assetsById(['12', '11', '13'])).toEqual([
      { ticker: 'A', asset: '11', outcome: 0 },
      { ticker: 'A', asset: '12', outcome: 1 },
    ])
  })
})

it('stores coverage of single markets and of a whole venue', async () => {
  const row = {
    venue: 'venue_a',
    feed: 'trades',
    state: 'gap',
    from: 1 as Millis,
    to: 2 as Millis,
    knownAt: 3 as Millis,
    reason: 'closed',
  } as const
  const coverage = ['GAP-A', null, 'GAP-B'].map((ticker) => ({ ...row, ticker }))
  await host.storeStatements({ coverage })
  const span = { from: 0 as Millis, to: 9 as Millis, asOf: 9 as Millis, limit: 10 }
  const stored = await history.gaps({ venue: 'venue_a', ...span })
  const ids = ['GAP-A', 'GAP-B'].map((ticker) => history.marketIdOf(ticker)?.market)
  expect(new Set(stored.map(({ market }) => market))).toEqual(new Set([...ids, null]))
})
