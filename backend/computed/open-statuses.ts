import type { MarketStatus } from '../domain/market.ts'

/** Stated states of markets that may still trade; the live board holds these in memory. */
export const OPEN_STATUSES: readonly MarketStatus[] = ['upcoming', 'active', 'paused']
