import { describe, expect, it } from 'vitest'
import { SECOND, type Millis } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { QuotePolls } from './quote-polls.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const { signal } = new AbortController()

/** Polls of one market; `during` is called while the books are read. */
function polling(during: () => void = () => undefined) {
  const clock = new FakeClock(NOW)
  const calls: unknown[] = []
  const feed = { isStreaming: false }
  const record = (what: string) => async (tickers: unknown) => {
    calls.push([what, tickers])
    await clock.advance(SECOND)
    if (what === 'books') during()
  }
  const polls = new QuotePolls({
    backfill: { markets: record('markets'), books: record('books') },
    tape: { read: () => Promise.resolve(void calls.push(['trades'])) },
    markets: { mostActive: () => ['A'] },
    coverage: { recordDelivery: (...statement) => void calls.push(statement) },
    stream: { isDelivering: () => feed.isStreaming },
    clock,
  })
  return { polls, calls, feed }
}
const READS = [['trades'], ['markets', ['A']], ['books', ['A']]]

describe('polls of quotes', () => {
  it('read trades, markets and books, and deliver when the last of them was read', async () => {
    const { polls, calls } = polling()
    expect(polls.lastRead.at).toBe(NOW)
    await polls.read(signal)
    expect(calls).toEqual([...READS, ['quotes', 'polled', NOW + 2 * SECOND]])
    expect(polls.lastRead.at).toBe(NOW + 2 * SECOND)
  })

  it('send nothing while the stream delivers', async () => {
    const { polls, calls, feed } = polling()
    feed.isStreaming = true
    await polls.read(signal)
    expect(calls).toEqual([])
    expect(polls.lastRead.at).toBe(NOW)
  })

  it('do not count when the stream delivers again before they end', async () => {
    const { polls, calls, feed } = polling(() => (feed.isStreaming = true))
    await polls.read(signal)
    expect(calls).toEqual(READS)
    expect(polls.lastRead.at).toBe(NOW)
  })
})
