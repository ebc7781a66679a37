import { SECOND } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import { timeSince } from '../../lib/moment.ts'
import type { FeedsStore } from '../../state/feeds.store.ts'
import type { VenueConnector } from '../../venues/connector.ts'
import type { CollectorSettings } from './collector-settings.ts'
import type { FeedCoverage } from '../backfill/coverage.ts'
import type { LiveStream } from './live-stream.ts'
import type { IngestPipeline } from '../pipeline.ts'
import type { QuotePolls } from './quote-polls.ts'
import type { TradeTape } from '../backfill/trade-tape.ts'

/** A poll that is late by this many intervals counts as missing. */
const TOO_LATE = 4

interface HeartbeatDeps {
  readonly connector: Pick<VenueConnector, 'venue' | 'streamsEveryTrade'>
  readonly settings: Pick<CollectorSettings, 'tapeInterval' | 'pollInterval'>
  readonly pipeline: Pick<IngestPipeline, 'checkClock' | 'flush'>
  readonly progress: Pick<FeedsStore, 'save'>
  readonly coverage: Pick<FeedCoverage, 'recordLoss' | 'isMissing'>
  readonly stream: Pick<LiveStream, 'isDelivering'>
  readonly tape: Pick<TradeTape, 'isPastRead' | 'lastRead'>
  readonly polls: Pick<QuotePolls, 'lastRead'>
  readonly clock: Clock
}

/** Records up to when a venue's feeds delivered and which feeds have been silent for too long. */
export class Heartbeat {
  /** How often delivery is recorded; the longest gap that a crash adds. */
  static readonly interval = 10 * SECOND
  readonly #deps: HeartbeatDeps

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps
  }

  async beat(): Promise<void> {
    const { connector, settings, pipeline, progress, coverage, stream, clock } = this.#deps
    const { tape, polls } = this.#deps
    pipeline.checkClock()
    const now = clock.now()
    const isStreaming = stream.isDelivering()
    const { tapeInterval, pollInterval } = settings
    if (!isStreaming && timeSince(polls.lastRead, clock) > TOO_LATE * pollInterval) {
      coverage.recordLoss('quotes', polls.lastRead.at, 'the venue could not be polled')
    }
    const tapeDue = isStreaming ? tapeInterval : Math.max(tapeInterval, pollInterval)
    const isTapeRead = !isStreaming || !connector.streamsEveryTrade
    if (isTapeRead && tape.isPastRead && timeSince(tape.lastRead, clock) > TOO_LATE * tapeDue) {
      coverage.recordLoss('trades', tape.lastRead.at, 'the tape could not be read')
    }
    if (coverage.isMissing('quotes') || coverage.isMissing('trades')) return
    try {
      // What was accepted by then must survive a crash or be part of the gap.
      await pipeline.flush()
    } catch {
      return
    }
    await progress.save(connector.venue, { aliveUntil: now })
  }
}
