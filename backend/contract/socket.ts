import type {
  MoverWindow,
  V1Candle,
  V1Level,
  V1MarketDetail,
  V1Mover,
  V1Trade,
} from './data-service.ts'
import type { Timeframe } from '../domain/prices/candle.ts'

/**
 * The frames of the socket, contract/reads.md 7.2 to 7.4; types only, so that the page can share
 * them.
 */
export type FrameId = string | number

/** Resume position of a client. */
export interface Position {
  readonly epoch: string
  readonly seq: number
}

interface Requested {
  readonly id?: FrameId
}
export type ClientFrame = Requested &
  (
    | { readonly op: 'auth'; readonly key: string }
    | {
        readonly op: 'subscribe'
        readonly topics: readonly string[]
        readonly resume?: Readonly<Record<string, Position>>
      }
    | { readonly op: 'unsubscribe'; readonly topics: readonly string[] }
    | { readonly op: 'resync'; readonly topics: readonly string[] }
    | { readonly op: 'ping' }
    | { readonly op: 'pong' }
  )

export type ErrorCode =
  | 'BAD_FRAME'
  | 'UNKNOWN_OP'
  | 'AUTH_REQUIRED'
  | 'AUTH_INVALID'
  | 'UNKNOWN_TOPIC'
  | 'UNKNOWN_TICKER'
  | 'BAD_TIMEFRAME'
  | 'TOPIC_LIMIT'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'

export interface Rejection {
  readonly topic: string
  readonly code: ErrorCode
  readonly message: string
}

/** Why a whole state is sent. */
export type SnapshotReason = 'subscribe' | 'resync' | 'overflow' | 'epoch' | 'clock'

export interface HelloFrame {
  readonly type: 'hello'
  readonly connection: string
  /** Unix ms. */
  readonly time: number
  readonly authenticated: boolean
  readonly limits: {
    readonly connections: number
    readonly topics: number
    readonly frameBytes: number
    readonly heartbeatSeconds: number
  }
}
export interface AckFrame extends Requested {
  readonly type: 'ack'
  readonly op: 'auth' | 'subscribe' | 'unsubscribe' | 'resync'
  /** Accepted ones in request order, in canonical spelling. */
  readonly topics: readonly string[]
  readonly rejected: readonly Rejection[]
  /** Topics that the connection is subscribed to. */
  readonly subscribed: number
}
export interface SnapshotFrame<Data = object> {
  readonly type: 'snapshot'
  readonly topic: string
  readonly epoch: string
  /** The last change that the data include. */
  readonly seq: number
  readonly ts: number
  readonly reason: SnapshotReason
  readonly data: Data
}
export interface DeltaFrame<Data = object> {
  readonly type: 'delta'
  readonly topic: string
  readonly epoch: string
  /** The change that the reader must hold for this one to apply. */
  readonly prev: number
  readonly seq: number
  readonly ts: number
  /** Changes merged into this one, when more than one. */
  readonly conflated?: number
  readonly data: Data
}
export interface PingFrame {
  readonly type: 'ping'
  readonly ts: number
}
export interface PongFrame extends Requested {
  readonly type: 'pong'
  readonly ts: number
}
export interface ErrorFrame extends Requested {
  readonly type: 'error'
  readonly code: ErrorCode
  readonly message: string
  readonly topic?: string
  /** The connection is closed after this. */
  readonly fatal: boolean
}
export type ServerFrame =
  HelloFrame | AckFrame | SnapshotFrame | DeltaFrame | PingFrame | PongFrame | ErrorFrame

/** `ticker:<t>`: delta holds changed fields only. */
export type TickerData = Omit<V1MarketDetail, 'subtitle' | 'generated_at'>
export type TickerDelta = Partial<TickerData>
/** `trades:<t>`: newest first in a snapshot, oldest first in a delta. */
export interface TradesData {
  readonly trades: readonly V1Trade[]
}
/** `book:<t>`: sizes are absolute; size 0 in a delta removes the level. */
export interface BookData {
  readonly bids: readonly V1Level[]
  readonly asks: readonly V1Level[]
  readonly stale: boolean
}
export type BookDelta = Omit<BookData, 'stale'> & { readonly stale?: boolean }
/** `candles:<t>:<tf>`: ascending. */
export interface CandlesData {
  readonly candles: readonly V1Candle[]
}
/** Replaces the bar with the same `t`, else is the next one. */
export interface CandleDelta {
  readonly candle: V1Candle
  readonly closed: boolean
}
/** `movers:<window>`. */
export interface MoversData {
  readonly window: MoverWindow
  readonly movers: readonly V1Mover[]
}
export type MoversDelta = Omit<MoversData, 'window'>

/** A parsed topic name. */
export type TopicAddress =
  | { readonly kind: 'ticker' | 'trades' | 'book'; readonly ticker: string }
  | { readonly kind: 'candles'; readonly ticker: string; readonly timeframe: Timeframe }
  /** `movers` alone means an hour and keeps its name. */
  | { readonly kind: 'movers'; readonly window: MoverWindow | null }
  | { readonly kind: 'world'; readonly path: string }
