import { createReadStream } from 'node:fs'

const QUOTE = 0x22
const LINE_END = 0x0a

/**
 * The line, counted from 1, in which a cell of a CSV file opens a quote that is never closed; null
 * when every quote is closed. The engine silently skips everything after such a quote.
 */
export async function lineOfOpenQuote(path: string, separator: string): Promise<number | null> {
  const comma = separator.charCodeAt(0)
  let line = 1
  let openedAt: number | null = null
  let isAtStart = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const sign of chunk) {
      if (sign === LINE_END) line += 1
      if (sign === QUOTE) {
        // A doubled quote closes and reopens, so it changes nothing.
        if (openedAt !== null) openedAt = null
        else if (isAtStart) openedAt = line
        isAtStart = true
      } else isAtStart = sign === comma || sign === LINE_END
    }
  }
  return openedAt
}
