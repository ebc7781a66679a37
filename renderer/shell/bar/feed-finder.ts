import type { Live } from '../../api/live.ts'
import { pathOf } from '../../api/path.ts'
import type { MarketRow } from '../../../backend/contract/market.ts'
import type { MarketFinder } from './market-finder.ts'

const PAGES = 10
const BETWEEN_PAGES = 3000

/**
 * Makes the most traded markets searchable in the command bar: a page of 500 every few seconds,
 * because panes load first. Returns a function that stops it.
 * @param onmarkets called with the markets of each page
 */
export function feedFinder(
  live: Live,
  finder: MarketFinder,
  onmarkets: (markets: readonly MarketRow[]) => void,
): () => void {
  const abort = new AbortController()
  let timer: ReturnType<typeof setTimeout> | null = null
  const load = async (cursor: string | null, page: number): Promise<void> => {
    const parameters = cursor === null ? { limit: 500 } : { limit: 500, cursor }
    const path = pathOf('/api/public/markets', { ...parameters, nextActions: 'off' })
    const answer = await live.read(path, abort.signal)
    if (answer === null) return
    if (answer.ok) {
      finder.add(answer.body.markets)
      onmarkets(answer.body.markets)
    }
    const next = answer.ok ? answer.body.nextCursor : cursor
    const hasMore = answer.ok ? next !== null && page + 1 < PAGES : true
    const wait = answer.ok ? BETWEEN_PAGES : (answer.failure.retryAfter ?? BETWEEN_PAGES * 5)
    if (hasMore) timer = setTimeout(() => void load(next, answer.ok ? page + 1 : page), wait)
  }
  timer = setTimeout(() => void load(null, 0), BETWEEN_PAGES)
  return () => {
    abort.abort()
    if (timer !== null) clearTimeout(timer)
  }
}
