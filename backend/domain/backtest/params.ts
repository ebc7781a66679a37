import type { Params, ParamValue } from './strategy.ts'

/**
 * Parameters of a strategy: defaults overridden by given values. Throws for an unknown name and for
 * a value of the wrong type; text is parsed as the type of the default.
 */
export function paramsOf(defaults: Params, given: Params): Params {
  const names = Object.keys(defaults)
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(defaults, name)) {
      const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
      throw new RangeError(`unknown parameter ${name}: ${known}`)
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const usual = defaults[name] as ParamValue
      return [name, Object.hasOwn(given, name) ? read(name, usual, given[name]) : usual]
    }),
  )
}

function read(name: string, usual: ParamValue, given: ParamValue | undefined): ParamValue {
  if (typeof given === typeof usual && given !== undefined) {
    if (typeof given !== 'number' || Number.isFinite(given)) return given
  }
  if (typeof given === 'string') {
    const number = given.trim() === '' ? NaN : Number(given)
    if (typeof usual === 'number' && Number.isFinite(number)) return number
    if (typeof usual === 'boolean' && (given === 'true' || given === 'false')) {
      return given === 'true'
    }
  }
  throw new RangeError(`parameter ${name} must be a ${typeof usual}, was ${String(given)}`)
}
