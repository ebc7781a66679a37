import type { Clock } from '../../lib/clock.ts'
import { momentOf, type Moment } from '../../lib/moment.ts'
import type { Backfill } from '../backfill/backfill.ts'
import type { FeedCoverage } from '../backfill/coverage.ts'
import type { FollowedMarkets } from './followed-markets.ts'
import type { LiveStream } from './live-stream.ts'
import type { TradeTape } from '../backfill/trade-tape.ts'

interface QuotePollsDeps {
  readonly backfill: Pick<Backfill, 'markets' | 'books'>
  readonly tape: Pick<TradeTape, 'read'>
  readonly markets: Pick<FollowedMarkets, 'mostActive'>
  readonly coverage: Pick<FeedCoverage, 'recordDelivery'>
  readonly stream: Pick<LiveStream, 'isDelivering'>
  readonly clock: Clock
}

/** Polls a venue for what no stream delivers: quotes, books and trades of the followed markets. */
export class QuotePolls {
  readonly #deps: QuotePollsDeps
  #lastRead: Moment

  constructor(deps: QuotePollsDeps) {
    this.#deps = deps
    this.#lastRead = momentOf(deps.clock)
  }

  /** When all of them were last polled instead of streamed; the start of the service until then. */
  get lastRead(): Moment {
    return this.#lastRead
  }

  /** Polls once; sends no request while the stream delivers. */
  async read(signal: AbortSignal): Promise<void> {
    const { backfill, tape, markets, coverage, stream, clock } = this.#deps
    if (stream.isDelivering()) return
    await tape.read(signal)
    await backfill.markets(markets.mostActive(), signal)
    await backfill.books(markets.mostActive(), signal)
    if (stream.isDelivering()) return
    this.#lastRead = momentOf(clock)
    coverage.recordDelivery('quotes', 'polled', this.#lastRead.at)
  }
}
