import type { Generated } from 'kysely'

/** Tables of portfolios: accounts, orders, trades and their texts. */
export interface PortfolioSchema {
  portfolio: PortfolioTable
  intent: IntentTable
  ledger_entry: LedgerEntryTable
  portfolio_text: PortfolioTextTable
  tick: TickTable
  live_order: LiveOrderTable
  trade: TradeTable
}

/** A user's portfolio: its configuration, and the state of its paper account and ledger. */
interface PortfolioTable {
  user_id: string
  /** JSON: the differences from the defaults. */
  config: string
  /** Whether the user saved a configuration; otherwise the row only counts. */
  is_configured: number
  halted_at: number | null
  halt_reason: string | null
  /** Number of resets of the paper account, and the time of the last one. */
  paper_epoch: number
  epoch_began_at: number | null
  /** Number of the newest ledger entry. */
  last_seq: number
  /** JSON: the report of the paper account that `state` serves; null before the first. */
  report: string | null
  /** The newest scheduled time that was run or skipped; earlier ones never run. */
  last_slot: number | null
  /** Why the schedule could not be followed. */
  schedule_error: string | null
  /** When the cooldown began again because a halt ended. */
  cooldown_from: number | null
  /** Highest equity of the paper account; null before the first report. */
  peak_cents: number | null
  max_drawdown_cents: Generated<number>
  /** When the drawdown of the paper account reached the warning; null after it fell well below. */
  warned_at: number | null
  /** JSON: the accounts at exchanges as they were last read; null before live trading. */
  live_account: string | null
  created_at: number
  updated_at: number
}

/** A run of a user's autopilot. */
interface TickTable {
  id: string
  user_id: string
  tick_at: number
  trigger: string
  status: string
  /** Scheduled time that it ran for; unique within its user. */
  slot: number | null
  /** JSON: the whole tick. */
  record: string
}

/** An order to a venue, written before it is sent. */
interface LiveOrderTable {
  client_order_id: string
  user_id: string
  tick_id: string
  /** Number of the decision in its tick; an order of it is written once. */
  decision: number
  venue: string
  status: string
  /** The account that it belongs to, as its ledger entries have it. */
  epoch: number
  /** JSON: the whole order. */
  record: string
}

/** A row of a user's trade journal. */
interface TradeTable {
  id: string
  user_id: string
  /** Of the autopilot's own rows: the ledger entry that opened it. */
  key: string | null
  opened_at: number
  status: string
  mode: string
  venue: string
  ticker: string
  thesis_id: string | null
  /** JSON: the whole row. */
  record: string
}

/** A trade intent of a user. */
interface IntentTable {
  id: string
  user_id: string
  status: string
  ticker: string
  /** JSON: the whole intent. */
  record: string
  created_at: number
}

/**
 * A line of a user's ledger; never changed, except that the realised profit in `entry` follows from
 * older entries and is recomputed when one is imported.
 */
interface LedgerEntryTable {
  user_id: string
  seq: number
  key: string
  event_type: string
  mode: string
  epoch: number
  source: string
  venue: string | null
  ticker: string | null
  confidence: string
  occurred_at: number
  /** 1e-6 dollars. */
  cash_delta: number
  /** JSON: the whole entry. */
  entry: string
}

/** A view or a strategy of a user. */
interface PortfolioTextTable {
  id: string
  user_id: string
  /** "view" or "strategy". */
  kind: string
  /** Order of its list, ascending. */
  rank: number
  /** JSON: the whole row. */
  record: string
}
