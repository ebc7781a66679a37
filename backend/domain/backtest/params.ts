import type { Params, ParamValue } from './strategy.ts'

/**
 * A strategy's parameters with what was given in place of the defaults. Throws for a name that it does
 * not have and for a value of another kind; text is read as the kind of the default.
 */
export function paramsOf(defaults: Params, given: Params): Params {
  const names = Object.keys(defaults)
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(defaults, name)) {
      const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
      throw new RangeError(`there is no parameter ${name}: ${known}`)
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
