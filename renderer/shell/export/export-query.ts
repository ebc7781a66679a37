import { contextQuery } from '../../api/context-queries.ts'
import * as account from '../../api/account-queries.ts'
import { watchedPage } from '../../api/alert-queries.ts'
import * as backtests from '../../api/backtest-queries.ts'
import { forumMessages } from '../../api/forum-queries.ts'
import * as queries from '../../api/queries.ts'
import * as portfolio from '../../api/portfolio-queries.ts'
import { replayState } from '../../api/replay.ts'
import { referenceQuery } from '../../api/reference-queries.ts'
import * as series from '../../api/series-queries.ts'
import * as theses from '../../api/thesis-queries.ts'
import { board } from '../../api/watch-queries.ts'
import { endpointDeliveries, webhookEndpoints } from '../../api/webhook-queries.ts'
import { worldQuery } from '../../api/world-queries.ts'
import type { PolledQuery } from '../../api/source.svelte.ts'
import type { Command } from '../commands/command.ts'
import type { BacktestPage, BacktestRun } from '../../../backend/contract/backtests.ts'
import type { ThesisBacktest } from '../../../backend/contract/theses/backtest.ts'
import type { Iso } from '../../../backend/contract/schemas.ts'
import type { Timeframe } from '../../../backend/domain/prices/candle.ts'

/** The market of a command and the instant at which it is shown. */
export interface ExportedMarket {
  readonly ticker: string | null
  /** The past instant of its link group; null for now, and without a market. */
  readonly asOf: Iso | null
}

/**
 * The one route that answers a command; for movers, the route of the gainers.
 * @throws Error for a verb without a request, with a message for the user
 */
export function queryOf(
  command: Command,
  { ticker, asOf }: ExportedMarket,
  now: number,
): PolledQuery<object> {
  const asQuery = (query: unknown): PolledQuery<object> => query as PolledQuery<object>
  const fromContext = contextQuery(command, ticker, asOf)
  if (fromContext !== null) return fromContext
  const fromReference = referenceQuery(command, ticker, asOf)
  if (fromReference !== null) return fromReference
  const fromWorld = worldQuery(command, ticker, asOf)
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
      return asQuery(queries.changes(command, ticker, asOf))
    case 'HEALTH':
      return asQuery(queries.serviceStatus)
    case 'KEY':
      return asQuery(account.serviceKeys)
    case 'USE':
      return asQuery(account.usage(command.args['period'] ?? '30d'))
    case 'ACCOUNT':
      return asQuery(account.sessions)
    case 'BT':
      return asQuery(backtestQuery(command))
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
    return asQuery(series.candles(ticker, timeframe, asOf))
  }
  if (command.verb === 'HIST') return asQuery(series.history(ticker, asOf))
  const query = command.verb === 'TAPE' ? series.tape : queries.market
  return asQuery(query(ticker, asOf))
}

/**
 * Query for the verb: the replay of a thesis, one run when it is named, else the list.
 * @throws Error for a replay that names no thesis, with a message for the user
 */
export function backtestQuery({
  args,
}: Command): PolledQuery<ThesisBacktest> | PolledQuery<BacktestRun> | PolledQuery<BacktestPage> {
  const thesis = args['thesis']
  if (args['action'] === 'thesis') {
    if (thesis === undefined) throw new Error('Name a thesis by its id: BT thesis ID 90d')
    return theses.thesisBacktest(thesis, args['from'] ?? '90d')
  }
  return args['id'] === undefined ? backtests.runs : backtests.run(args['id'])
}
