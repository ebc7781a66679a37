import { LRUCache } from 'lru-cache'
import { DAY, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PanelContent } from './panel-content.ts'

const RETENTION = DAY
/** Far more than the caps of a few users; the oldest entries are evicted first. */
const MAX_ENTRIES = 2_000

/** The result of one computation. */
export interface PanelEntry extends PanelContent {
  /** Data time of its completion. */
  readonly computedAt: Millis
  /** The payload as JSON in UTF-8. */
  readonly bytes: Buffer
  /** Tag that is equal for equal payloads, whenever they were computed. */
  readonly tag: string
}

/** Cache of computed panels, shared by equal requests. It may fail; panels work without it. */
export interface PanelCache {
  get(key: string): Promise<PanelEntry | null>
  put(key: string, entry: PanelEntry): Promise<void>
  /** Drops everything after stored history changed. */
  clear(): Promise<void>
}

/** Caches computed panels in this process; entries expire after a day of data time. */
export function createPanelMemory(clock: Pick<Clock, 'now'>): PanelCache {
  const entries = new LRUCache<string, PanelEntry>({ max: MAX_ENTRIES })
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return Promise.resolve(null)
      if (Math.abs(clock.now() - entry.computedAt) < RETENTION) return Promise.resolve(entry)
      entries.delete(key)
      return Promise.resolve(null)
    },
    put(key, entry) {
      entries.set(key, entry)
      return Promise.resolve()
    },
    clear() {
      entries.clear()
      return Promise.resolve()
    },
  }
}
