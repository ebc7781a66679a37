const MAX_CORRECTIONS = 20

/** Own property of an object; undefined for other values. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** The JSON object of a model's answer, also inside a code fence; undefined when it has none. */
export function objectIn(text: string): unknown {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (start < 0 || end < start) return undefined
  try {
    return JSON.parse(text.slice(start, end + 1)) as unknown
  } catch {
    return undefined
  }
}

/** Text with single spaces, cut to a length; null for other values and blank text. */
export function textIn(value: unknown, maxLength: number): string | null {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : ''
  return text === '' ? null : text.slice(0, maxLength).trim()
}

/** The parts of an answer that were left out or changed, and why; the first twenty are kept. */
export class Corrections {
  readonly #warnings: string[] = []
  #left = 0

  add(correction: string): void {
    if (this.#warnings.length < MAX_CORRECTIONS) this.#warnings.push(correction)
    else this.#left += 1
  }

  list(): string[] {
    return this.#left === 0
      ? [...this.#warnings]
      : [...this.#warnings, `${this.#left} more corrections`]
  }
}
