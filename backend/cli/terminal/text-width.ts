import { cutTitle } from '../../domain/world/markdown/text.ts'

/** Characters without a terminal column: combining characters and marks. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u
/** Characters of two columns: East Asian wide ones (Unicode TR 11) and pictographs. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u

const columnsOf = (sign: string): number => (ZERO_WIDTH.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1)

/** Number of terminal columns that a text takes. */
export const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, sign) => sum + columnsOf(sign), 0)

/** Cuts a text to `max` columns; a longer one ends in `…`. */
export function truncate(text: string, max: number): string {
  if (widthOf(text) <= max) return text
  let prefix = ''
  let width = 0
  for (const sign of text) {
    width += columnsOf(sign)
    if (width > max - 1) break
    prefix += sign
  }
  return `${prefix}…`
}

/** Cuts the middle of a market's title: the outcome is at its end. */
export const truncateTitle = (text: string, max: number): string =>
  truncate(widthOf(text) <= max ? text : cutTitle(text, max), max)
