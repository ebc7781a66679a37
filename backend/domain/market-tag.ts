import { isConditionId, type MarketFacts } from './market.ts'
import { venueName } from './venue.ts'

/** A market in a sentence: its ticker, or its venue where ids are 66 characters long. */
export const marketTag = ({ ticker, venue }: Pick<MarketFacts, 'ticker' | 'venue'>): string =>
  isConditionId(ticker) ? venueName(venue) : ticker
