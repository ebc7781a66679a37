import type { Generated } from 'kysely'

/** Operational rows. Times are INTEGER ms; ids are made in the app. */
export interface StateSchema {
  feed: FeedTable
  import_run: ImportRunTable
  export_run: ExportRunTable
  backtest_run: BacktestRunTable
  incident: IncidentTable
  incident_update: IncidentUpdateTable
  account: AccountTable
  session: SessionTable
  access_key: AccessKeyTable
  cli_login: CliLoginTable
  usage_day: UsageDayTable
  content_item: ContentItemTable
  dashboard: DashboardTable
  panel: PanelTable
  panel_claim: PanelClaimTable
  panel_outcome: PanelOutcomeTable
  panel_run_minute: PanelRunMinuteTable
  panel_run_error: PanelRunErrorTable
  portfolio: PortfolioTable
  intent: IntentTable
  ledger_entry: LedgerEntryTable
  repeated_write: RepeatedWriteTable
}

/** How far each venue's feed has been read, so that a restart resumes instead of starting over. */
export interface FeedTable {
  venue: string
  /** First start's backfill reached its end. */
  backfilled_at: number | null
  /** Ended markets have been swept up to here. */
  ended_until: number | null
  /** Trades are complete up to here. */
  trades_until: number | null
  /** Up to here the feeds are known to have delivered. */
  alive_until: number | null
}

export interface ImportRunTable {
  id: string
  state: string
  /** JSON: the report of each file, request order. */
  files: string
  started_at: number | null
  ended_at: number | null
  created_at: number
}

export interface ExportRunTable {
  id: string
  state: string
  row_count: number
  byte_count: number
  /** JSON: paths of the files that stand. */
  files: string
  error: string | null
  started_at: number | null
  ended_at: number | null
  created_at: number
}

export interface IncidentTable {
  id: string
  component: string
  title: string
  impact: string
  started_at: number
  resolved_at: number | null
}

export interface IncidentUpdateTable {
  seq: Generated<number>
  incident_id: string
  at: number
  text: string
}

/** Users; the local owner is one of them, and the only one with `is_owner`. */
export interface AccountTable {
  id: string
  email: string | null
  name: string
  tier: string
  is_owner: number
  is_admin: number
  provider: string
  password_hash: string | null
  created_at: number
  /** Who vouches for an external account, and by which name; null for all others. */
  issuer: string | null
  subject: string | null
  /** Address that the issuer says; shown, and never a name to sign in with. */
  issuer_email: string | null
}

export interface SessionTable {
  id: string
  user_id: string
  method: string
  user_agent: string | null
  created_at: number
  last_seen_at: number
  expires_at: number
  ended_at: number | null
}

/** Keys of both key spaces; of a key only its first characters and its Argon2id hash are kept. */
export interface AccessKeyTable {
  id: string
  space: string
  user_id: string
  name: string
  key_prefix: string
  key_hash: string
  created_at: number
  last_used_at: number | null
  revoked_at: number | null
}

/** A login of the command line, found by the SHA-256 of its session token, which is never stored. */
export interface CliLoginTable {
  token_hash: string
  /** `pending`, `ready`, or `consumed`: a tombstone, so that a token is good once. */
  state: string
  expires_at: number
  /** The key that waits to be fetched, and its secret as ciphertext that the token alone opens. */
  key_id: string | null
  key_cipher: string | null
}

/** What one credential of a user asked of one route within a UTC day. */
export interface UsageDayTable {
  user_id: string
  /** '' for sessions. */
  key_id: string
  route: string
  /** UTC midnight. */
  day: number
  requests: number
  errors: number
  rate_limited: number
  model_calls: number
  input_tokens: number
  output_tokens: number
  cost_usd: number
  /** JSON: counts of a histogram of milliseconds. */
  latencies: string
}

/** A text of the service's own; the words of its newest version stand in `content_text` under its `seq`. */
export interface ContentItemTable {
  seq: Generated<number>
  id: string
  kind: string
  slug: string
  title: string
  excerpt: string
  /** JSON: topics and tickers that it is about. */
  subjects: string
  /** JSON: what its own page shows; null where that is worked out when asked. */
  body: string | null
  /** Null: it was always there. */
  published_at: number | null
  retired_at: number | null
}

export interface DashboardTable {
  id: string
  user_id: string
  name: string
  created_at: number
}

/** A panel of somebody's board. */
export interface PanelTable {
  id: string
  user_id: string
  title: string
  kind: string
  /** The preset, or the source of a screen. */
  subject: string
  status: string
  sort_idx: number
  /** JSON: the spec as it is served. */
  spec: string
  /** Grows with every new spec, so that what an old one came to is told apart. */
  spec_version: number
  /** Its spec asks for refreshes at an interval. */
  is_scheduled: number
  created_at: number
  updated_at: number
}

/** When a user last ran a panel by hand: the cooldown counts from there, in real time. */
export interface PanelClaimTable {
  user_id: string
  panel_id: string
  claimed_at: number
}

/** What the last run of a panel came to. */
export interface PanelOutcomeTable {
  panel_id: string
  /** Of the spec that was run. */
  spec_version: number
  ended_at: number | null
  /** In a row. */
  failures: number
  failed_at: number | null
  reason: string | null
  message: string | null
}

/** Runs of all panels that ended within a minute. */
export interface PanelRunMinuteTable {
  minute: number
  trigger: string
  is_success: number
  runs: number
  /** JSON: counts of a histogram of milliseconds. */
  latencies: string
}

export interface PanelRunErrorTable {
  run_id: string
  user_id: string
  panel_id: string
  /** Preset or source. */
  kind: string
  at: number
  reason: string
  message: string
}

/** A backtest of a user; `request` and `report` are JSON. */
export interface BacktestRunTable {
  id: string
  user_id: string
  state: string
  strategy: string
  request: string
  report: string | null
  error: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

/** A user's portfolio: what they configured, and where their paper account and ledger stand. */
export interface PortfolioTable {
  user_id: string
  /** JSON: what differs from the defaults. */
  config: string
  /** Somebody wrote the configuration; else the row only counts. */
  is_configured: number
  halted_at: number | null
  halt_reason: string | null
  /** How often paper was begun anew, and when that was last. */
  paper_epoch: number
  epoch_began_at: number | null
  /** Number of the newest ledger entry. */
  last_seq: number
  /** JSON: the report that `state` serves; null before the first. */
  report: string | null
  created_at: number
  updated_at: number
}

/** What somebody means to trade. */
export interface IntentTable {
  id: string
  user_id: string
  status: string
  ticker: string
  /** JSON: the whole intent. */
  record: string
  created_at: number
}

/** A line of a user's ledger; never changed. */
export interface LedgerEntryTable {
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

/** An answer that is given again when the same request is sent again. */
export interface RepeatedWriteTable {
  user_id: string
  route: string
  key: string
  body_hash: string
  answer: string
  made_at: number
}
