import { LIQUIDITY_WEIGHTS, type LiquidityScore } from '../../domain/liquidity.ts'

/** A price in cents, as the engine reads it. */
export const CENTS = 'DECIMAL(9,4)'
/** Every word that a market's liquidity may be. */
export const LIQUIDITIES = Object.keys(LIQUIDITY_WEIGHTS) as LiquidityScore[]
