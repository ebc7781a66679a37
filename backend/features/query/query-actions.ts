import type { SearchHit } from '../../computed/board/market-board.ts'
import { centsText, cutText } from '../../domain/world/markdown/text.ts'
import { absoluteUrl, get, inspectUrl } from '../../http/next-actions.ts'
import type { Action, Urls } from '../../http/next-actions.ts'

const MAX_INSPECTED = 2

/** Next actions of an answer: dossiers of the best two markets, and related lists. */
export const queryActions = (
  q: string,
  best: readonly SearchHit[],
  { baseUrl, ...urls }: Urls,
): { inspect: Action[]; related: Action[] } => ({
  inspect: best
    .slice(0, MAX_INSPECTED)
    .map(({ view }) =>
      get(
        `${cutText(view.facts.title)} @ ${centsText(view.price)}`,
        inspectUrl({ baseUrl, ...urls }, view.facts.ticker),
      ),
    ),
  related: [
    get('Scan active markets for the same words', absoluteUrl(baseUrl, '/api/public/scan', { q })),
    get('Screen markets by yield and spread', absoluteUrl(baseUrl, '/api/public/screen')),
    get('Expected moves of linked markets', absoluteUrl(baseUrl, '/api/public/contagion')),
    get('Trade ideas', absoluteUrl(baseUrl, '/api/public/ideas')),
  ],
})
