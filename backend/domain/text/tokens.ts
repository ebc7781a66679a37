const COMBINING = /[\u0300-\u036f]/g
const NON_ASCII = /[^\0-\x7f]/
/** In scripts without spaces each character is a word, and so is each emoji. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{Extended_Pictographic}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]+/gv

/** Text without case, accents and compatibility forms, so that spellings of one word are equal. */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  if (!NON_ASCII.test(lower)) return lower
  return lower.normalize('NFKD').replace(COMBINING, '').normalize('NFC')
}

const isWordCode = (code: number): boolean => (code >= 97 && code <= 122) || isDigitCode(code)
const isDigitCode = (code: number): boolean => code >= 48 && code <= 57

/** Words of folded ASCII text; a plain loop for speed, because most text is ASCII. */
function asciiTerms(text: string): string[] {
  const terms: string[] = []
  let start = -1
  for (let index = 0; index <= text.length; index++) {
    if (index < text.length && isWordCode(text.charCodeAt(index))) {
      if (start < 0) start = index
    } else if (start >= 0) {
      terms.push(text.slice(start, index))
      start = -1
    }
  }
  return terms
}

/** Words of a text in order, folded: runs of letters and digits of any script. Linear in its length. */
export function wordsOf(text: string): string[] {
  const foldedText = foldText(text)
  return NON_ASCII.test(foldedText) ? (foldedText.match(WORD) ?? []) : asciiTerms(foldedText)
}
