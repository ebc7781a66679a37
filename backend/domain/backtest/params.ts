import type { Params, ParamValue } from './strategy.ts'

/**
 * Parameters of a strategy: defaults overridden by given values. Throws for an unknown name and for
 * a value of the wrong type; text is parsed as the type of the default.
 */
export function paramsOf(defaults: Params, overrides: Params): Params {
  const names = Object.keys(defaults)
  for (const name of Object.keys(overrides)) {
    if (!Object.hasOwn(defaults, name)) {
      const hint = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
      throw new RangeError(`unknown parameter ${name}: ${hint}`)
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const fallback = defaults[name] as ParamValue
      return [
        name,
        Object.hasOwn(overrides, name) ? read(name, fallback, overrides[name]) : fallback,
      ]
    }),
  )
}

function read(name: string, fallback: ParamValue, override: ParamValue | undefined): ParamValue {
  if (typeof override === typeof fallback && override !== undefined) {
    if (typeof override !== 'number' || Number.isFinite(override)) return override
  }
  if (typeof override === 'string') {
    const number = override.trim() === '' ? NaN : Number(override)
    if (typeof fallback === 'number' && Number.isFinite(number)) return number
    if (typeof fallback === 'boolean' && (override === 'true' || override === 'false')) {
      return override === 'true'
    }
  }
  throw new RangeError(`parameter ${name} must be a ${typeof fallback}, was ${String(override)}`)
}
