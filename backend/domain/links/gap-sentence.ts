import { numberText, signedText } from '../world/markdown/text.ts'

/** The moves of a gap (D4), cents. */
export interface GapMoves {
  readonly laggingMove: number
  /** Expected move of the lagging market minus its actual one. */
  readonly gap: number
}

/** A signed move: "+3.2¢", "0¢". */
export const moveText = (cents: number, places = 1): string => `${signedText(cents, places)}¢`

/**
 * How far a market is from the move that usually follows: "moved +1¢ where +6.2¢ usually follows:
 * 5.2¢ too low". Too low means that the expected price is higher.
 */
export function gapSentence({ laggingMove, gap }: GapMoves): string {
  const expectedMove = laggingMove + gap
  const side = gap > 0 ? 'low' : 'high'
  return `moved ${moveText(laggingMove)} where ${moveText(expectedMove)} usually follows: ${numberText(Math.abs(gap), 1)}¢ too ${side}`
}
