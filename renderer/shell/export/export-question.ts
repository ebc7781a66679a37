import { contextQuestion } from '../../api/context-questions.ts'
import * as account from '../../api/account-questions.ts'
import * as backtests from '../../api/backtest-questions.ts'
import * as questions from '../../api/questions.ts'
import * as portfolio from '../../api/portfolio-questions.ts'
import { replayState } from '../../api/replay.ts'
import { referenceQuestion } from '../../api/reference-questions.ts'
import * as theses from '../../api/thesis-questions.ts'
import { board } from '../../api/watch-questions.ts'
import { worldQuestion } from '../../api/world-questions.ts'
import type { Question } from '../../api/source.svelte.ts'
import type { Command } from '../commands/command.ts'
import type { Timeframe } from '../../../backend/domain/prices/candle.ts'

/**
 * The one route that answers a command; for movers, the route of the gainers.
 * @throws Error for a verb without a request, with a message for the user
 */
export function questionOf(command: Command, ticker: string | null, now: number): Question<object> {
  const of = (question: unknown): Question<object> => question as Question<object>
  const ofContext = contextQuestion(command, ticker)
  if (ofContext !== null) return ofContext
  const ofReference = referenceQuestion(command, ticker)
  if (ofReference !== null) return ofReference
  const ofWorld = worldQuestion(command, ticker)
  if (ofWorld !== null) return ofWorld
  switch (command.verb) {
    case 'SCAN': {
      const question = questions.scan(command)
      if (typeof question === 'string') throw new Error(question)
      return of(question)
    }
    case 'MOV':
      return of(questions.movers(command)[0])
    case 'NEW':
      return of(questions.newMarkets(command))
    case 'CHG':
      return of(questions.changes(command, ticker))
    case 'HEALTH':
      return of(questions.serviceStatus)
    case 'KEY':
      return of(account.serviceKeys)
    case 'USE':
      return of(account.usage(command.args['period'] ?? '30d'))
    case 'ACCOUNT':
      return of(account.sessions)
    case 'BT':
      return of(backtests.ofCommand(command))
    case 'THES':
      return of(theses.ofCommand(command))
    case 'POS':
    case 'RISK':
    case 'TICKS':
    case 'LEDG':
    case 'ATTR':
    case 'INTENT':
    case 'TRADES':
    case 'VIEWS':
    case 'PLAN':
      return of(portfolio.ofCommand(command, now))
    case 'MW':
      return of(board)
    case 'REPLAY':
      return of(replayState)
  }
  if (ticker === null) throw new Error('Name a market first')
  if (command.verb === 'GP') {
    const timeframe = (command.args['timeframe'] ?? '1h') as Timeframe
    return of(questions.candles(ticker, timeframe))
  }
  return of(command.verb === 'HIST' ? questions.history(ticker) : questions.market(ticker))
}
