import { canonicalTicker } from '../../domain/market.ts'
import { Gone } from '../../lib/errors.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The canonical form of a ticker in an address.
 * @throws Gone for ids in UUID form
 */
export function tickerOf(text: string): string {
  if (UUID.test(text)) throw new Gone('Market ids in UUID form are retired')
  return canonicalTicker(text)
}
