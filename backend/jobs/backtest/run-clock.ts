/** Source of time and random numbers for a strategy. */
export interface TimeAndChance {
  /** Data time of the run, Unix milliseconds. */
  readonly now: () => number
  /** From 0 up to, not including, 1. */
  readonly random: () => number
}

/**
 * Makes every source of time and randomness in the language return the run's: `Date`,
 * `Math.random` and the default instants of `Intl.DateTimeFormat`.
 */
export function replaceTimeAndChance({ now, random }: TimeAndChance): void {
  replaceDate(now)
  replaceDefaultInstants(now)
  define(Math, 'random', () => random())
}

/** The machine's constructor becomes unreachable: its prototype refers to the new one. */
function replaceDate(now: () => number): void {
  const MachineDate = Date
  function RunDate(this: unknown, ...args: unknown[]): unknown {
    const target: unknown = new.target
    if (target === undefined) return new MachineDate(now()).toString()
    const values = args.length === 0 ? [now()] : args
    return Reflect.construct(MachineDate, values, new.target)
  }
  define(RunDate, 'now', () => now())
  define(RunDate, 'parse', MachineDate.parse)
  define(RunDate, 'UTC', MachineDate.UTC)
  Object.defineProperty(RunDate, 'name', { value: 'Date' })
  Object.defineProperty(RunDate, 'length', { value: 7 })
  Object.defineProperty(RunDate, 'prototype', { value: MachineDate.prototype, writable: false })
  define(MachineDate.prototype, 'constructor', RunDate)
  define(globalThis, 'Date', RunDate)
}

/** `format` and `formatToParts` default to the machine's time; ranges require both instants. */
function replaceDefaultInstants(now: () => number): void {
  const { prototype } = Intl.DateTimeFormat
  const format = Object.getOwnPropertyDescriptor(prototype, 'format') ?? {}
  type Format = (date: Date | number) => string
  const formatOf: unknown = Reflect.get(format, 'get')
  const formatToParts: unknown = Reflect.get(prototype, 'formatToParts')
  if (typeof formatOf !== 'function' || typeof formatToParts !== 'function') {
    throw new Error('Intl.DateTimeFormat cannot format')
  }
  const boundFormats = new WeakMap<object, (date?: Date | number) => string>()
  Object.defineProperty(prototype, 'format', {
    get(this: Intl.DateTimeFormat) {
      const existing = boundFormats.get(this)
      if (existing !== undefined) return existing
      const machineFormat = Reflect.apply(formatOf, this, []) as Format
      const runFormat = (date?: Date | number): string =>
        machineFormat(date === undefined ? now() : date)
      boundFormats.set(this, runFormat)
      return runFormat
    },
    configurable: true,
    enumerable: false,
  })
  define(prototype, 'formatToParts', function (this: Intl.DateTimeFormat, date?: Date | number) {
    const parts: unknown = Reflect.apply(formatToParts, this, [date === undefined ? now() : date])
    return parts
  })
}

const define = (holder: object, name: string, value: unknown): void => {
  Object.defineProperty(holder, name, {
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  })
}
