import { describe, expect, it } from 'vitest'
import { HOUR, SECOND, type Millis } from '../../domain/units.ts'
import type { Span } from './backfill.ts'
import { TradeReader } from './trade-reader.ts'

const SPAN = { from: HOUR, to: (2 * HOUR) as Millis }

/** A reader whose venue records requests; `during` is called while it reads. */
function reading(clockOffset: number, during: (reader: TradeReader) => void = () => undefined) {
  const connector = { clockOffset }
  const requested: Span[] = []
  const reader = new TradeReader({
    connector,
    backfill: {
      trades: (_tickers, span) => {
        requested.push(span)
        during(reader)
        return Promise.resolve()
      },
    },
    pipeline: { flush: () => Promise.resolve() },
  })
  const read = () => reader.read([], SPAN, 'polled', new AbortController().signal)
  return { connector, requested, read }
}
const shifted = (by: number) => ({ from: SPAN.from + by, to: SPAN.to + by })

describe('the reader of trades', () => {
  it('requests by our clock, and by that of the venue if one is clearly wrong', async () => {
    const right = reading(SECOND)
    await right.read()
    expect(right.requested).toEqual([SPAN])
    const wrong = reading(HOUR)
    await wrong.read()
    expect(wrong.requested).toEqual([shifted(HOUR)])
  })
  it('requests again if a clock was set meanwhile', async () => {
    const { connector, requested, read } = reading(0, () => (connector.clockOffset = HOUR))
    await read()
    expect(requested).toEqual([SPAN, shifted(HOUR)])
  })
  it('fails if rows were dropped meanwhile', async () => {
    const { read } = reading(0, (reader) => reader.recordLoss())
    await expect(read()).rejects.toThrow('rows that were read have been dropped again')
  })
})
