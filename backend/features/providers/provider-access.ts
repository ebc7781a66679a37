import { InvalidInput } from '../../lib/errors.ts'
import { MODEL_TIERS, type ModelTier, type TokenPrice } from '../../lib/language-model.ts'

/** Access to a language model: a chat completions endpoint, and the model of each tier. */
export interface ModelAccess {
  readonly url: string
  /** Null for endpoints without a key. */
  readonly key: string | null
  readonly models: { readonly cheap: string } & Readonly<Partial<Record<ModelTier, string>>>
  /** Dollars per million tokens by tier, for providers that state no price. */
  readonly prices?: Readonly<Partial<Record<ModelTier, TokenPrice>>>
}

const MAX_LENGTHS = { url: 2_048, key: 4_096, model: 200 } as const

/**
 * Validates an access that was sent or stored.
 * @throws InvalidInput with the error and the accepted values
 */
export function modelAccessOf(value: unknown): ModelAccess {
  if (!isObject(value)) throw new InvalidInput('body must be an object')
  const { url, key, models, prices } = value
  const tierPrices = pricesOf(prices)
  return {
    url: urlOf(url),
    key: keyOf(key),
    models: modelsOf(models),
    ...(tierPrices !== null && { prices: tierPrices }),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function urlOf(value: unknown): string {
  const url = typeof value === 'string' && value.length <= MAX_LENGTHS.url ? URL.parse(value) : null
  const isOurs = url !== null && ['http:', 'https:'].includes(url.protocol)
  // The address is served back, so it must not contain secrets.
  const isBare = isOurs && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (!isBare) {
    throw new InvalidInput(
      'url must be an http or https address without user name, query or fragment',
    )
  }
  return url.href.replace(/\/+$/, '')
}

function keyOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (
    typeof value === 'string' &&
    /^[\x21-\x7e]+$/.test(value) &&
    value.length <= MAX_LENGTHS.key
  ) {
    return value
  }
  throw new InvalidInput('key must be 1 to 4096 visible ASCII characters, or absent')
}

function modelsOf(value: unknown): ModelAccess['models'] {
  if (!isObject(value)) throw new InvalidInput('models must be an object with a name for cheap')
  const unknown = Object.keys(value).find(
    (tier) => !MODEL_TIERS.some((candidate) => candidate === tier),
  )
  if (unknown !== undefined) throw new InvalidInput('models may name cheap, medium and heavy')
  const { cheap, medium, heavy } = value
  const names = { cheap: nameOf('cheap', cheap), medium: nameOf('medium', medium) }
  const heavyName = nameOf('heavy', heavy)
  if (names.cheap === null) throw new InvalidInput('models.cheap is required')
  return {
    cheap: names.cheap,
    ...(names.medium === null ? {} : { medium: names.medium }),
    ...(heavyName === null ? {} : { heavy: heavyName }),
  }
}

const MAX_PRICE = 10_000
const PRICES_MESSAGE =
  'prices must be an object of cheap, medium and heavy with { input, output }: dollars per million tokens, 0 to 10000'

function pricesOf(value: unknown): NonNullable<ModelAccess['prices']> | null {
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw new InvalidInput(PRICES_MESSAGE)
  const prices: Partial<Record<ModelTier, TokenPrice>> = {}
  for (const [name, price] of Object.entries(value)) {
    const tier = MODEL_TIERS.find((candidate) => candidate === name)
    if (tier === undefined || !isObject(price)) throw new InvalidInput(PRICES_MESSAGE)
    const { input, output } = price
    if (!isPrice(input) || !isPrice(output)) throw new InvalidInput(PRICES_MESSAGE)
    prices[tier] = { input, output }
  }
  return prices
}

export const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= MAX_PRICE

function nameOf(tier: ModelTier, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '' || name.length > MAX_LENGTHS.model || /\p{Cc}/u.test(name)) {
    throw new InvalidInput(`models.${tier} must be a name of 1 to 200 characters`)
  }
  return name
}
