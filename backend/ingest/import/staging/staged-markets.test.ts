import { describe, expect, it } from 'vitest'
import type { Millis } from '../../../domain/units.ts'
import type { FactsVersion, ImportHost } from '../import-host.ts'
import { createTally } from '../tally.ts'
import { createStagedMarkets, type StagedRows } from './staged-markets.ts'

const tallyOf = (path: string) => createTally(path, () => {})
const rowsOf = (name: string, rows: Partial<StagedRows> = {}): StagedRows => ({
  venue: 'venue_a',
  name,
  rows: 1,
  firstKnownAt: 500 as Millis,
  ...rows,
})

/** A host that describes each market, or none of the named ones. */
const describing = (known: readonly string[] = []) => {
  const requests: (readonly FactsVersion[])[] = []
  const dryRuns: boolean[] = []
  const host = {
    describeByIds: (versions: readonly FactsVersion[], dryRun: boolean) => {
      requests.push(versions)
      dryRuns.push(dryRun)
      return Promise.resolve(versions.map(({ facts }) => !known.includes(facts.ticker)))
    },
  } as unknown as ImportHost
  return { host, requests, dryRuns }
}

describe('the markets of staged rows', () => {
  it('are described once, from their first row on, and counted in each of their files', async () => {
    const staged = createStagedMarkets()
    const [first, second] = [tallyOf('/1.csv'), tallyOf('/2.csv')]
    staged.add(first, rowsOf('kx-a', { rows: 3 }))
    staged.add(first, rowsOf('KX-A', { rows: 4, firstKnownAt: 600 as Millis }))
    staged.add(second, rowsOf('KX-A', { rows: 5, firstKnownAt: 400 as Millis }))
    staged.add(second, rowsOf('KX-B'))
    const { host, requests, dryRuns } = describing(['KX-B'])
    await staged.describe(host, { described: new Map(), dryRun: true })
    expect(dryRuns).toEqual([true])
    expect(requests[0]?.map(({ knownAt, facts }) => [facts.ticker, knownAt])).toEqual([
      ['KX-A', 400],
      ['KX-B', 500],
    ])
    expect(first.report()).toMatchObject({ rowsUndescribed: 7, marketsUndescribed: 1 })
    expect(second.report()).toMatchObject({ rowsUndescribed: 5, marketsUndescribed: 1 })
  })

  it('are left to the descriptions of the same import', async () => {
    const staged = createStagedMarkets()
    for (const name of ['A', 'B', 'C']) staged.add(tallyOf('/1.csv'), rowsOf(name))
    const { host, requests } = describing()
    const described = new Map([
      ['venue_a A', 'A'],
      ['venue_a B', null],
      ['venue_b C', 'C'],
    ])
    await staged.describe(host, { described, dryRun: false })
    expect(requests[0]?.map(({ facts }) => facts.ticker)).toEqual(['B', 'C'])
  })

  it('have their slug as a title, and else their name', async () => {
    const staged = createStagedMarkets()
    staged.add(tallyOf('/1.csv'), rowsOf('will-it-rain', { venue: 'venue_b' }))
    staged.add(tallyOf('/1.csv'), rowsOf('0xab12', { venue: 'venue_b' }))
    staged.add(tallyOf('/1.csv'), rowsOf('kxa-b-c'))
    const { host, requests } = describing()
    await staged.describe(host, { described: new Map(), dryRun: false })
    expect(requests[0]?.map(({ facts }) => [facts.title, facts.aliases])).toEqual([
      ['Will It Rain', ['will-it-rain']],
      ['0xab12', ['0xab12']],
      ['kxa-b-c', ['kxa-b-c']],
    ])
  })

  it('are described two thousand at a time', async () => {
    const staged = createStagedMarkets()
    for (let n = 0; n < 2_001; n += 1) staged.add(tallyOf('/1.csv'), rowsOf(`KX-${n}`))
    const { host, requests } = describing()
    await staged.describe(host, { described: new Map(), dryRun: false })
    expect(requests.map((versions) => versions.length)).toEqual([2_000, 1])
    expect(requests[1]?.[0]?.facts.ticker).toBe('KX-2000')
  })
})
