import type { ParamsOf } from '../../params.ts'

export const MARKDOWN_PARAMS = {
  tokens: 800,
  compactTokens: 300,
  /** Minimum number of items shown, regardless of the budget. */
  minItems: 3,
} as const

const PIECES = /[a-z]+|[A-Z]+|\d+|\n+|[^\sa-zA-Z\d]/g

/**
 * An upper estimate of the tokens of a text: at least one token per four characters, and more where
 * addresses, numbers and ids are split finely. Runs of small letters count one token per six, of
 * capitals per two, of digits per three; each other character is one.
 */
export function tokensOf(text: string): number {
  let pieces = 0
  for (const [piece] of text.matchAll(PIECES)) {
    const code = piece.charCodeAt(0)
    if (code >= 97 && code <= 122) pieces += Math.ceil(piece.length / 6)
    else if (code >= 65 && code <= 90) pieces += Math.ceil(piece.length / 2)
    else if (code >= 48 && code <= 57) pieces += Math.ceil(piece.length / 3)
    else pieces += 1
  }
  return Math.max(pieces, Math.ceil(text.length / 4))
}

/** Display form of an item. */
export type ItemForm = 'full' | 'line' | 'left out'

/**
 * Forms of the items by rank: in full while the total stays within the budget, then one line each
 * while it does, and at least three in any case. Header 60, 130 per item: five in full (710), then
 * lines. Methodology C5.
 */
export function formsThatFit(
  budget: number,
  header: number,
  items: readonly { readonly full: number; readonly line: number }[],
  params: Pick<ParamsOf<typeof MARKDOWN_PARAMS>, 'minItems'> = MARKDOWN_PARAMS,
): { readonly forms: readonly ItemForm[]; readonly left: number } {
  let total = header
  let [fullHolds, linesHold] = [true, true]
  const forms = items.map(({ full, line }, rank): ItemForm => {
    fullHolds &&= total + full <= budget
    if (fullHolds) {
      total += full
      return 'full'
    }
    linesHold &&= total + line <= budget
    if (!linesHold && rank >= params.minItems) return 'left out'
    total += line
    return 'line'
  })
  return { forms, left: budget - total }
}
