import { SAMPLE_TAG } from '../domain/market.ts'
import type { VenueConnector, VenueEvent } from '../venues/connector.ts'

const tagEvents = (events: readonly VenueEvent[]): readonly VenueEvent[] =>
  events.map((event) =>
    event.type === 'market_described'
      ? { ...event, facts: { ...event.facts, tags: [...event.facts.tags, SAMPLE_TAG] } }
      : event,
  )

async function* taggedPages(
  pages: AsyncIterable<readonly VenueEvent[]>,
): AsyncGenerator<readonly VenueEvent[]> {
  for await (const page of pages) yield tagEvents(page)
}

/** The connector with every market it describes marked as a sample. */
export const markedAsSample = (connector: VenueConnector): VenueConnector => ({
  venue: connector.venue,
  tradesWithoutNames: connector.tradesWithoutNames,
  streamsEveryTrade: connector.streamsEveryTrade,
  get clockOffset() {
    return connector.clockOffset
  },
  checkReachable: (signal) => connector.checkReachable(signal),
  exchangePause: (signal) => connector.exchangePause(signal),
  openMarkets: (signal) => taggedPages(connector.openMarkets(signal)),
  endedMarkets: (since, signal) => taggedPages(connector.endedMarkets(since, signal)),
  markets: async (tickers, signal, priority) =>
    tagEvents(await connector.markets(tickers, signal, priority)),
  books: (tickers, signal) => connector.books(tickers, signal),
  trades: (query, signal) => connector.trades(query, signal),
  candles: (query, signal) => connector.candles(query, signal),
  stream: (handlers) =>
    connector.stream({ ...handlers, onEvents: (events) => handlers.onEvents(tagEvents(events)) }),
  health: () => connector.health(),
})
