import type { EdgeLeg } from '../../domain/edges/implied-edges.ts'
import type { FeeTerms } from '../../domain/fees.ts'
import type { BookLevel } from '../../domain/market.ts'
import type { PriceE4, SizeE6 } from '../../domain/units.ts'
import type { Draws } from './draws.ts'

/** Levels of a side as the engine reads them. */
export const LEVELS = [{ price: 'INT', size: 'DOUBLE' }] as const
interface Level {
  readonly price: number
  readonly size: number
}

/** Levels of a side from `best` on, `step` cents apart, in cents and contracts. */
export const side = ({ integer, list }: Draws, best: number, step: 1 | -1, min = 1): Level[] =>
  list(min, 4, (i) => ({ price: best + step * i, size: integer(1, 12) * 10 }))
/** The same levels in the units of the product. */
export const levelsOf = (levels: readonly Level[]): BookLevel[] =>
  levels.map(({ price, size }) => ({
    price: (price * 100) as PriceE4,
    size: (size * 1e6) as SizeE6,
  }))
/** Fees of venue_a and of venue_b, as in market facts. */
export const terms = {
  model: 'quadratic',
  kind: 'quadratic',
  multiplier: 1,
  waivedUntil: null,
} as const satisfies FeeTerms
export const schedule = {
  model: 'schedule',
  rate: 0.04,
  exponent: 1,
  takerOnly: true,
} as const satisfies FeeTerms
/** A market as input of edges. */
export const leg = (bids: readonly Level[], asks: readonly Level[], fees: FeeTerms): EdgeLeg => ({
  book: { bids: levelsOf(bids), asks: levelsOf(asks) },
  fees,
})
/** SQL: size-weighted price of taking 100 contracts from levels, best first. */
export const walked = (levels: string): string => `(
  select sum(part * price) / sum(part) from (
    select l.price as price, greatest(0, least(l.size, 100 - coalesce(sum(l.size) over (order by i rows between unbounded preceding and 1 preceding), 0))) as part
      from (select generate_subscripts(${levels}, 1) as i, unnest(${levels}) as l)))`
/** SQL: fee of a contract at venue_a and at venue_b, in cents, for a price in cents. */
export const feeA = (price: string): string =>
  `(100 * .07 * (${price}) / 100 * (1 - (${price}) / 100))`
export const feeB = (price: string): string =>
  `(100 * .04 * (${price}) / 100 * (1 - (${price}) / 100))`
