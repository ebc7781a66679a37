/**
 * Formatting of numbers, prices and times. A missing value is always `–`, never 0; changes always
 * have a sign, because colour must not be the only cue.
 */
export const MISSING = '–'
const MINUS = '−'

/** Time zone for display; defaults to that of the settings. */
export interface TimeStyle {
  readonly timeZone?: string
}

/** Time zones that the user can choose: that of the machine, that of the exchanges, and UTC. */
export const TIME_ZONES = ['local', 'America/New_York', 'UTC'] as const
export type TimeZone = (typeof TIME_ZONES)[number]

let chosenZone: () => TimeZone = () => 'local'
/** Formats times in the zone that the function returns; it may read reactive state. */
export const formatTimesIn = (selected: () => TimeZone): void => {
  chosenZone = selected
}
/** The chosen time zone; reactive when the chosen function is. */
export const displayZone = (): TimeZone => chosenZone()
/** Name of the zone for `Intl`; undefined for the machine's own. */
const zoneOf = ({ timeZone }: TimeStyle): string | undefined => {
  if (timeZone !== undefined) return timeZone
  const zone = chosenZone()
  return zone === 'local' ? undefined : zone
}

/** Decimals of a price in cents: one, two when the second is not 0; 0 for no price. */
export function decimalsOf(cents: number | null | undefined): number {
  if (cents === null || cents === undefined) return 0
  return Math.round(Math.abs(cents) * 100) % 10 === 0 ? 1 : 2
}

/**
 * Contract price in cents: `63.5¢`, `0.25¢`.
 * @param decimals places of the column; a price that needs more shows them
 */
export const formatCents = (cents: number | null | undefined, decimals = 1): string =>
  cents === null || cents === undefined
    ? MISSING
    : `${cents.toFixed(Math.max(decimals, decimalsOf(cents)))}¢`

/** A computed price to a tenth of a cent; its further digits are not exact. */
export const toTenth = <T extends number | null | undefined>(cents: T): T =>
  (typeof cents === 'number' ? Math.round(cents * 10) / 10 : cents) as T

/** A price change in cents with its sign: `+2.1¢`, `−0.5¢`, `0.0¢`. */
export function formatDelta(cents: number | null | undefined, decimals = 1): string {
  if (cents === null || cents === undefined) return MISSING
  return `${signOf(cents)}${Math.abs(cents).toFixed(Math.max(decimals, decimalsOf(cents)))}¢`
}

const signOf = (value: number): string => {
  if (Math.round(value * 100) === 0) return ''
  return value > 0 ? '+' : MINUS
}

export type Direction = 'up' | 'down' | 'flat'

/** Direction of a change at the displayed precision. */
export function directionOf(change: number | null | undefined): Direction {
  if (change === null || change === undefined || Math.round(change * 100) === 0) return 'flat'
  return change > 0 ? 'up' : 'down'
}

export const ARROWS: Readonly<Record<Direction, string>> = { up: '▲', down: '▼', flat: '' }

/** Counts and volumes: `842`, `1.2k`, `3.4M`, `2.1B`. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING
  const size = Math.abs(value)
  const sign = value < 0 ? MINUS : ''
  for (const [limit, unit] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    // 999,950 reads 1.0M, not 1000.0k.
    if (size >= limit * 0.99995) return `${sign}${(size / limit).toFixed(1)}${unit}`
  }
  return `${sign}${Number.isInteger(size) ? size.toFixed(0) : size.toFixed(1)}`
}

/** Money in dollars: `$1,240.50`. */
export function formatUsd(dollars: number | null | undefined): string {
  if (dollars === null || dollars === undefined) return MISSING
  const text = Math.abs(dollars).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  return `${dollars < 0 ? MINUS : ''}$${text}`
}

/** A traded volume: `1.2k` contracts or `$1.2k`; whole below a thousand, so that columns align. */
export function formatVolume(
  value: number | null | undefined,
  unit: 'contracts' | 'usd' = 'contracts',
): string {
  const isSmall = value !== null && value !== undefined && Math.abs(value) < 1_000
  const text = formatCount(isSmall ? Math.round(value) : value)
  return unit === 'usd' && text !== MISSING ? `$${text}` : text
}

/** A plain number with at most `decimals` places and no trailing zeros. */
export const formatNumber = (value: number | null | undefined, decimals = 2): string =>
  value === null || value === undefined ? MISSING : numberText(value, decimals).replace('-', MINUS)

/** A number of a column: always with `decimals` places, `1,204.50`. */
export const formatFixed = (value: number | null | undefined, decimals = 2): string =>
  value === null || value === undefined
    ? MISSING
    : numberText(value, decimals, decimals).replace('-', MINUS)

/** A percentage of a column: always with one decimal. */
export const formatFixedPercent = (value: number | null | undefined): string =>
  value === null || value === undefined ? MISSING : `${formatFixed(value, 1)}%`

/** Percentage from a value already in percent: `12.4%`. */
export const formatPercent = (value: number | null | undefined): string =>
  value === null || value === undefined ? MISSING : `${formatNumber(value, 1)}%`

/** Age of data from milliseconds: `0s`, `12s`, `4m`, `3h`, `12d`. Negative ages read `0s`. */
export function formatAge(age: number | null | undefined): string {
  if (age === null || age === undefined) return MISSING
  const seconds = Math.max(0, Math.floor(age / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400 * 2) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** Time to an end, from days as a number: `3d`, `14.2d`, `5h`. */
export function formatDays(days: number | null | undefined): string {
  if (days === null || days === undefined) return MISSING
  if (days < 1) return `${Math.max(0, Math.floor(days * 24))}h`
  return days < 10 ? `${days.toFixed(1)}d` : `${Math.floor(days)}d`
}

// Creating a formatter takes a hundred times as long as using it, and lists hold thousands of
// values.
const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

/** Parts of an instant by `Intl`, on a clock of 24 hours. @param at Unix milliseconds */
export function formatParts(
  at: number,
  options: Intl.DateTimeFormatOptions,
  style: TimeStyle = {},
): string {
  const dateOptions = { hourCycle: 'h23', ...options, timeZone: zoneOf(style) } as const
  const name = JSON.stringify(dateOptions)
  const existing = dates.get(name) ?? new Intl.DateTimeFormat('en-GB', dateOptions)
  dates.set(name, existing)
  return existing.format(at)
}

/** @param max the most decimals @param min the fewest */
function numberText(value: number, max: number, min = 0): string {
  const name = `${min} ${max}`
  const existing =
    numbers.get(name) ??
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: min,
      maximumFractionDigits: max,
      // A value that rounds to zero has no sign.
      signDisplay: 'negative',
    })
  numbers.set(name, existing)
  return existing.format(value)
}

/** An instant as ISO 8601 in UTC. */
export const isoOf = (at: number): string => new Date(at).toISOString()

const parseIso = (iso: string | null | undefined): number | null => {
  if (iso === null || iso === undefined) return null
  const at = Date.parse(iso)
  return Number.isNaN(at) ? null : at
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Clock time of an instant: `14:03:20`. */
export function formatClock(at: number, style: TimeStyle = {}): string {
  if (zoneOf(style) !== undefined) {
    return formatParts(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, style)
  }
  // The first Intl formatter of a page takes longer to create than the status line takes to draw.
  const local = new Date(at)
  return [local.getHours(), local.getMinutes(), local.getSeconds()].map(twoDigits).join(':')
}

/** Date and time: `12 Dec 14:03`, with the year when it is not the one of `now`. */
export function formatMoment(
  iso: string | null | undefined,
  now: number | null = null,
  style: TimeStyle = {},
): string {
  const at = parseIso(iso)
  if (at === null) return MISSING
  const otherYear =
    now !== null &&
    formatParts(at, { year: 'numeric' }, style) !== formatParts(now, { year: 'numeric' }, style)
  const date = formatParts(
    at,
    { day: 'numeric', month: 'short', ...(otherYear ? { year: 'numeric' } : {}) },
    style,
  )
  return `${date} ${formatParts(at, { hour: '2-digit', minute: '2-digit' }, style)}`
}

/** UTC text for hovers and exports: `2026-12-12 14:03:20 UTC`. */
export function formatUtc(iso: string | null | undefined): string {
  const at = parseIso(iso)
  return at === null ? MISSING : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The UTC clock of the status line: `14:03:20 UTC`. */
export const formatUtcClock = (at: number): string =>
  `${new Date(at).toISOString().slice(11, 19)} UTC`

/** Tickers for display: condition ids shortened to `0x1a2b3c…9f8e`, others whole. */
export const shortTicker = (ticker: string): string =>
  /^0x[0-9a-f]{16,}$/i.test(ticker) ? `${ticker.slice(0, 8)}…${ticker.slice(-4)}` : ticker
