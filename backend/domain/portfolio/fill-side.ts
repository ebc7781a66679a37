import type { Side } from '../market.ts'

const otherSide = (side: Side): Side => (side === 'yes' ? 'no' : 'yes')

/**
 * Direction of a fill. A venue states `action` and `side` of the order, or the side that the
 * account gained (`outcome_side`): a sale of YES gains NO. With the gained side and the action
 * alone, a sale is therefore one of the other side. Null when the row does not state it.
 */
export function tradedSide(statedSides: {
  readonly action: 'buy' | 'sell' | null
  readonly side: Side | null
  readonly gained: Side | null
}): { readonly action: 'buy' | 'sell'; readonly direction: Side } | null {
  const { action, side, gained } = statedSides
  if (action !== null && side !== null) return { action, direction: side }
  if (gained === null) return null
  return action === 'sell'
    ? { action, direction: otherSide(gained) }
    : { action: 'buy', direction: gained }
}
