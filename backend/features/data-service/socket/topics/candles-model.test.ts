import { describe, expect, it } from 'vitest'
import { MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../../../domain/units.ts'
import type { CandleRow } from '../../../../history/market-rows.ts'
import { CandlesModel } from './candles-model.ts'
import type { CandleDelta } from '../../../../contract/socket.ts'
import type { SocketSources, TopicMarket } from '../sources.ts'
import type { MarketUpdate } from './topic-model.ts'

const NOW = Date.parse('2026-11-20T12:00:30.000Z') as Millis
const startOf = (minutesAgo: number): Millis =>
  (Math.floor(NOW / MINUTE) * MINUTE - minutesAgo * MINUTE) as Millis

const barAt = (start: Millis): CandleRow => {
  const price = 4_200 as PriceE4
  const prices = { open: price, high: price, low: price, close: price }
  return { start, ...prices, volume: 1_000_000 as SizeE6, source: 'trades', crossesGap: false }
}

const latePrint = (at: Millis, receivedAt = NOW): MarketUpdate => ({
  type: 'traded',
  trade: {
    tradeId: `t${at}`,
    at,
    receivedAt,
    isBlock: false,
    takerSide: 'yes',
    price: 4_200 as PriceE4,
    size: 1_000_000 as SizeE6,
  },
})

describe('candles that receive late trades', () => {
  let uptime = 0
  const modelOver = (rows: () => readonly CandleRow[]) => {
    const queries: { before: Millis; limit: number }[] = []
    const sources = {
      candles: (_market: TopicMarket, query: { before: Millis; limit: number }) => {
        queries.push(query)
        const due = rows().filter(({ start }) => start < query.before)
        return Promise.resolve(due.slice(-query.limit))
      },
    }
    const model = new CandlesModel(
      { ticker: 'KX' } as TopicMarket,
      '1m',
      sources as unknown as SocketSources,
      { now: () => NOW, monotonic: () => uptime },
    )
    return { model, queries }
  }

  it('reads all affected bars in one query', async () => {
    const rows: CandleRow[] = []
    const { model, queries } = modelOver(() => rows)
    await model.open()
    const starts = [90, 60, 30, 5].map(startOf)
    rows.push(...starts.map(barAt))
    for (const start of starts) model.receive(latePrint((start + 1) as Millis))
    const deltas = (await model.changes()) as CandleDelta[]
    expect(queries).toHaveLength(2)
    expect(deltas.map(({ candle, closed }) => [candle.t * 1_000, closed])).toEqual(
      starts.map((start) => [start, true]),
    )
  })

  it('sends no bars older than the newest 500', async () => {
    const recent = Array.from({ length: 600 }, (_, n) => barAt(startOf(600 - n)))
    const rows = [...recent]
    const { model, queries } = modelOver(() => rows)
    await model.open()
    rows.unshift(barAt(startOf(5_000)))
    model.receive(latePrint((startOf(5_000) + 1) as Millis))
    model.receive(latePrint((startOf(3) + 1) as Millis))
    const deltas = (await model.changes()) as CandleDelta[]
    expect(queries.at(-1)?.limit).toBe(1)
    expect(deltas.map(({ candle }) => candle.t * 1_000)).toEqual([startOf(3)])
  })

  it('reads backfilled bars every few seconds, and new ones at once', async () => {
    const rows: CandleRow[] = []
    const { model, queries } = modelOver(() => rows)
    await model.open()
    const past = (minutesAgo: number): boolean => {
      const start = startOf(minutesAgo)
      rows.push(barAt(start))
      rows.sort((a, b) => a.start - b.start)
      return model.receive(latePrint((start + 1) as Millis, (start + 2) as Millis))
    }
    expect(past(90)).toBe(true)
    await model.changes()
    expect(queries).toHaveLength(2)
    for (const minutesAgo of [80, 70, 60]) expect(past(minutesAgo)).toBe(false)
    expect(model.isDue()).toBe(false)
    uptime += 5_000
    expect(model.isDue()).toBe(true)
    expect(await model.changes()).toHaveLength(3)
    expect(queries).toHaveLength(3)

    expect(past(50)).toBe(false)
    expect(model.receive(latePrint((startOf(4) + 1) as Millis))).toBe(true)
    expect(await model.changes()).toHaveLength(1)
    expect(queries).toHaveLength(4)
  })

  it('reads nothing for trades older than its bars', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => barAt(startOf(600 - n)))
    const { model, queries } = modelOver(() => rows)
    await model.open()
    const before = startOf(5_000)
    expect(model.receive(latePrint((before + 1) as Millis, (before + 2) as Millis))).toBe(false)
    expect(model.isDue()).toBe(false)
    expect(queries).toHaveLength(1)
  })
})
