import { DAY, type Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PanelContent } from './panel-content.ts'

const KEPT_FOR = DAY
/** Far more than the caps of a few users; the oldest go first. */
const MOST_ENTRIES = 2_000

/** What came out of one computation. */
export interface PanelEntry extends PanelContent {
  /** When it was done, on the clock of the data. */
  readonly computedAt: Millis
  /** The payload as it is sent: JSON in UTF-8. */
  readonly bytes: Buffer
  /** Equal for payloads that say the same, whenever they were made. */
  readonly tag: string
}

/** Where computed panels are kept for all who ask the same; it may fail, and panels go on without it. */
export interface PanelCache {
  get(key: string): Promise<PanelEntry | null>
  put(key: string, entry: PanelEntry): Promise<void>
  /** Forgets everything, after stored history changed under it. */
  clear(): Promise<void>
}

/** Computed panels in the memory of this process, dropped after a day of the data's clock. */
export function createPanelMemory(clock: Pick<Clock, 'now'>): PanelCache {
  const entries = new Map<string, PanelEntry>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return Promise.resolve(null)
      if (Math.abs(clock.now() - entry.computedAt) < KEPT_FOR) return Promise.resolve(entry)
      entries.delete(key)
      return Promise.resolve(null)
    },
    put(key, entry) {
      entries.delete(key)
      entries.set(key, entry)
      const oldest = entries.keys().next()
      if (entries.size > MOST_ENTRIES && oldest.done !== true) entries.delete(oldest.value)
      return Promise.resolve()
    },
    clear() {
      entries.clear()
      return Promise.resolve()
    },
  }
}
