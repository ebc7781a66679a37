import type { ParamsOf } from '../params.ts'

/** Floors of lists of moves: one tick near the ends, or one trade in a silent market, is no news. */
export const MOVER_FLOOR_PARAMS = { prices: { min: 3, max: 97 }, volumeUsd: 100 } as const

/** Whether a market is traded enough, and at a price far enough from the ends, to list its moves. */
export const isAboveMoverFloor = (
  { price, volume24hUsd }: { readonly price: number | null; readonly volume24hUsd: number | null },
  { prices, volumeUsd }: ParamsOf<typeof MOVER_FLOOR_PARAMS> = MOVER_FLOOR_PARAMS,
): boolean =>
  price !== null && price >= prices.min && price <= prices.max && (volume24hUsd ?? 0) >= volumeUsd
