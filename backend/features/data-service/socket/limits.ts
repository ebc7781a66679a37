/** Limits per connection, key and topic; contract/reads.md 7.1 and 7.5. Spans in milliseconds. */
export const LIMITS = {
  connections: 5,
  topics: 200,
  frameBytes: 65_536,
  heartbeatSeconds: 20,
} as const

export const FRAMES_PER_SECOND = 20
export const FRAME_BURST = 50
/** Bad frames answered within `BAD_FRAME_SPAN`; the next one closes the connection. */
export const BAD_FRAMES = 5
export const BAD_FRAME_SPAN = 60_000

export const AUTH_TIMEOUT = 5_000
export const PING_INTERVAL = LIMITS.heartbeatSeconds * 1_000
export const SILENCE_TIMEOUT = 60_000

/** Bytes queued in a socket from which changes are conflated, and at which it is closed. */
export const BACKPRESSURE_FROM = 65_536
export const MAX_WAITING = 4 * 1_048_576
export const PROGRESS_TIMEOUT = 30_000
/** Interval of connection checks and of sending conflated changes. */
export const CHECK_INTERVAL = 250

/** Changes a topic retains for reconnecting clients: number and age. */
export const MAX_STORED_CHANGES = 1_000
export const RETENTION = 60_000
export const MAX_JOINED_TRADES = 1_000
/** A topic without subscribers is closed after this long. */
export const IDLE_TIMEOUT = 300_000

/** Maximum number of unauthenticated connections over all callers. */
export const MAX_UNKNOWN = 1_000
/** Time for a peer to answer a close frame before its socket is terminated. */
export const CLOSE_TIMEOUT = 5_000

export const CLOSE = {
  normal: 1000,
  stopping: 1001,
  binary: 1003,
  internal: 1011,
  badFrames: 4400,
  auth: 4401,
  silent: 4408,
  slow: 4413,
  tooMany: 4429,
} as const
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE]
