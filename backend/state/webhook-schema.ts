/** Rows of webhooks, of deliveries on every channel and of the items that rules fired for. */
export interface WebhookSchema {
  alert_item: AlertItemTable
  webhook_endpoint: WebhookEndpointTable
  delivery: DeliveryTable
  webhook_attempt: WebhookAttemptTable
}

export interface WebhookEndpointTable {
  id: string
  user_id: string
  label: string
  url: string
  state: string
  /** JSON: the whole endpoint. */
  record: string
  created_at: number
}

/** Items that rules fired for; they fire once. */
export interface AlertItemTable {
  rule_id: string
  item_id: string
  /** When the item was published. */
  at: number
}

export interface DeliveryTable {
  id: string
  user_id: string
  rule_id: string | null
  event: string
  status: string
  /** Null in rows written before webhooks existed; their channel is in `record`. */
  channel: string | null
  endpoint_id: string | null
  /** When the next attempt is due; null when none follows. */
  due_at: number | null
  /** The bytes sent to an endpoint; null on other channels. */
  body: string | null
  /** Equal for two firings of a rule within one window; null for a test. */
  dedupe_key: string | null
  /** JSON: the whole delivery, without its body. */
  record: string
  created_at: number
}

export interface WebhookAttemptTable {
  delivery_id: string
  /** Number of the attempt, from 1. */
  n: number
  endpoint_id: string
  started_at: number
  /** Null while it runs. */
  duration_ms: number | null
  status: number | null
  error: string | null
  response_excerpt: string | null
  is_test: number
}
