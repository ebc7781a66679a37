/**
 * Units are part of the type. There are two families: values for people and routes (`Cents`,
 * `Probability`, contracts as plain numbers) and values in storage and events (`PriceE4`, `SizeE6`,
 * `MoneyE6`: integers, so that nothing is lost between a venue's text and the disk).
 */
declare const unit: unique symbol
type Unit<T, Name extends string> = T & { readonly [unit]: Name }

/** Contract price on the YES scale, 0 to 100; steps down to 0.01 occur. */
export type Cents = Unit<number, 'Cents'>
/** Probability of YES, 0 to 1; used only by the real-time data service. */
export type Probability = Unit<number, 'Probability'>
/** Milliseconds since the Unix epoch, UTC; also used for spans. */
export type Millis = Unit<number, 'Millis'>
/** Price in 1e-4 dollars, an integer from 0 to 10,000. */
export type PriceE4 = Unit<number, 'PriceE4'>
/** Size in 1e-6 contracts (shares where the venue trades shares), an integer. */
export type SizeE6 = Unit<number, 'SizeE6'>
/** Money in 1e-6 dollars, an integer. */
export type MoneyE6 = Unit<number, 'MoneyE6'>
/** Unit of a venue's volumes. */
export type VolumeUnit = 'contracts' | 'usd'

export const SECOND = 1_000 as Millis
export const MINUTE = 60_000 as Millis
export const HOUR = 3_600_000 as Millis
export const DAY = 86_400_000 as Millis

/** The whole minute at or before an instant. */
export const wholeMinute = (at: Millis): Millis => (Math.floor(at / MINUTE) * MINUTE) as Millis

/** Cents of a stored price: 5600 is 56¢. */
export const centsOf = (price: PriceE4): Cents => (price / 100) as Cents
/** Stored price of cents, to the nearest 1e-4 dollar. */
export const priceOfCents = (cents: Cents): PriceE4 => Math.round(cents * 100) as PriceE4
/** Probability of YES that a stored price implies. */
export const probabilityOf = (price: PriceE4): Probability => (price / 10_000) as Probability
/** Contracts of a stored size. */
export const contractsOf = (size: SizeE6): number => size / 1_000_000
/** Stored size of a number of contracts. */
export const sizeOfContracts = (contracts: number): SizeE6 =>
  Math.round(contracts * 1_000_000) as SizeE6
/** Dollars of stored money. */
export const dollarsOf = (money: MoneyE6): number => money / 1_000_000

/**
 * Decimal text to an integer count of 10^-places, half away from zero, without an intermediate
 * float: `scaledInteger('0.5600', 4)` is 5600. Null when the text is not a plain decimal number or
 * the result is not a safe integer.
 */
export function scaledInteger(text: string, places: number): number | null {
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*$/.exec(text)
  if (match === null) return null
  const [, sign = '', integerPart = '', fraction = ''] = match
  if (integerPart === '' && fraction === '') return null
  const digits = fraction.slice(0, places).padEnd(places, '0')
  const roundUp = (fraction[places] ?? '0') >= '5' ? 1 : 0
  const value = Number(integerPart + digits) + roundUp
  if (!Number.isSafeInteger(value)) return null
  return sign === '-' && value !== 0 ? -value : value
}

/** Rounds half away from zero to `places` decimals; the rule for every served number. */
export function roundTo(value: number, places: number): number {
  const factor = 10 ** places
  const scaledValue = Math.abs(value) * factor
  // A product such as 1.005 * 100 falls just short of its half; the correction is far below any
  // served digit.
  const roundedValue = Math.round(scaledValue + scaledValue * Number.EPSILON * 4) / factor
  return value < 0 && roundedValue !== 0 ? -roundedValue : roundedValue
}
