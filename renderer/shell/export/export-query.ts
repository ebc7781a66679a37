import { contextQuery } from '../../api/context-queries.ts'
import * as account from '../../api/account-queries.ts'
import { watchedPage } from '../../api/alert-queries.ts'
import * as backtests from '../../api/backtest-queries.ts'
import { forumMessages } from '../../api/forum-queries.ts'
import * as queries from '../../api/queries.ts'
import * as portfolio from '../../api/portfolio-queries.ts'
import { replayState } from '../../api/replay.ts'
import { referenceQuery } from '../../api/reference-queries.ts'
import * as theses from '../../api/thesis-queries.ts'
import { board } from '../../api/watch-queries.ts'
import { endpointDeliveries, webhookEndpoints } from '../../api/webhook-queries.ts'
import { worldQuery } from '../../api/world-queries.ts'
import type { PolledQuery } from '../../api/source.svelte.ts'
import type { Command } from '../commands/command.ts'
import type { Timeframe } from '../../../backend/domain/prices/candle.ts'

/**
 * The one route that answers a command; for movers, the route of the gainers.
 * @throws Error for a verb without a request, with a message for the user
 */
export function queryOf(command: Command, ticker: string | null, now: number): PolledQuery<object> {
  const asQuery = (query: unknown): PolledQuery<object> => query as PolledQuery<object>
  const fromContext = contextQuery(command, ticker)
  if (fromContext !== null) return fromContext
  const fromReference = referenceQuery(command, ticker)
  if (fromReference !== null) return fromReference
  const fromWorld = worldQuery(command, ticker)
  if (fromWorld !== null) return fromWorld
  switch (command.verb) {
    case 'SCAN': {
      const query = queries.scan(command)
      if (typeof query === 'string') throw new Error(query)
      return asQuery(query)
    }
    case 'MOV':
      return asQuery(queries.movers(command)[0])
    case 'NEW':
      return asQuery(queries.newMarkets(command))
    case 'CHG':
      return asQuery(queries.changes(command, ticker))
    case 'HEALTH':
      return asQuery(queries.serviceStatus)
    case 'KEY':
      return asQuery(account.serviceKeys)
    case 'USE':
      return asQuery(account.usage(command.args['period'] ?? '30d'))
    case 'ACCOUNT':
      return asQuery(account.sessions)
    case 'BT':
      return asQuery(backtests.backtestQuery(command))
    case 'THES':
      return asQuery(theses.thesisQuery(command))
    case 'POS':
    case 'RISK':
    case 'TICKS':
    case 'LEDG':
    case 'ATTR':
    case 'INTENT':
    case 'TRADES':
    case 'VIEWS':
    case 'PLAN':
    case 'SECRET':
      return asQuery(portfolio.portfolioQuery(command, now))
    case 'MW':
      return asQuery(board)
    case 'REPLAY':
      return asQuery(replayState)
    case 'ALERT':
      return asQuery(watchedPage)
    case 'HOOK': {
      const { endpoint } = command.args
      return asQuery(endpoint === undefined ? webhookEndpoints : endpointDeliveries(endpoint, null))
    }
    case 'FORUM':
      return asQuery(forumMessages(command.args['channel'] ?? null))
  }
  if (ticker === null) throw new Error('Name a market first')
  if (command.verb === 'GP') {
    const timeframe = (command.args['timeframe'] ?? '1h') as Timeframe
    return asQuery(queries.candles(ticker, timeframe))
  }
  if (command.verb === 'HIST') return asQuery(queries.history(ticker))
  return asQuery(command.verb === 'TAPE' ? queries.tape(ticker) : queries.market(ticker))
}
