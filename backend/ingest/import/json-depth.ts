/** Recordings and tables are only a few levels deep. */
const MAX_LEVELS = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Whether arrays and objects of a JSON text are nested more than a hundred levels deep. The engine
 * parses them recursively and crashes the process on a stack overflow.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let index = 0; index < text.length; index++) {
    const sign = text.charCodeAt(index)
    if (sign === QUOTE) isInText = !isInText
    else if (isInText) {
      if (sign === BACKSLASH) index += 1
    } else if (OPENING.has(sign)) {
      depth += 1
      if (depth > MAX_LEVELS) return true
    } else if (CLOSING.has(sign)) depth -= 1
  }
  return false
}
