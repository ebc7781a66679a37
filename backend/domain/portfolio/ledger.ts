import type { MarketResult, Side, Ticker, Venue } from '../market.ts'
import { VENUES } from '../venue.ts'
import type { Millis, MoneyE6, PriceE4, SizeE6 } from '../units.ts'

export const LEDGER_EVENTS = ['fill', 'settlement', 'cancellation', 'agent_decision'] as const
export type LedgerEvent = (typeof LEDGER_EVENTS)[number]
export const LEDGER_SOURCES = [
  'autopilot',
  'intent',
  'manual',
  ...VENUES.map((venue) => `import_${venue}` as const),
  'reconcile',
] as const
export type LedgerSource = (typeof LEDGER_SOURCES)[number]
export const MODES = ['live', 'paper'] as const
export type Mode = (typeof MODES)[number]
export const CONFIDENCES = ['exact', 'low', 'unknown'] as const
export type Confidence = (typeof CONFIDENCES)[number]

/** Key of the settlement of a market that was held on paper: one an epoch. */
export const paperSettlementKey = (epoch: number, ticker: string): string =>
  `p:settle:${epoch}:${ticker}`

/** Key of a fill that the caller of an intent reported: the venue reported nothing. */
export const reportedFillKey = (intentId: string, orderId: string): string =>
  `i:${intentId}:${orderId}`
const isReported = ({ key }: Pick<LedgerEntry, 'key'>): boolean => key.startsWith('i:')
/** Whether a fill is one that a venue reported, not the caller of an intent. */
export const isVenueFill = (entry: Pick<LedgerEntry, 'eventType' | 'key'>): boolean =>
  entry.eventType === 'fill' && !isReported(entry)

/** One line of the append-only ledger. Prices are of the direction's side. */
export interface LedgerEntry {
  readonly id: string
  readonly userId: string
  /** Number within its user, ascending by one. */
  readonly seq: number
  readonly eventType: LedgerEvent
  readonly mode: Mode
  /** Number of resets of the paper account. */
  readonly epoch: number
  readonly source: LedgerSource
  readonly occurredAt: Millis
  readonly recordedAt: Millis
  readonly venue: Venue | null
  readonly ticker: Ticker | null
  readonly marketTitle: string | null
  readonly category: string | null
  readonly action: 'buy' | 'sell' | null
  readonly direction: Side | null
  readonly size: SizeE6 | null
  readonly price: PriceE4 | null
  /** Fees included, + is money in. */
  readonly cashDelta: MoneyE6
  readonly fee: MoneyE6
  /** Against the decision price, + is worse. */
  readonly slippage: MoneyE6 | null
  /** After the fees of both legs; null when nothing is closed. */
  readonly realized: MoneyE6 | null
  readonly result: MarketResult | null
  readonly orderId: string | null
  /** Of the order and the trade at the venue; absent when unknown. */
  readonly clientOrderId?: string
  readonly venueTradeId?: string
  readonly liquidity: 'maker' | 'taker' | null
  readonly tickId: string | null
  readonly intentId: string | null
  /** Of its intent; absent when the intent names none. */
  readonly thesisId?: string
  readonly strategyId?: string
  readonly viewId?: string
  readonly confidence: Confidence
  /** Unique within its user, so that nothing is booked twice. */
  readonly key: string
  readonly note: string | null
  readonly payload: Readonly<Record<string, unknown>>
}

/** An entry before it is numbered and stored. */
export type NewLedgerEntry = Omit<LedgerEntry, 'seq' | 'userId' | 'recordedAt'>

/**
 * The entries of an account that count. The fills of an order that the venue reported replace what
 * the caller of an intent reported of it, and carry the attribution of that report.
 */
export function withoutReplaced(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const reports = new Map<string | null, LedgerEntry>()
  for (const entry of entries) if (isReported(entry)) reports.set(entry.orderId, entry)
  if (reports.size === 0) return entries
  const venueFillIds = new Set(entries.filter(isVenueFill).map(({ orderId }) => orderId))
  return entries.flatMap((entry) => {
    const { thesisId: _thesis, strategyId: _strategy, viewId: _view, ...unattributedEntry } = entry
    const { orderId, confidence } = entry
    if (isReported(entry)) return orderId !== null && venueFillIds.has(orderId) ? [] : [entry]
    const report = orderId === null ? undefined : reports.get(orderId)
    if (report === undefined || confidence === 'exact') return [entry]
    const { intentId, thesisId, strategyId, viewId } = report
    return [
      {
        ...unattributedEntry,
        intentId,
        ...(thesisId !== undefined && { thesisId }),
        ...(strategyId !== undefined && { strategyId }),
        ...(viewId !== undefined && { viewId }),
        confidence: 'exact',
      },
    ]
  })
}
