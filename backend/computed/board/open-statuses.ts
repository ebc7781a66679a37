import type { MarketStatus } from '../../domain/market.ts'

/** Stated statuses of markets that may still trade; the live board keeps these in memory. */
export const OPEN_STATUSES: readonly MarketStatus[] = ['upcoming', 'active', 'paused']
