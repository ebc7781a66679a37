import { roundTo } from '../../units.ts'
import type { Millis } from '../../units.ts'
import { centsText, isoOf, numberText } from '../markdown/text.ts'
import { moveOf } from '../world-market.ts'

export const DELTA_ALERT_PARAMS = { priceMove: 3, closingDays: 1 } as const

/** A market in which the caller holds a position, at both ends of a delta; cents and days. */
export interface HeldMarket {
  readonly ticker: string
  readonly price: { readonly from: number | null; readonly to: number | null }
  readonly tau: { readonly from: number | null; readonly to: number | null }
  readonly expectedEdge: { readonly from: number | null; readonly to: number | null }
  /** Result and time if it settled inside the window. */
  readonly resolved: { readonly result: string; readonly at: Millis } | null
}
export interface DeltaAlert {
  readonly ticker: string
  readonly kind: 'price_move' | 'resolved' | 'closing_soon' | 'edge_flipped'
  readonly message: string
  readonly at: string
}

/** Alerts on the caller's open positions, by ticker. Methodology C7. */
export function alertsOf(positions: readonly HeldMarket[], to: Millis): DeltaAlert[] {
  const alerts: DeltaAlert[] = []
  for (const { ticker, price, tau, expectedEdge, resolved } of positions.toSorted((a, b) =>
    a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : 0,
  )) {
    const at = isoOf(to)
    const move = moveOf(price.to, price.from)
    if (move !== null && Math.abs(move) >= DELTA_ALERT_PARAMS.priceMove) {
      const message = `${ticker} ${centsText(price.from)} → ${centsText(price.to)}`
      alerts.push({ ticker, kind: 'price_move', message, at })
    }
    if (resolved !== null) {
      const message = `${ticker} resolved ${resolved.result}`
      alerts.push({ ticker, kind: 'resolved', message, at: isoOf(resolved.at) })
    }
    const { closingDays } = DELTA_ALERT_PARAMS
    if (tau.from !== null && tau.to !== null && tau.from >= closingDays && tau.to < closingDays) {
      const message = `${ticker} closes in ${numberText(tau.to * 24, 0)}h`
      alerts.push({ ticker, kind: 'closing_soon', message, at })
    }
    const [before, after] = [expectedEdge.from, expectedEdge.to]
    if (before !== null && after !== null && before * after < 0) {
      const edges = `${centsText(roundTo(before, 2))} → ${centsText(roundTo(after, 2))}`
      alerts.push({ ticker, kind: 'edge_flipped', message: `${ticker} edge ${edges}`, at })
    }
  }
  return alerts
}
