import type { MarketRow } from '../../contract/market.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import type { Action, Urls } from '../../http/next-actions.ts'

const MAX_INSPECTED = 3
/** Next actions for the first rows of a list. */
export const inspectActions = (rows: readonly MarketRow[]): Action[] =>
  rows.slice(0, MAX_INSPECTED).map((row) => get(`Inspect ${row.title}`, row.inspectUrl))

/** Next actions to related lists. */
export const relatedLists = (urls: Urls): Action[] => [
  get('Screen markets by yield and spread', absoluteUrl(urls.baseUrl, '/api/public/screen')),
  get('Markets first seen in the last day', absoluteUrl(urls.baseUrl, '/api/public/newmarkets')),
  get('Changes of the last hour', absoluteUrl(urls.baseUrl, '/api/changes')),
]
