import { t } from 'elysia'
import type { Static } from 'elysia'
import type { MarketRegime, RegimeSignals as Signals } from '../domain/regime.ts'
import { isFreshRegime } from '../domain/regime.ts'
import type { TrendLabel } from '../domain/trend-label.ts'
import type { Millis } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { rounded } from './market-ref.ts'
import { RegimeLabel } from './market-schemas.ts'
import { Iso, nullable, Num, words } from './schemas.ts'

export const EventTypeWord = words([
  'data_release',
  'political',
  'financial',
  'sports',
  'weather',
  'cultural',
  'scientific',
])
export const ObservabilityWord = words(['none', 'low', 'medium', 'high', 'direct'])
export const TrendWord = words(['bull', 'bear', 'range', 'frontier', 'panic'])

export const RegimeSignals = t.Object({
  spreadCents: Num,
  bidDepthUsd: Num,
  askDepthUsd: Num,
  volume24h: Num,
  observability: ObservabilityWord,
  eventType: EventTypeWord,
  asPrior: t.Number(),
  sfEdgeCents: Num,
  sfEdgeDirection: nullable(words(['yes', 'no'])),
})

/** One line of the breakdown of a score: a quantity and whom it speaks for. */
export const RegimeSignal = t.Object({
  name: t.String(),
  value: t.Union([t.Number(), t.String(), t.Null()]),
  effect: RegimeLabel,
  note: t.String(),
})

/** Who is paid by crossing (methodology A11), and how the price behaves (A12). */
export const Regime = t.Object({
  score: Num,
  asScore: Num,
  label: RegimeLabel,
  signals: RegimeSignals,
  computedAt: Iso,
  fresh: t.Boolean(),
  trendLabel: nullable(TrendWord),
})
export type Regime = Static<typeof Regime>

/** Signals as they are served. */
export const servedSignals = (signals: Signals): Regime['signals'] => ({
  ...signals,
  spreadCents: rounded(signals.spreadCents),
  bidDepthUsd: rounded(signals.bidDepthUsd),
  askDepthUsd: rounded(signals.askDepthUsd),
  volume24h: rounded(signals.volume24h, 6),
  sfEdgeCents: rounded(signals.sfEdgeCents),
})

/**
 * A market's regime as it is served.
 * @param at instant of the answer, by which it is judged whether the regime is fresh
 */
export const servedRegime = (
  regime: MarketRegime,
  trendLabel: TrendLabel | null,
  at: Millis,
  bookValid: boolean,
): Regime => ({
  score: regime.score,
  asScore: regime.score,
  label: regime.label,
  signals: servedSignals(regime.signals),
  computedAt: isoOf(regime.computedAt),
  fresh: isFreshRegime(regime.computedAt, at, bookValid),
  trendLabel,
})
