import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, type Millis, type PriceE4 } from '../../domain/units.ts'
import { openHistory } from '../../history/duckdb/open.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId } from '../../history/market-key.ts'
import { silentLogger } from '../../lib/logger.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { Board } from './board.ts'
import { LiveTable } from './live-table.ts'
import { ReferencePrices } from './reference-prices.ts'

const clock = new FakeClock()
const KNOWN = (clock.now() - 3 * DAY) as Millis
const ENDED = Array.from({ length: 14 }, (_, n) => `KXENDED-${n}`)
const settledFacts = (ticker: string) =>
  marketFacts({
    ticker,
    status: 'settled',
    result: 'yes',
    settlementPrice: 10_000 as PriceE4,
  })

describe('markets read together', () => {
  let history: HistoryStore
  let ids: readonly MarketId[]
  let board: Board

  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    const tickers = [...ENDED, 'KXOPEN']
    ids = await history.marketIds(tickers.map((ticker) => ({ venue: 'venue_a', ticker })))
    await history.append({
      facts: ids.map((market, n) => {
        const ticker = tickers[n] ?? ''
        const facts = ticker === 'KXOPEN' ? marketFacts({ ticker }) : settledFacts(ticker)
        return { market, knownAt: KNOWN, facts }
      }),
      trades: {
        market: Int32Array.from(ids),
        ts: Float64Array.from(ids, () => KNOWN),
        lag: new Float64Array(ids.length),
        origin: new Uint8Array(ids.length),
        tradeId: ids.map((market) => `t${market}`),
        price: Int32Array.from(ids, (_, n) => 4_000 + n),
        size: Float64Array.from(ids, () => 1),
        taker: new Uint8Array(ids.length),
        isBlock: new Uint8Array(ids.length),
      },
    })
    const live = new LiveTable()
    const flush = () => Promise.resolve(true)
    await live.load(history, clock.now(), () => true, flush)
    board = new Board({ history, live, reference: new ReferencePrices(history), clock })
  })
  afterEach(() => history.close())

  const plain = (view: object | null | undefined) => JSON.parse(JSON.stringify(view ?? null))

  it.each([null, (clock.now() - DAY) as Millis])(
    'equal each one read alone, at %s',
    async (asOf) => {
      const names = [...ENDED, 'KXOPEN', 'KXNOBODY']
      const together = await board.markets(names, asOf)
      expect([...together.keys()].sort()).toEqual([...ENDED, 'KXOPEN'].sort())
      for (const name of names) {
        expect(plain(together.get(name))).toEqual(plain(await board.market(name, asOf)))
      }
      expect(together.get('KXENDED-7')).toMatchObject({
        status: 'settled',
        price: 100,
        change24h: 0,
      })
    },
  )

  it('cost as many reads as one of them', async () => {
    await board.at(null)
    const reads = () => records.mock.calls.length + numbers.mock.calls.length
    const records = vi.spyOn(history, 'recordsAt')
    const numbers = vi.spyOn(history, 'numbersAt')
    await board.markets(['KXENDED-1'], null)
    const ofOne = reads()
    await board.markets(ENDED, null)
    expect(reads()).toBe(2 * ofOne)
    expect(ofOne).toBeGreaterThan(0)
  })
})
