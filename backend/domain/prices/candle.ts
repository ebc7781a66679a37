import { DAY, HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../units.ts'

/** Names of the served timeframes. */
export const TIMEFRAMES = ['1m', '5m', '15m', '1h', '1d'] as const
export type Timeframe = (typeof TIMEFRAMES)[number]

/** Length of each timeframe. */
export const WIDTHS: Readonly<Record<Timeframe, Millis>> = {
  '1m': MINUTE,
  '5m': (5 * MINUTE) as Millis,
  '15m': (15 * MINUTE) as Millis,
  '1h': HOUR,
  '1d': DAY,
}

/** A bar; volume is null for price-only history. */
export interface Candle {
  readonly start: Millis
  readonly open: PriceE4
  readonly high: PriceE4
  readonly low: PriceE4
  readonly close: PriceE4
  readonly volume: SizeE6 | null
}
