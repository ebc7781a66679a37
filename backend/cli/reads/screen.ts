/** Tone of a cell. */
export type Tone = 'up' | 'down' | 'faint'

/** Properties of stdout: a terminal with columns and perhaps colours, or a file or pipe without. */
export interface Screen {
  /** Null without a terminal. */
  readonly columns: number | null
  readonly paint: (text: string, tone: Tone | null) => string
}

const CODES: Readonly<Record<Tone, number>> = { up: 32, down: 31, faint: 2 }

const paint = (text: string, tone: Tone | null): string =>
  tone === null ? text : `\u001b[${CODES[tone]}m${text}\u001b[0m`

/** Facts about stdout. */
interface ScreenFacts {
  readonly columns: number | null
  readonly env: Readonly<Record<string, string | undefined>>
}

/** No colours without a terminal, or when `NO_COLOR` is set and not empty (no-color.org). */
export function screenOf({ columns, env }: ScreenFacts): Screen {
  const hasColour = columns !== null && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  return { columns, paint: hasColour ? paint : (text) => text }
}

/** Plain text without columns and colours. */
export const PLAIN: Screen = { columns: null, paint: (text) => text }

/** Up for a rise, down for a fall. */
export const toneOf = (change: number | null | undefined): Tone | null =>
  typeof change !== 'number' || change === 0 ? null : change > 0 ? 'up' : 'down'
