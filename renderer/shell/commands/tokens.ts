import type { ParseProblem } from './command.ts'

export interface Token {
  readonly kind: 'word' | 'separator'
  /** Without its quotes. */
  readonly text: string
  /** As typed. */
  readonly raw: string
  /** Offset of the first character in the line. */
  readonly at: number
  /** The word began with a quote, so it is text and never grammar. */
  readonly quoted: boolean
}

/** Splits a line at blanks and `;`, keeping "two words" together. */
export function tokenise(line: string): Token[] | ParseProblem {
  const tokens: Token[] = []
  let index = 0
  while (index < line.length) {
    const character = line.charAt(index)
    if (/\s/.test(character)) {
      index += 1
      continue
    }
    if (character === ';') {
      tokens.push({ kind: 'separator', text: ';', raw: ';', at: index, quoted: false })
      index += 1
      continue
    }
    const start = index
    let text = ''
    let open: number | null = null
    while (index < line.length) {
      const next = line.charAt(index)
      if (next === '"') open = open === null ? index : null
      else if (open === null && (/\s/.test(next) || next === ';')) break
      else text += next
      index += 1
    }
    if (open !== null) return { at: open, message: 'Unclosed quote', expected: ['"'] }
    const raw = line.slice(start, index)
    tokens.push({ kind: 'word', text, raw, at: start, quoted: raw.startsWith('"') })
  }
  return tokens
}
