type Frame = Record<string, unknown>

/** A bid of a thousand contracts at this price is above every ask. */
const CROSSING_LEVEL = { price_dollars: '0.9990', delta_fp: '1000.00' }
const CROSSING_BID = { price: '0.999', size: '1000', side: 'BUY' }
const NO_HASH = '0'.repeat(40)

/**
 * A book change that makes the bid higher than the ask; null when the frame is not a book change.
 */
export function withCrossedBook(text: string): string | null {
  const frame = JSON.parse(text) as Frame
  if (frame['type'] === 'orderbook_delta')
    return JSON.stringify({
      ...frame,
      msg: { ...(frame['msg'] as Frame), ...CROSSING_LEVEL, side: 'yes' },
    })
  return withChanges(frame, CROSSING_BID)
}

/** A book change with a wrong hash; null when the frame is not a book change. */
export const withWrongHash = (text: string): string | null =>
  withChanges(JSON.parse(text) as Frame, { hash: NO_HASH })

/** A `price_change` frame with a different first change and unchanged best prices. */
function withChanges(frame: Frame, other: object): string | null {
  const changes = frame['price_changes']
  if (!Array.isArray(changes)) return null
  const [first, ...rest] = changes as Frame[]
  return JSON.stringify({ ...frame, price_changes: [{ ...first, ...other }, ...rest] })
}
