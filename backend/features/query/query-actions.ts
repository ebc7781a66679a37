import type { SearchHit } from '../../computed/board/market-board.ts'
import { centsText, cutText } from '../../domain/world/markdown/text.ts'
import { addressOf, get, inspectUrl } from '../../http/next-actions.ts'
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
    get('Scan active markets for the same words', addressOf(baseUrl, '/api/public/scan', { q })),
    get('Screen markets by yield and spread', addressOf(baseUrl, '/api/public/screen')),
    get('Expected moves of linked markets', addressOf(baseUrl, '/api/public/contagion')),
    get('Trade ideas', addressOf(baseUrl, '/api/public/ideas')),
  ],
})
