import { t } from 'elysia'
import type { Static } from 'elysia'
import { stringEnum } from '../schemas.ts'
import { LEDGER_SOURCES } from '../../domain/portfolio/ledger.ts'

/** Largest number of bytes of the body of a request. */
export const MAX_IMPORTED_BYTES = 4 * 1024 * 1024

const Numeric = (description: string) =>
  t.Union([t.Number(), t.String()], { description: `${description}; number or numeric text` })
const Time = (description: string) =>
  t.Union([t.String(), t.Number()], {
    description: `${description}: ISO 8601, or seconds or milliseconds since 1970`,
  })
const Text = (description: string) => t.Optional(t.String({ description }))
const Basis = {
  thesisId: Text('own thesis that it belongs to'),
  strategyId: Text('strategy of an own thesis that it belongs to'),
}

/** A fill as the venue reports it; names of its own API are read as well. */
export const VenueAFill = t.Object({
  fillId: t.String({ description: 'also fill_id or trade_id; 1 to 128 characters' }),
  ticker: t.String({ description: 'also market_ticker' }),
  action: stringEnum(['buy', 'sell']),
  side: t.Union([t.Literal('yes'), t.Literal('no')], { description: 'also outcome_side' }),
  quantity: Numeric('contracts, also count or count_fp'),
  priceCents: Numeric(
    'price of its side in cents; also yes_price and no_price (cents), yes_price_dollars and no_price_dollars',
  ),
  feeCents: t.Optional(Numeric('fee in cents, default 0; also fee_cost in dollars')),
  createdAt: Time('when it traded, also created_time or ts'),
  orderId: Text('also order_id'),
  clientOrderId: Text('also client_order_id'),
  isTaker: t.Optional(t.Boolean({ description: 'also is_taker' })),
  ...Basis,
})
export const VenueASettlement = t.Object({
  ticker: t.String({ description: 'also market_ticker' }),
  result: t.String({ description: 'yes, no, scalar or void; also market_result' }),
  settledAt: Time('when it was paid, also settled_time'),
  yesQuantity: t.Optional(Numeric('YES contracts held, also yes_count or yes_count_fp')),
  noQuantity: t.Optional(Numeric('NO contracts held, also no_count or no_count_fp')),
  revenueCents: Numeric('paid in cents, also revenue'),
  feeCents: t.Optional(Numeric('fee in cents, default 0; also fee_cost in dollars')),
})
export const VenueBFill = t.Object({
  conditionId: t.String({ description: '0x and 64 hex digits; also condition_id or market' }),
  tokenId: Text('also token_id, asset or asset_id; instead of outcomeIndex'),
  outcomeIndex: t.Optional(
    Numeric('0 for YES, 1 for NO; also outcome_index, or outcome "Yes" or "No"'),
  ),
  side: t.String({ description: 'BUY or SELL' }),
  size: Numeric('shares'),
  price: Numeric('dollars, above 0 and below 1'),
  timestamp: Time('when it traded'),
  transactionHash: t.String({ description: '0x and 64 hex digits; also transaction_hash' }),
  id: Text('id of the trade, also trade_id'),
  feeUsd: t.Optional(Numeric('fee in dollars, default 0; also fee')),
  orderId: Text('also order_id'),
  ...Basis,
})
/** A redemption. */
export const VenueBSettlement = t.Object({
  conditionId: t.String({ description: '0x and 64 hex digits; also condition_id or market' }),
  transactionHash: t.String({ description: '0x and 64 hex digits; also transaction_hash' }),
  timestamp: Time('when it was paid'),
  tokenId: Text('also token_id, asset or asset_id; instead of outcomeIndex'),
  outcomeIndex: t.Optional(
    Numeric('0 for YES, 1 for NO; also outcome_index, or outcome "Yes" or "No"'),
  ),
  size: Numeric('shares redeemed'),
  payoutUsd: Numeric('paid in dollars, also usdc_size'),
})

const dryRun = t.Optional(t.Boolean({ description: 'true only checks; default false' }))
export const VenueAImport = t.Object({
  fills: t.Optional(t.Array(VenueAFill, { description: 'at most 2000' })),
  settlements: t.Optional(t.Array(VenueASettlement, { description: 'at most 2000' })),
  dryRun,
})
export const VenueBImport = t.Object({
  fills: t.Optional(t.Array(VenueBFill, { description: 'at most 2000' })),
  settlements: t.Optional(t.Array(VenueBSettlement, { description: 'at most 2000' })),
  dryRun,
})

export const ImportCounts = t.Object({
  fills: t.Integer({ description: 'number of fills' }),
  settlements: t.Integer({ description: 'number of settlements' }),
})
export type ImportCounts = Static<typeof ImportCounts>
export const ImportError = t.Object({
  kind: stringEnum(['fill', 'settlement']),
  index: t.Integer({ description: 'index in its array, from 0' }),
  reason: t.String({ description: 'first error of the row' }),
})
export type ImportError = Static<typeof ImportError>

/** Counts of the stored rows; with `dryRun`, of those that would be stored. */
export const LedgerImported = t.Object({
  ok: t.Literal(true),
  dryRun: t.Boolean(),
  source: stringEnum(LEDGER_SOURCES),
  received: ImportCounts,
  inserted: ImportCounts,
  duplicates: ImportCounts,
  errors: t.Array(ImportError, { description: 'refused rows, fills first' }),
})
export type LedgerImported = Static<typeof LedgerImported>

/** A request to read the account at venue_a and to book what it traded. */
export const VenueAPull = t.Object({
  since: t.Optional(t.String({ description: 'ISO time or duration, default 90d' })),
  until: t.Optional(t.String({ description: 'ISO time, default now' })),
  dryRun,
})

/**
 * Counts of the rows read at the venue and stored; with `dryRun`, of those that would be stored.
 */
export const LedgerPulled = t.Object({
  ...LedgerImported.properties,
  fetched: ImportCounts,
  truncated: t.Boolean({
    description: 'more than 2000 of a kind: the oldest were booked; pull again for the rest',
  }),
  tickId: t.String({ description: 'the tick with trigger reconcile that read the account' }),
})
export type LedgerPulled = Static<typeof LedgerPulled>
