import type { AttributionRow } from '../../../backend/contract/orders/attribution.ts'
import type { ServedDecision, ServedTick } from '../../../backend/contract/orders/ticks.ts'
import type { ServedEntry, ServedRisk } from '../../../backend/contract/portfolio.ts'
import type { GateName, GateResult } from '../../../backend/domain/portfolio/risk-gates.ts'
import { VENUES, venueName } from '../../../backend/domain/venue.ts'
import { formatCents, formatNumber, formatUsd, MISSING } from '../../lib/format.ts'
import type { Column } from '../../ui/table/table.ts'

/** Money of an account: `$1,204.50`, `−$3.00`. */
export const money = (cents: number | null | undefined): string =>
  formatUsd(cents === null || cents === undefined ? cents : cents / 100)

/** CSS class that colours a profit; the text has its sign. */
export const toneOf = (cents: number | null): 'up' | 'down' | 'flat' =>
  cents === null || cents === 0 ? 'flat' : cents > 0 ? 'up' : 'down'

/** A profit with its sign: `+$3.00`. */
export const profit = (cents: number | null | undefined): string =>
  `${(cents ?? 0) > 0 ? '+' : ''}${money(cents)}`

/** Use of one limit. */
export interface LimitUse {
  readonly name: string
  readonly usedText: string
  readonly limit: string
  /** 0 to 1; a limit of 0 is used up. */
  readonly share: number
  readonly help: string
}

const shareOf = (amount: number, limit: number): number =>
  limit <= 0 ? 1 : Math.max(0, Math.min(1, amount / limit))

/** The limits of an account with their use; those of single markets come last. */
export function limitUses({
  exposure,
  dailyLoss,
  drawdown,
  positions,
}: Pick<ServedRisk, 'exposure' | 'dailyLoss' | 'drawdown' | 'positions'>): readonly LimitUse[] {
  const moneyLimit = (name: string, help: string, amount: number, limit: number): LimitUse => ({
    name,
    help,
    usedText: money(amount),
    limit: money(limit),
    share: shareOf(amount, limit),
  })
  return [
    moneyLimit('Exposure', 'Cost of open positions', exposure.usedCents, exposure.limitCents),
    moneyLimit(
      'Loss today',
      'UTC day; more rejects entries',
      dailyLoss.usedCents,
      dailyLoss.limitCents,
    ),
    moneyLimit(
      'Drawdown',
      `Below the highest equity; a warning at ${money(drawdown.warnCents)}, trading halts at the limit`,
      drawdown.usedCents,
      drawdown.limitCents,
    ),
    {
      name: 'Positions',
      help: 'Open positions',
      usedText: String(positions.used),
      limit: String(positions.limit),
      share: shareOf(positions.used, positions.limit),
    },
    ...exposure.perMarket.map(({ marketTitle, usedCents, limitCents }) =>
      moneyLimit(marketTitle, `Exposure in ${marketTitle}`, usedCents, limitCents),
    ),
  ]
}

/** The first reason why data are old, and how many more there are. */
export function staleText([first = 'not known', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first}; and ${others.length} more`
}

/** Mode of an account as text; LIVE is in capitals, so that it is not mistaken for paper. */
export const modeText = (mode: ShownMode): string => (mode === 'live' ? 'LIVE' : (mode ?? '–'))
/** Account of a row; null for a tick that was skipped. */
export type ShownMode = 'live' | 'paper' | null

/** Whether rows name their account: those of a user who never traded live are all on paper. */
export const hasLiveRows = (rows: readonly { readonly mode: ShownMode }[]): boolean =>
  rows.some(({ mode }) => mode === 'live')

/** The column of a list whose rows are of paper or live accounts. */
export const modeColumn = <Row extends { readonly mode: ShownMode }>(
  help: string,
  cell: Column<Row>['cell'],
): Column<Row> => ({
  id: 'mode',
  label: 'Mode',
  help,
  width: 52,
  cell,
  sortValue: ({ mode }) => mode,
})

/** State of the autopilot, as a sentence. */
export function autopilotText({
  enabled,
  halted,
  cooldown,
}: Pick<ServedRisk, 'enabled' | 'halted' | 'cooldown'>): string {
  if (halted !== null) {
    return halted.reason === 'drawdown'
      ? 'Trading is halted: the drawdown reached its limit'
      : 'Trading is halted'
  }
  if (!enabled) return 'The autopilot is off'
  if (!cooldown.active) return 'The autopilot is on'
  const remainingTicks = cooldown.required - (cooldown.ticksSinceLoss ?? 0)
  return `The autopilot is on; no entries for ${remainingTicks} more ${remainingTicks === 1 ? 'tick' : 'ticks'} after a loss`
}

const SKIP_LABELS: Readonly<Record<string, string>> = {
  halted: 'trading was halted',
  missed: 'the service was off',
  overlap: 'another tick was running',
}

/** Result of a tick, as text. */
export function tickText({ status, skipReason, error, haltTriggered }: ServedTick): string {
  if (status === 'skipped') return `skipped: ${SKIP_LABELS[skipReason ?? ''] ?? skipReason ?? ''}`
  if (error !== null) return `${status}: ${error}`
  return haltTriggered ? `${status}, halted trading` : status
}

/** The order of a decision: `buy 40 YES at 44.0¢`; a dash for none. */
export function orderText(decision: ServedDecision): string {
  const { action, quantity, direction, limitPriceCents } = decision
  if (action === null || quantity === null) return MISSING
  const side = direction?.toUpperCase() ?? ''
  return `${action} ${formatNumber(quantity)} ${side} at ${formatCents(limitPriceCents)}`
}

const OUTCOMES: Readonly<Record<ServedDecision['outcome'], string>> = {
  filled: 'filled',
  partial: 'partly filled',
  resting: 'resting',
  not_filled: 'not filled',
  rejected_by_gate: 'rejected by a risk limit',
  rejected_by_venue: 'rejected by the venue',
  unknown: 'unknown',
  none: MISSING,
}

/** The result of a decision. */
export function outcomeText({
  kind,
  outcome,
  filledQuantity,
  avgFillPriceCents,
  error,
}: ServedDecision): string {
  if (kind !== 'hold' && outcome === 'none') return `not sent${error === null ? '' : `: ${error}`}`
  // The gates say more than the code of a rejection.
  if (outcome === 'not_filled' && error !== null) return `${OUTCOMES[outcome]}: ${error}`
  if (outcome !== 'filled' && outcome !== 'partial') return OUTCOMES[outcome]
  return `${OUTCOMES[outcome]}: ${formatNumber(filledQuantity)} at ${formatCents(avgFillPriceCents)}`
}

const GATE_NAMES: Readonly<Record<GateName, string>> = {
  execution_mode: 'Trading enabled',
  market_open: 'Market is open',
  reconcile: 'Account agrees with the venue',
  credentials: 'Credentials',
  category: 'Category is not excluded',
  tau: 'Days to close',
  adj_iy: 'Adjusted implied yield',
  las: 'Liquidity-adjusted spread',
  min_edge: 'Edge of the thesis',
  thesis_confidence: 'Confidence of the thesis',
  balance: 'Balance left',
  funds: 'Funds',
  single_order: 'Cost of the order',
  total_exposure: 'Total exposure',
  per_market: 'Exposure in the market',
  daily_loss: 'Loss today',
  positions: 'Open positions',
  orders_per_tick: 'Orders of the tick',
  cooldown: 'Ticks since a loss',
  price_moved: 'Price since the decision',
}
export const gateName = (gate: GateName): string => GATE_NAMES[gate]

/** Gates whose values are cents of an account. */
const MONEY_GATES: ReadonlySet<GateName> = new Set<GateName>([
  'balance',
  'funds',
  'single_order',
  'total_exposure',
  'per_market',
  'daily_loss',
])
/** A value or limit of a gate. */
export function gateValue(gate: GateName, value: GateResult['value']): string {
  if (value === null) return MISSING
  if (typeof value === 'string') return value
  return MONEY_GATES.has(gate) ? money(value) : formatNumber(value)
}

const EVENT_LABELS: Readonly<Record<ServedEntry['eventType'], string>> = {
  fill: 'fill',
  settlement: 'settlement',
  cancellation: 'cancellation',
  agent_decision: 'decision',
}

/** Marks both entries of a correction: the reversal of the first values, and the new ones. */
function correctionLabel({ corrects, reversal }: ServedEntry['payload']): string {
  if (corrects === undefined) return ''
  return reversal === true ? 'reversed ' : 'corrected '
}

/** Description of a ledger entry: `fill: buy 10 YES at 44.0¢`. */
export function entryText(entry: ServedEntry): string {
  const { eventType, action, quantity, direction, priceCents, result, note, payload } = entry
  const description = [
    action,
    quantity === null ? null : formatNumber(quantity),
    direction?.toUpperCase(),
    priceCents === null ? null : `at ${formatCents(priceCents)}`,
    result === null ? null : `result ${result}`,
  ].filter((part) => part !== null && part !== undefined)
  const text = description.length > 0 ? description.join(' ') : (note ?? '')
  const name = `${correctionLabel(payload)}${EVENT_LABELS[eventType]}`
  return text === '' ? name : `${name}: ${text}`
}

/** Source of a ledger entry as text; an import names its venue. */
export function sourceText(source: string): string {
  const venue = VENUES.find((id) => source === `import_${id}`)
  return venue === undefined ? source.replaceAll('_', ' ') : `${venueName(venue)} import`
}

/** Name of a row of an attribution. */
export function attributionName({ date, keys, label }: AttributionRow): string {
  if (label !== null) return label
  if (date !== undefined) return date
  if (keys.venue !== undefined) return keys.venue === null ? 'No venue' : venueName(keys.venue)
  const source = typeof keys.source === 'string' ? sourceText(keys.source) : null
  const key = keys.marketId ?? keys.strategyId ?? keys.viewId ?? keys.thesisId ?? source
  return key ?? 'Unattributed'
}
