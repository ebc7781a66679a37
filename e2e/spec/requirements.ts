import { ACCESS } from './access.ts'
import { BACKTESTS } from './backtests.ts'
import { COMMAND_LINE } from './command-line.ts'
import { CONVENTIONS } from './conventions.ts'
import { DATA_SERVICE } from './data-service.ts'
import { DATA_SOCKET } from './data-socket.ts'
import { FORUM } from './forum.ts'
import { LATER } from './later.ts'
import { LIMITS } from './limits.ts'
import { LOGIN } from './login.ts'
import { MARKET_READS } from './market-reads.ts'
import { MARKET_WATCH } from './market-watch.ts'
import { ONE_MARKET } from './one-market.ts'
import { OPERATION } from './operation.ts'
import { QUESTIONS } from './questions.ts'
import { PORTFOLIO } from './portfolio.ts'
import { CREDENTIALS } from './credentials.ts'
import type { Requirement } from './requirement.ts'
import { REPLAY } from './replay.ts'
import { STATEMENTS } from './statements.ts'
import { STRUCTURE } from './structure.ts'
import { TERMINAL_ACCESS } from './terminal-access.ts'
import { TERMINAL_BACKTESTS } from './terminal-backtests.ts'
import { TERMINAL_DATA } from './terminal-data.ts'
import { TERMINAL_BOARD } from './terminal-board.ts'
import { TERMINAL_CONTEXT } from './terminal-context.ts'
import { TERMINAL_DESKTOP } from './terminal-desktop.ts'
import { TERMINAL_LIVE } from './terminal-live.ts'
import { TERMINAL_PROOFS } from './terminal-proofs.ts'
import { TERMINAL_RESULTS } from './terminal-results.ts'
import { TERMINAL_WINDOW } from './terminal-window.ts'
import { TERMINAL_WORLD } from './terminal-world.ts'
import { THESES } from './theses.ts'
import { USAGE } from './usage.ts'
import { WATCH } from './watch.ts'
import { WORLD } from './world.ts'

/** The interface document as data: every promise once, in the order of the document's topics. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...CONVENTIONS,
  ...WORLD,
  ...MARKET_READS,
  ...ONE_MARKET,
  ...STRUCTURE,
  ...OPERATION,
  ...DATA_SERVICE,
  ...DATA_SOCKET,
  ...ACCESS,
  ...LOGIN,
  ...TERMINAL_ACCESS,
  ...LIMITS,
  ...USAGE,
  ...WATCH,
  ...FORUM,
  ...THESES,
  ...MARKET_WATCH,
  ...TERMINAL_BACKTESTS,
  ...TERMINAL_DATA,
  ...TERMINAL_BOARD,
  ...COMMAND_LINE,
  ...TERMINAL_LIVE,
  ...TERMINAL_CONTEXT,
  ...TERMINAL_WORLD,
  ...TERMINAL_WINDOW,
  ...TERMINAL_DESKTOP,
  ...TERMINAL_RESULTS,
  ...TERMINAL_PROOFS,
  ...QUESTIONS,
  ...STATEMENTS,
  ...BACKTESTS,
  ...PORTFOLIO,
  ...CREDENTIALS,
  ...REPLAY,
  ...LATER,
]
