import type {
  BookData,
  BookDelta,
  CandleDelta,
  CandlesData,
  DeltaFrame,
  Position,
  SnapshotFrame,
} from '../../../backend/contract/socket.ts'
import type { SalientItem } from '../../../backend/contract/world.ts'

/** Result of a frame: it changed the state, was redundant, or revealed a gap. */
export type ApplyResult = 'applied' | 'old' | 'gap'

const MAX_CANDLES = 2_000
type Level = BookData['bids'][number]

/**
 * A side of a book after absolute sizes are applied, best price first; size 0 removes the level.
 */
function sideAfter(
  before: readonly Level[],
  changedLevels: readonly Level[],
  direction: 1 | -1,
): Level[] {
  const levels = new Map([...before, ...changedLevels])
  return [...levels].filter(([, size]) => size > 0).sort(([a], [b]) => (a - b) * direction)
}

function bookAfter(before: BookData, { bids, asks, stale }: BookDelta): BookData {
  return {
    bids: bids.length === 0 ? before.bids : sideAfter(before.bids, bids, -1),
    asks: asks.length === 0 ? before.asks : sideAfter(before.asks, asks, 1),
    stale: stale ?? before.stale,
  }
}

function candlesAfter({ candles }: CandlesData, { candle }: CandleDelta): CandlesData {
  // The changed bar is the last one, or near it.
  let index = candles.length
  while (index > 0 && (candles[index - 1]?.t ?? 0) >= candle.t) index -= 1
  const replacedCount = candles[index]?.t === candle.t ? 1 : 0
  return { candles: candles.toSpliced(index, replacedCount, candle).slice(-MAX_CANDLES) }
}

/** The changed fields of a region's world snapshot; the route returns the rest. */
export interface WorldUpdate {
  readonly asOf: string
  readonly salient: readonly SalientItem[]
}
interface WorldUpdateDelta {
  readonly to: string
  readonly salient: readonly SalientItem[]
}
const worldAfter = (before: object, { to, salient }: WorldUpdateDelta): object => ({
  ...before,
  asOf: to,
  salient,
})

/** How a delta of each kind of topic is applied; contract/reads.md 7.4. */
const APPLY_DELTA: Readonly<Record<string, (before: object, delta: object) => object>> = {
  ticker: (before, delta) => ({ ...before, ...delta }),
  book: (before, delta) => bookAfter(before as BookData, delta as BookDelta),
  candles: (before, delta) => candlesAfter(before as CandlesData, delta as CandleDelta),
  movers: (before, delta) => ({ ...before, ...delta }),
  world: (before, delta) => worldAfter(before, delta as WorldUpdateDelta),
}

const kindOf = (topic: string): string => topic.split(':', 1)[0] ?? ''

/**
 * The page's copy of one topic, maintained by the client rule of contract/reads.md 7.5: a delta
 * applies only when it continues the held state; anything else is a gap until the next snapshot.
 */
export class Replica {
  readonly #applyDelta: (before: object, delta: object) => object
  /** Sequence number of the last change included in `data`; null before the first snapshot. */
  position: Position | null = null
  data: object | null = null

  constructor(topic: string) {
    this.#applyDelta = APPLY_DELTA[kindOf(topic)] ?? ((before) => before)
  }

  apply(frame: SnapshotFrame | DeltaFrame): ApplyResult {
    const { epoch, seq } = frame
    const previous = this.position
    const isOwn = previous !== null && previous.epoch === epoch
    if (frame.type === 'snapshot') {
      if (isOwn && seq < previous.seq) return 'old'
      this.data = frame.data
    } else {
      if (isOwn && seq <= previous.seq) return 'old'
      if (!isOwn || frame.prev !== previous.seq || this.data === null) return 'gap'
      this.data = this.#applyDelta(this.data, frame.data)
    }
    this.position = { epoch, seq }
    return 'applied'
  }
}
