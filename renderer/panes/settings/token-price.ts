import type { ProviderAccess } from '../../../backend/contract/operations.ts'

export const PRICE_REFUSAL =
  'A price is dollars per million input and output tokens, 0 to 10000, such as 0.8/4'
const MAX_PRICE = 10_000

type TokenPrice = NonNullable<NonNullable<ProviderAccess['prices']>['cheap']>

/** A typed price of a model: null for an empty text, undefined for an invalid one. */
export function typedPrice(text: string): TokenPrice | null | undefined {
  if (text.trim() === '') return null
  const match = /^\$?(\d+(?:\.\d+)?)\s*\/\s*\$?(\d+(?:\.\d+)?)$/.exec(text.trim())
  const [input, output] = [Number(match?.[1]), Number(match?.[2])]
  return input <= MAX_PRICE && output <= MAX_PRICE ? { input, output } : undefined
}
