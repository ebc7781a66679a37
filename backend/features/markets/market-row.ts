import type { MarketView } from '../../computed/market-board.ts'
import type { Millis } from '../../domain/units.ts'
import type { MarketRow } from '../../http/market-schemas.ts'
import { addressOf, get } from '../../http/next-actions.ts'
import type { Action, Urls } from '../../http/next-actions.ts'

const INSPECTED = 3
/** What to read next about the first rows of a list. */
export const inspectActions = (rows: readonly MarketRow[]): Action[] =>
  rows.slice(0, INSPECTED).map((row) => get(`Inspect ${row.title}`, row.inspectUrl))

/** Lists that belong beside any list of markets. */
export const relatedLists = (urls: Urls): Action[] => [
  get('Screen markets by yield and spread', addressOf(urls.baseUrl, '/api/public/screen')),
  get('Markets first seen in the last day', addressOf(urls.baseUrl, '/api/public/newmarkets')),
  get('What changed in the last hour', addressOf(urls.baseUrl, '/api/changes')),
]

/** Time of the newest data among rows, as an HTTP date. */
export function newestOf(views: readonly MarketView[]): Millis | null {
  let newest: Millis | null = null
  for (const { updatedAt } of views) if (newest === null || updatedAt > newest) newest = updatedAt
  return newest
}
