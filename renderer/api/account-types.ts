import type { Iso, Num } from './types.ts'

/** Bodies of the routes about who asks, their keys, their use and their machine. */
export type Tier = 'free' | 'hobby' | 'pro' | 'institutional'

export interface User {
  readonly id: string
  readonly email: string | null
  readonly name: string
  readonly tier: Tier
  readonly isOwner: boolean
  readonly isAdmin: boolean
  readonly provider: 'local' | 'password' | 'external'
  readonly hasPassword: boolean
  readonly createdAt: Iso
}

export interface Me {
  readonly user: User
  readonly auth: {
    readonly kind: 'session' | 'key'
    readonly sessionId: string | null
    readonly keyId: string | null
    readonly expiresAt: Iso | null
  }
  readonly tier: { readonly tier: Tier; readonly requestsPerMinute: number }
}

export interface SessionRow {
  readonly id: string
  readonly createdAt: Iso
  readonly lastSeenAt: Iso
  readonly expiresAt: Iso
  readonly method: 'local' | 'password' | 'external'
  readonly userAgent: string | null
  readonly current: boolean
}
export interface SessionList {
  readonly sessions: readonly SessionRow[]
}

export interface KeyRow {
  readonly id: string
  readonly name: string
  /** The first 12 characters of the key. */
  readonly keyPrefix: string
  readonly lastUsedAt: Iso | null
  readonly revokedAt: Iso | null
  readonly createdAt: Iso
}
export interface KeyList {
  readonly keys: readonly KeyRow[]
}

/** The one answer that holds a key. */
export interface NewKey {
  readonly id: string
  readonly key: string
  readonly keyPrefix: string
  readonly name: string
  readonly message: string
}

export interface SignedUp {
  readonly user: User
  readonly key: NewKey
}

export interface Usage {
  readonly period: string
  readonly from: Iso
  readonly to: Iso
  readonly totals: {
    readonly requests: number
    readonly errors: number
    readonly rateLimited: number
    readonly llmCalls: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly costUsd: number
  }
  /** Days of UTC, ascending. */
  readonly byDay: readonly {
    readonly date: string
    readonly requests: number
    readonly errors: number
    readonly costUsd: number
  }[]
  readonly byRoute: readonly {
    readonly route: string
    readonly requests: number
    readonly p50Ms: Num
    readonly p95Ms: Num
  }[]
  readonly byKey: readonly {
    /** Null for what was asked by session. */
    readonly keyId: string | null
    readonly name: string
    readonly requests: number
  }[]
  /** Classes touched within their current window. */
  readonly limits: readonly {
    readonly class: string
    readonly limit: number
    readonly used: number
    readonly resetAt: Iso
  }[]
}

export interface DoctorCheck {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do. */
  readonly fix: string | null
}
/** One feed of a venue; requests, failures and refused rows are the venue's. */
export interface FeedState {
  readonly venue: 'venue_a' | 'venue_b'
  readonly feed: 'trades' | 'quotes'
  /** Null: nothing listens to the venue. */
  readonly mode: 'stream' | 'polling' | 'down' | null
  /** Of rows of the last quarter of an hour; null when there were none. */
  readonly lag: {
    readonly medianMs: number
    readonly p95Ms: number
    readonly rows: number
  } | null
  /** Of the last seven days. */
  readonly gaps: { readonly found: number; readonly standing: number; readonly open: number }
  readonly requests: number | null
  readonly failures: number | null
  readonly refusedRows: number | null
}
export interface Doctor {
  readonly ok: boolean
  readonly checks: readonly DoctorCheck[]
  readonly feeds: readonly FeedState[]
  readonly providers: readonly { readonly name: string; readonly configured: boolean }[]
  readonly folder: { readonly path: string; readonly bytes: number }
}

export interface BackupRun {
  readonly id: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly out: string
  /** The instant whose history it holds. */
  readonly at: Iso | null
  readonly filesDone: number
  /** Null until they are counted. */
  readonly filesAll: number | null
  readonly rows: number
  readonly bytes: number
  readonly error: string | null
}

/** Access to an outside provider; its key is in no answer. */
export interface Provider {
  readonly name: string
  readonly configured: boolean
  readonly source: 'environment' | 'stored' | null
  readonly url: string | null
  readonly hasKey: boolean
  readonly models: {
    readonly cheap: string
    readonly medium?: string
    readonly heavy?: string
  } | null
}
