import { describe, expect, it } from 'vitest'
import type { HistoryStore } from '../history/history-store.ts'
import { silentLogger } from '../lib/logger.ts'
import { marketView, NOON } from '../testing/builders.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { ChangeWatch } from './change-watch.ts'
import { LiveTable } from './live-table.ts'
import { ReferencePrices } from './reference-prices.ts'

describe('deriving changes from a fetched past', () => {
  it('reads no further market once it is told to stop', async () => {
    const views = ['A', 'B', 'C'].map((ticker) => marketView({ facts: { ticker } }))
    const stop = new AbortController()
    const rows = fakeHistory({ views })
    const read: number[] = []
    const history: HistoryStore = {
      ...rows,
      append: () => Promise.resolve(),
      trades: (query) => {
        read.push(query.market)
        if (read.length === 2) stop.abort()
        return rows.trades(query)
      },
    }
    const watch = new ChangeWatch({
      history,
      live: new LiveTable(),
      reference: new ReferencePrices(history),
      clock: new FakeClock(),
      log: silentLogger,
    })
    for (const { market, facts } of views) {
      watch.noteFacts({ market, facts, firstSeenAt: NOON, knownAt: NOON })
    }
    await watch.deriveFromHistory(NOON, stop.signal)
    expect(read).toEqual(views.slice(0, 2).map(({ market }) => market))
  })
})
