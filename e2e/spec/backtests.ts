import { covered, type Requirement } from './requirement.ts'

/** Runs of strategies over stored history: what orders meet, and that nothing looks ahead. */
export const BACKTESTS: readonly Requirement[] = [
  covered('backtest.engine.oracle', 'L', 'a run agrees to the cent with a slow computation apart'),
  covered('backtest.engine.oracle-bites', 'L', 'that comparison finds a fee that is wrong'),
  covered('backtest.engine.deterministic', 'L', 'equal inputs give equal results'),
  covered('backtest.lookahead.prefix', 'L', 'cutting the future never changes the past'),
  covered('backtest.lookahead.caught', 'L', 'a strategy that looks ahead is found'),
  covered('backtest.source.order', 'L', 'events are read in the order in which they were known'),
  covered('backtest.source.kinds', 'L', 'trades, quotes, books and bars are read as recorded'),
  covered('backtest.order.instant', 'L', 'events of one instant have one order'),
  covered('backtest.fills.queue', 'K', 'a resting order waits behind what stood there'),
  covered('backtest.fills.walk', 'K', 'orders take visible levels within their limit'),
  covered('backtest.fills.fees', 'K', 'fees are those of the venue, fill by fill'),
  covered('backtest.fills.latency', 'K', 'an order meets no book that is older than its arrival'),
  covered('backtest.fills.taken', 'K', 'what was taken is not there again'),
  covered('backtest.fills.through', 'K', 'a trade beyond the price fills up to its size'),
  covered('backtest.fills.no-book', 'K', 'without a book fills are estimated and flagged'),
  covered('backtest.fills.paper', 'K', 'the paper broker is the same engine'),
  covered('backtest.orders.refused', 'K', 'impossible orders are refused with their reason'),
  covered('backtest.orders.force', 'K', 'times in force are kept'),
  covered('backtest.orders.closed', 'K', 'nothing trades after the close'),
  covered('backtest.settlement.values', 'K', 'settlement pays 100, 0, a value or the cost'),
  covered('backtest.settlement.unknown', 'K', 'a settlement without a value leaves the position'),
  covered('backtest.settlement.amended', 'K', 'a changed result is paid after'),
]
