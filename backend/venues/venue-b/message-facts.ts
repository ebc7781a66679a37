import { canonicalTicker, type MarketFacts } from '../../domain/market.ts'
import { textOf, type Wire } from '../fields.ts'
import type { ParseResult } from '../parsed.ts'
import type { AssetIndex } from './asset-index.ts'
import { parseEventContext } from './event-context.ts'
import { parseFacts, rangesOfTick, type KnownEvent } from './parse.ts'
import { outcomeOfWinner } from './resolution.ts'

/**
 * The facts of a market after a socket message (new, resolved, another tick size); null when
 * nothing changed.
 */
export function factsOfMessage(
  parseResult: ParseResult,
  message: Wire,
  index: AssetIndex,
  knownEvent: KnownEvent,
): MarketFacts | null {
  const knownFacts = index.facts(canonicalTicker(textOf(message['market']) ?? ''))
  if (knownFacts !== null) return changedFacts(knownFacts, message, index)
  if (message['event_type'] !== 'new_market') return null
  const event = parseEventContext(message['event_message'])
  return parseFacts(
    parseResult,
    message,
    event === null ? null : (knownEvent(event.eventId) ?? event),
  )
}

function changedFacts(
  knownFacts: MarketFacts,
  message: Wire,
  index: AssetIndex,
): MarketFacts | null {
  if (message['event_type'] === 'tick_size_change') {
    const priceRanges = rangesOfTick(message['new_tick_size'])
    const [range] = priceRanges
    if (range === undefined || range.step === knownFacts.priceRanges[0]?.step) return null
    return { ...knownFacts, priceRanges }
  }
  if (message['event_type'] !== 'market_resolved' || knownFacts.status === 'settled') return null
  const winner = index.indexOf(textOf(message['winning_asset_id']) ?? '')
  return winner === null ? null : { ...knownFacts, status: 'settled', ...outcomeOfWinner(winner) }
}
