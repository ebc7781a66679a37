/** Maximum length of the truncation mark. */
const MARK_ROOM = 48

/**
 * A text of at most `limit` characters (100 or more). A longer one is truncated and followed by a
 * mark that states how many characters were cut. The result is well-formed Unicode and does not
 * keep the whole text in memory.
 */
export function boundedText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const slice = text.slice(0, limit - MARK_ROOM).replace(/[\uD800-\uDBFF]$/, '')
  // Copied, because the engine's slices refer to the whole text.
  const wellFormed = Array.from(slice).join('').toWellFormed()
  return `${wellFormed}… [${text.length - slice.length} more characters were cut]`
}
