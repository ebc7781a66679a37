import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MarketFacts, MarketStatus } from '../../../domain/market.ts'
import { HOUR, type Millis } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { NOON } from '../../../testing/builders.ts'
import { marketFacts } from '../../../testing/market-facts.ts'
import type { MarketId } from '../../market-key.ts'
import type { MarketRecord } from '../../market-rows.ts'
import { openHistory, type OpenHistory } from '../open.ts'

const OPEN: readonly MarketStatus[] = ['active', 'paused']
const after = (hours: number): Millis => (NOON + hours * HOUR) as Millis

describe('facts of all markets', () => {
  let history: OpenHistory
  let ids: MarketId[]
  const known = (i: number, hours: number, facts: Partial<MarketFacts>) => ({
    market: ids[i] ?? -1,
    knownAt: after(hours),
    facts: marketFacts({ ticker: `KX-${i}`, ...facts }),
  })
  const readAt = (hours: number): Promise<MarketRecord[]> =>
    history.recordsAt(after(hours), null, OPEN)
  const titlesAt = async (hours: number) => (await readAt(hours)).map(({ facts }) => facts.title)

  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    ids = await history.marketIds([0, 1, 2, 3].map((i) => marketFacts({ ticker: `KX-${i}` })))
    await history.append({ facts: ids.map((_, i) => known(i, 0, { title: `Question ${i}` })) })
  })
  afterEach(() => history.close())

  it('are the same records while unchanged', async () => {
    const before = await readAt(1)
    const again = await readAt(2)
    expect(again.map((record, i) => record === before[i])).toEqual([true, true, true, true])
  })

  it('are reread where they changed, and unchanged for earlier instants', async () => {
    const before = await readAt(1)
    await history.append({
      facts: [known(1, 2, { title: 'Asked otherwise' }), known(3, 2, { status: 'settled' })],
    })
    const now = await readAt(3)
    expect(now.map(({ facts }) => facts.title)).toEqual([
      'Question 0',
      'Asked otherwise',
      'Question 2',
    ])
    expect([now[0] === before[0], now[2] === before[2]]).toEqual([true, true])
    expect(await titlesAt(1)).toEqual(before.map(({ facts }) => facts.title))
  })

  it('use the later appended of two versions of one instant', async () => {
    await history.append({ facts: [known(0, 2, { title: 'First' })] })
    expect((await titlesAt(2))[0]).toBe('First')
    await history.append({ facts: [known(0, 2, { title: 'Second' })] })
    expect((await titlesAt(2))[0]).toBe('Second')
  })

  it('include since when a market is known, also when an import knew it earlier', async () => {
    expect((await readAt(1))[2]?.firstSeenAt).toBe(after(0))
    await history.append({ facts: [known(2, -5, { title: 'Question 2' })] })
    expect((await readAt(1))[2]?.firstSeenAt).toBe(after(-5))
  })

  it('are read completely if most are new, and keep unchanged records', async () => {
    const before = await readAt(1)
    const changed = [1, 2, 3].map((i) => known(i, 2, { title: `New ${i}` }))
    await history.append({ facts: changed })
    const now = await readAt(2)
    expect(now.map(({ facts }) => facts.title)).toEqual(['Question 0', 'New 1', 'New 2', 'New 3'])
    expect(now[0] === before[0]).toBe(true)
  })
})
