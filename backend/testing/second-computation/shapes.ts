import { LIQUIDITY_WEIGHTS, type LiquidityScore } from '../../domain/liquidity/liquidity.ts'

/** A price in cents, as the engine reads it. */
export const CENTS = 'DECIMAL(9,4)'
/** Every liquidity label of a market. */
export const LIQUIDITIES = Object.keys(LIQUIDITY_WEIGHTS) as LiquidityScore[]
