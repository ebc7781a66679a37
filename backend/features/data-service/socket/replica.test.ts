import fc from '../../../../scripts/properties.ts'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { foldTrades } from '../../../testing/fold-trades.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { marketView } from '../../../testing/builders.ts'
import type { V1Candle, V1Level, V1Mover, V1Trade } from '../../../contract/data-service.ts'
import { BACKPRESSURE_FROM } from './limits.ts'
import { Outbox } from './outbox.ts'
import type {
  BookData,
  BookDelta,
  CandleDelta,
  CandlesData,
  DeltaFrame,
  MoversData,
  Position,
  SnapshotFrame,
  TradesData,
} from '../../../contract/socket.ts'
import type { SocketSources, WorldFeed } from './sources.ts'
import { Subscriptions } from './subscriptions.ts'
import { Tick } from './tick.ts'
import { TopicRegistry } from './topics/topic-registry.ts'

/** A client that follows the rules of contract/reads.md 7.5 and nothing else. */
class Replica {
  held: Position | null = null
  data: unknown = null
  needsResync = false

  take(frame: SnapshotFrame | DeltaFrame): void {
    const { epoch, seq } = frame
    if (frame.type === 'snapshot') {
      this.held = { epoch, seq }
      this.data = frame.data
    } else if (this.held?.epoch === epoch && seq <= this.held.seq) return
    else if (this.held?.epoch !== epoch || frame.prev !== this.held.seq) this.needsResync = true
    else {
      if (frame.conflated !== undefined) expect(frame.conflated).toBe(seq - frame.prev)
      this.held = { epoch, seq }
      this.data = APPLY[frame.topic.split(':')[0] ?? '']?.(this.data, frame.data)
    }
  }
}

const levelsAfter = (held: readonly V1Level[], delta: readonly V1Level[]): V1Level[] =>
  [...new Map([...held, ...delta])].filter(([, size]) => size > 0)
const APPLY: Record<string, (data: unknown, delta: unknown) => unknown> = {
  ticker: (data, delta) => ({ ...(data as object), ...(delta as object) }),
  trades: (data, delta) => ({
    trades: [...(delta as TradesData).trades.toReversed(), ...(data as TradesData).trades],
  }),
  book: (data, delta) => {
    const [held, { bids, asks, stale }] = [data as BookData, delta as BookDelta]
    return {
      bids: levelsAfter(held.bids, bids),
      asks: levelsAfter(held.asks, asks),
      stale: stale ?? held.stale,
    }
  },
  candles: (data, delta) => {
    const { candle } = delta as CandleDelta
    const bars = new Map((data as CandlesData).candles.map((bar) => [bar.t, bar]))
    return { candles: [...bars.set(candle.t, candle).values()] }
  },
  movers: (data, delta) => ({ ...(data as MoversData), ...(delta as object) }),
  world: (_data, delta) => ({ at: (delta as { to: number }).to }),
}
const barsIn = (data: unknown) =>
  (data as CandlesData).candles.map(({ t, o, h, l, c, v }) => ({ t, o, h, l, c, v }))
/** Normalizes what both sides must agree on; clients keep more trades than a snapshot contains. */
const ORDERED: Record<string, (data: unknown) => unknown> = {
  trades: (data) =>
    (data as TradesData).trades
      .toSorted((a: V1Trade, b: V1Trade) => b.ts - a.ts || (a.id < b.id ? 1 : -1))
      .slice(0, 50),
  book: (data) => {
    const { bids, asks, stale } = data as BookData
    const sorted = (side: readonly V1Level[]) => side.toSorted(([a], [b]) => a - b)
    return { bids: sorted(bids), asks: sorted(asks), stale }
  },
  candles: (data) =>
    (data as CandlesData).candles.toSorted((a: V1Candle, b: V1Candle) => a.t - b.t),
}

/** A market, a registry for it, and one connection whose socket the test opens and closes. */
function world() {
  const clock = new FakeClock()
  const stopping = new AbortController()
  let view = marketView({ facts: { ticker: 'KX' } })
  const market = { market: view.market, venue: 'venue_a', ticker: 'KX' } as const
  const trades: { at: Millis; tradeId: string; price: PriceE4; size: SizeE6; isBlock: boolean }[] =
    []
  let movers: V1Mover[] = []
  let storedAt = clock.now()
  const receives = new Set<(at: Millis) => void>()
  const feed: WorldFeed = {
    knows: () => true,
    latest: () => Promise.resolve({ at: storedAt, data: { at: storedAt } }),
    deltaBetween: (_path, from, to) => ({ from, to }),
    onStored: (receive) => {
      receives.add(receive)
      return () => receives.delete(receive)
    },
  }
  const sources: SocketSources = {
    isReady: () => true,
    find: () => Promise.resolve(market),
    view: () => view,
    book: () => Promise.resolve({ ticker: 'KX', bids: [], asks: [], ts: null, stale: true }),
    isStale: () => false,
    trades: () => Promise.resolve([]),
    candles: (_market, { width, before, limit }) =>
      Promise.resolve(
        foldTrades(trades, width)
          .filter(({ start }) => start < before)
          .map((bar) => ({ ...bar, source: 'trades' as const, crossesGap: false }))
          .slice(-limit),
      ),
    movers: () => Promise.resolve(movers),
    world: feed,
  }
  let count = 0
  const tick: Tick = new Tick({
    clock,
    span: 5,
    signal: stopping.signal,
    work: () => registry.report(),
  })
  const registry = new TopicRegistry({
    sources,
    time: clock,
    clock,
    signal: stopping.signal,
    newEpoch: () => `e${(count += 1)}`,
    onUpdate: () => tick.soon(),
    onError: (error) => {
      throw error
    },
  })
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 8; i += 1) {
      registry.check()
      await clock.advance(50)
      await pause()
    }
  }
  return {
    clock,
    registry,
    tick,
    settle,
    pause,
    /** The bars that history computes from all trades. */
    bars: () =>
      foldTrades(trades, MINUTE).map(({ start, open, high, low, close, volume }) => ({
        t: start / 1_000,
        o: open / 10_000,
        h: high / 10_000,
        l: low / 10_000,
        c: close / 10_000,
        v: volume === null ? null : volume / 1_000_000,
      })),
    stop: () => {
      registry.close()
      stopping.abort()
    },
    restate(value: number): void {
      view = { ...view, openInterest: value % 7, volume24h: value % 3, volume: value }
      registry.receive(market.market, { type: 'stated' })
    },
    print(value: number): void {
      count += 1
      const late = value % 5 === 0 ? 70_000 : 0
      const now = clock.now()
      const trade = {
        at: (now - late) as Millis,
        receivedAt: now,
        tradeId: `t${String(count).padStart(5, '0')}`,
        price: (3_000 + (value % 4_000)) as PriceE4,
        size: 1_000_000 as SizeE6,
        takerSide: null,
        isBlock: value % 11 === 0,
      }
      trades.push(trade)
      registry.receive(market.market, { type: 'traded', trade })
    },
    book(value: number): void {
      const side = (first: number, step: number) =>
        Array.from({ length: value % 6 }, (_, i) => ({
          price: (first + step * (i + (value % 3))) as PriceE4,
          size: (1_000_000 * (1 + ((value + i) % 4))) as SizeE6,
        }))
      registry.receive(market.market, {
        type: 'book',
        bids: side(4_000, -100),
        asks: side(5_000, 100),
      })
    },
    move(value: number): void {
      movers = [{ ticker: `M${value}` } as V1Mover]
      storedAt = (storedAt + 300_000) as Millis
      for (const receive of receives) receive(storedAt)
    },
  }
}

/** One connection of the replica; frames reach it unless it is closed. */
function connection(service: ReturnType<typeof world>, replica: Replica) {
  let isShut = false
  let isOpen = true
  const raw = new PassThrough()
  // A closed socket looks like one whose peer does not read.
  Object.defineProperty(raw, 'writableLength', { get: () => (isShut ? BACKPRESSURE_FROM : 0) })
  raw.write = (bytes: Buffer) => {
    for (let index = 0; isOpen && index < bytes.length;) {
      const short = bytes[index + 1] ?? 0
      const head = short === 126 ? 4 : 2
      const length = short === 126 ? bytes.readUInt16BE(index + 2) : short
      const text = bytes.toString('utf8', index + head, index + head + length)
      replica.take(JSON.parse(text) as SnapshotFrame | DeltaFrame)
      index += head + length
    }
    return true
  }
  const fail = (): never => {
    throw new Error('nothing of this may happen here')
  }
  const outbox = new Outbox({
    socket: raw,
    tick: service.tick,
    isOpen: () => isOpen,
    onTooMuch: fail,
  })
  const held = new Subscriptions(outbox, fail)
  return {
    held,
    shut: (shut: boolean) => {
      isShut = shut
    },
    drop: () => {
      isOpen = false
      held.dropAll()
    },
  }
}

const acts = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('news' as const), value: fc.nat(50_000) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), value: fc.nat(2_000) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('shut', 'open', 'drop') }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'shut' as const }) },
  ),
  { maxLength: 40 },
)

describe('a replica that follows the protocol', () => {
  it.each(['ticker:KX', 'trades:KX', 'book:KX', 'candles:KX:1m', 'movers:1m', 'world'])(
    'ends equal to the server: %s [data-service.socket.replica]',
    async (topic) => {
      await fc.assert(
        fc.asyncProperty(acts, fc.boolean(), async (script, movesClock) => {
          const service = world()
          const replica = new Replica()
          let link = connection(service, replica)
          const follow = async (): Promise<void> => {
            const named = await service.registry.resolve(topic)
            if ('code' in named) throw new Error(named.message)
            const subscription = link.held.hold(service.registry.open(named))
            link.held.begin([{ subscription, reason: 'subscribe', from: replica.held }])
          }
          await follow()
          await service.settle()
          for (const [index, act] of script.entries()) {
            if (act.kind === 'news') {
              service.restate(act.value)
              service.print(act.value)
              service.book(act.value)
              service.move(act.value)
              await service.pause()
            } else if (act.kind === 'wait') {
              service.registry.check()
              link.held.catchUp()
              await service.clock.advance(act.value)
            } else if (act.kind === 'drop') {
              link.drop()
              link = connection(service, replica)
              await follow()
            } else link.shut(act.kind === 'shut')
            if (movesClock && index === 20) service.registry.restart()
          }
          link.shut(false)
          for (let i = 0; i < 16; i += 1) {
            await service.settle()
            link.held.catchUp()
          }
          expect(replica.needsResync).toBe(false)
          const named = await service.registry.resolve(topic)
          if ('code' in named) throw new Error(named.message)
          const truth = new Replica()
          const other = connection(service, truth)
          const fresh = other.held.hold(service.registry.open(named))
          other.held.begin([{ subscription: fresh, reason: 'subscribe', from: null }])
          await service.pause()
          await service.clock.advance(10)
          await service.pause()
          const ordered = ORDERED[topic.split(':')[0] ?? ''] ?? ((data: unknown) => data)
          expect(replica.held).toEqual(truth.held)
          expect(ordered(replica.data)).toEqual(ordered(truth.data))
          if (topic.startsWith('candles')) expect(barsIn(truth.data)).toEqual(service.bars())
          service.stop()
        }),
        { numRuns: 60 },
      )
    },
  )
})
