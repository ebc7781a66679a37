import type { MarketView } from '../../computed/board/market-board.ts'
import type { Suggestion } from '../../domain/edges/suggestion.ts'
import type { Side } from '../../domain/market.ts'
import { cutText } from '../../domain/world/markdown/text.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { absoluteUrl, get, marketUrl } from '../../http/next-actions.ts'
import type { Action, Urls } from '../../http/next-actions.ts'
import type { DossierActions } from '../../contract/inspect.ts'

/** Initial number of contracts of an intent, by the suggested size. */
const QUANTITIES: Readonly<Record<Suggestion['sizeHint'], number>> = {
  small: 10,
  medium: 50,
  large: 100,
}
const SIDES: Partial<Readonly<Record<Suggestion['action'], Side>>> = {
  consider_long: 'yes',
  consider_short: 'no',
}
const MAX_QUESTION_LENGTH = 200

/** An intent ready to be sent; null if nothing is suggested or the market is not open. */
function executeAction(view: MarketView, suggestion: Suggestion, urls: Urls): Action | null {
  const { facts, bestAsk, bestBid, status } = view
  const direction = SIDES[suggestion.action]
  if (direction === undefined || status !== 'active') return null
  const price = direction === 'yes' ? bestAsk : bestBid === null ? null : 100 - bestBid
  if (price === null) return null
  return {
    description: `Buy ${direction.toUpperCase()} at ${roundOrNull(price) ?? price}¢ or better`,
    method: 'POST',
    url: absoluteUrl(urls.baseUrl, '/api/intents'),
    body: {
      action: 'buy',
      venue: facts.venue,
      marketId: facts.ticker,
      marketTitle: facts.title,
      direction,
      targetQuantity: QUANTITIES[suggestion.sizeHint],
      maxPrice: roundOrNull(price),
      executionStyle: 'ioc',
      source: 'agent',
      rationale: suggestion.reasoning,
    },
  }
}

/** Next actions for a market: an intent and further reads. */
export function dossierActions(
  view: MarketView,
  suggestion: Suggestion,
  urls: Urls,
): DossierActions {
  const { ticker, title, venue } = view.facts
  const { baseUrl } = urls
  const detail = marketUrl(urls, ticker)
  const topic = view.topics[0] ?? null
  return {
    execute: executeAction(view, suggestion, urls),
    watch: {
      description: 'Watch this market',
      method: 'POST',
      url: absoluteUrl(baseUrl, '/api/watch'),
      body: { ticker },
    },
    deeper: [
      get('Market detail with five book levels', `${detail}?depth=true`),
      get('Price and regime changes of 7 days', `${detail}/history`),
      get('Hourly candles', `${detail}/candles?timeframe=1h`),
      get(
        'Linked markets',
        absoluteUrl(baseUrl, '/api/agent/world', { op: 'trail', from: ticker }),
      ),
      get(
        'The same questions on both venues',
        absoluteUrl(baseUrl, '/api/public/cross-venue/pairs', { venue, topic }),
      ),
    ],
    query: [
      get(
        'Ask about this question',
        absoluteUrl(baseUrl, '/api/public/query', { q: cutText(title, MAX_QUESTION_LENGTH) }),
      ),
    ],
  }
}
