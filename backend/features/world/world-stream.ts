import { LRUCache } from 'lru-cache'
import type { StoredSnapshot } from '../../computed/world/stored-snapshot.ts'
import type { Millis } from '../../domain/units.ts'
import { WORLD_INTERVAL } from '../../domain/world/world.ts'
import { EventStream } from '../../http/event-stream.ts'
import { refusalOf } from '../../http/errors.ts'
import { sleepUnless } from '../../lib/clock.ts'
import { RateLimited } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { snapshotId } from './atom.ts'
import type { Deltas } from './deltas.ts'
import type { WorldDeps } from './world.deps.ts'

export const STREAM_LIMITS = { perPeer: 20, all: 100, resumable: 576 } as const
const HEARTBEAT = 15_000
const TRY_AGAIN_SECONDS = 10
/** Number of cached deltas, which all readers share. */
const MAX_CACHED = 16

type ResetReason = 'id_too_old' | 'id_unknown' | 'clock_moved'

interface Reader {
  readonly stream: EventStream
  /** Time of the last snapshot sent; null before the first. */
  sentAt: Millis | null
  /** Whether a send is in progress, and whether more arrived meanwhile. */
  isSending: boolean
  hasMore: boolean
}

/** Clients that follow the world by server-sent events. */
export function createWorldStream(
  deps: WorldDeps & {
    readonly deltas: Deltas
    /** The anonymous snapshot of the newest world, and its time. */
    readonly snapshot: () => Promise<{ readonly at: Millis; readonly data: object }>
    readonly logger: Logger
  },
) {
  const { history, deltas, clock, logger } = deps
  const readers = new Set<Reader>()
  const perPeer = new Map<string, number>()
  const responses = new LRUCache<string, Promise<object>>({ max: MAX_CACHED })
  const stopController = new AbortController()

  const deltaBetween = (from: StoredSnapshot, to: StoredSnapshot): Promise<object> => {
    const key = `${from.at} ${to.at}`
    const existing = responses.get(key)
    if (existing !== undefined) return existing
    const startedAt = clock.monotonic()
    const deltaUpdate = deltas
      .deltaBetween(from, to)
      .then((delta) => ({ ...delta, latencyMs: Math.round(clock.monotonic() - startedAt) }))
    responses.set(key, deltaUpdate)
    deltaUpdate.catch(() => responses.delete(key))
    return deltaUpdate
  }

  const sendSnapshot = async (reader: Reader): Promise<void> => {
    const { at, data } = await deps.snapshot()
    reader.sentAt = at
    reader.stream.send({ event: 'snapshot', id: snapshotId(at), data })
  }

  const reset = async (reader: Reader, reason: ResetReason): Promise<void> => {
    reader.stream.send({ event: 'reset', data: { reason } })
    await sendSnapshot(reader)
  }

  /** Sends every delta after the last one sent, in order. */
  const sendSince = async (reader: Reader): Promise<void> => {
    while (!reader.stream.isOver && reader.sentAt !== null) {
      const { sentAt } = reader
      const newest = await deltas.storedSnapshot('', clock.now())
      if (newest === null || newest.at === sentAt) return
      if (newest.at < sentAt) return reset(reader, 'clock_moved')
      const previous = await deltas.storedSnapshot('', sentAt)
      const laterSnapshots = await deltas.storedBetween(sentAt, newest.at, STREAM_LIMITS.resumable)
      let from = previous
      for (const to of laterSnapshots) {
        if (from === null) return
        const data = await deltaBetween(from, to)
        reader.stream.send({ event: 'delta', id: snapshotId(to.at), data })
        reader.sentAt = to.at
        from = to
      }
    }
  }

  /** Position at which a client can resume after an id, or why it cannot. */
  const resumeAt = async (id: string): Promise<Millis | ResetReason> => {
    if (!/^\d{1,12}$/.test(id)) return 'id_unknown'
    const at = (Number(id) * 1_000) as Millis
    const newest = await history.snapshotAt('', clock.now())
    if (newest === null) return 'id_unknown'
    if (at > newest.at) return 'clock_moved'
    const resumedSnapshot = await history.snapshotAt('', at)
    const isNear = newest.at - at < STREAM_LIMITS.resumable * WORLD_INTERVAL
    if (isNear) return resumedSnapshot?.at === at ? at : 'id_unknown'
    const { resumable } = STREAM_LIMITS
    const rows = await history.snapshots({
      region: '',
      from: (at - 1) as Millis,
      to: newest.at,
      newest: resumable,
    })
    if (rows.length >= resumable && rows[0]?.at !== at) return 'id_too_old'
    return resumedSnapshot?.at === at ? at : 'id_unknown'
  }

  const begin = async (reader: Reader, lastId: string | null): Promise<void> => {
    if (lastId === null) return sendSnapshot(reader)
    const resumePoint = await resumeAt(lastId)
    if (typeof resumePoint === 'string') return reset(reader, resumePoint)
    reader.sentAt = resumePoint
  }

  /** Sends pending events in sequence; a failure is reported to the client and ends the stream. */
  const report = async (reader: Reader, first: () => Promise<void>): Promise<void> => {
    reader.hasMore = true
    if (reader.isSending) return
    reader.isSending = true
    try {
      await first()
      while (reader.hasMore) {
        reader.hasMore = false
        await sendSince(reader)
      }
    } catch (error) {
      const body = refusalOf(error)?.body ?? { error: 'Internal error', code: 'INTERNAL_ERROR' }
      logger.warn({ err: error }, 'the stream of the world ended')
      reader.stream.send({ event: 'error', data: body })
      reader.stream.close()
    } finally {
      reader.isSending = false
    }
  }

  const keepAlive = async (reader: Reader): Promise<void> => {
    while (!reader.stream.isOver && (await sleepUnless(stopController.signal, clock, HEARTBEAT))) {
      reader.stream.line(': hb')
    }
  }

  const stopListening = deps.context.onWorld(() => {
    for (const reader of readers) void report(reader, () => Promise.resolve())
  })

  return {
    get readers(): number {
      return readers.size
    },
    /**
     * Opens a stream.
     * @param peer rate-limit key of the client address
     * @throws RateLimited beyond 20 streams per address, or 100 in total
     */
    open(peer: string, lastId: string | null): ReadableStream<Uint8Array> {
      const peerStreams = perPeer.get(peer) ?? 0
      if (peerStreams >= STREAM_LIMITS.perPeer || readers.size >= STREAM_LIMITS.all) {
        throw new RateLimited(TRY_AGAIN_SECONDS)
      }
      perPeer.set(peer, peerStreams + 1)
      const stream = new EventStream(() => {
        readers.delete(reader)
        const left = (perPeer.get(peer) ?? 1) - 1
        if (left > 0) perPeer.set(peer, left)
        else perPeer.delete(peer)
      })
      const reader: Reader = { stream, sentAt: null, isSending: false, hasMore: false }
      readers.add(reader)
      stream.line('retry: 5000')
      void report(reader, () => begin(reader, lastId))
      void keepAlive(reader)
      return stream.body
    },
    /** Ends every stream; clients reconnect to the next server. */
    close(): void {
      stopController.abort()
      stopListening()
      for (const reader of readers) reader.stream.close()
    },
  }
}
export type WorldStream = ReturnType<typeof createWorldStream>
