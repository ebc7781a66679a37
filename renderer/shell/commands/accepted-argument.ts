import { chordOfText } from '../../lib/chord.ts'
import { commandOf, type ArgSpec } from './commands.ts'
import type { Token } from './tokens.ts'
import { NO_STUDIES, overlayWord, studyOf, studyWord } from '../../charts/study-types.ts'

const DURATION = /^([1-9]\d{0,5})([mhd])$/i
/** A region of the world: up to six names separated by blanks. */
const PATH = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}(?:\/[\p{L}\p{N}._-]{1,64}){0,5}$/u
const ITEM = /^s-[a-z0-9]{6}$/i
/** Of a backtest. */
const RUN_ID = /^bt_[a-z0-9]{1,64}$/i
/** Id of a thesis, or its first 8 digits or more. */
const THESIS_ID = /^[0-9a-f]{8}(?:-?[0-9a-f]){0,24}(?:-[0-9a-f]{1,12})*$/i
const INSTANT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?)?$/i
const COUNT = /^(?:0|[1-9]\d{0,6})$/
/** A price of 0 to 100 cents. */
const CENTS = /^(\d{1,2}(?:\.\d{1,4})?|100)(?:¢|c)?$/i
const SLUG = /^[a-z][a-z0-9-]*$/i
/** Name of a layout, a workspace or an alias. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u

/** The canonical spelling of a word as an argument of this kind; null when it does not fit. */
export function accepts(arg: ArgSpec, token: Token): string | null {
  switch (arg.kind) {
    case 'text':
    case 'question':
      return token.text.trim() === '' ? null : token.text
    case 'duration':
      return DURATION.test(token.text) ? token.text.toLowerCase() : null
    case 'verb':
      return commandOf(token.text)?.verb ?? null
    case 'path':
      return PATH.test(token.text) && !DURATION.test(token.text) ? token.text.toLowerCase() : null
    case 'item':
      return ITEM.test(token.text) ? token.text.toLowerCase() : null
    case 'name':
      return NAME.test(token.text) ? token.text : null
    case 'chord':
      return chordOfText(token.text) === null ? null : token.text
    case 'line':
    case 'statement':
      return null
    case 'run':
      return RUN_ID.test(token.text) ? token.text.toLowerCase() : null
    case 'thesis':
      return THESIS_ID.test(token.text) ? token.text.toLowerCase() : null
    case 'instant':
      if (DURATION.test(token.text)) return token.text.toLowerCase()
      return INSTANT.test(token.text) ? token.text.toUpperCase() : null
    case 'number':
      return COUNT.test(token.text) && Number(token.text) >= (arg.min ?? 1) ? token.text : null
    case 'cents':
      return CENTS.exec(token.text)?.[1] ?? null
    case 'study': {
      const study = studyOf(token.text)
      if (study !== null) return studyWord(study)
      return token.text.toLowerCase() === NO_STUDIES ? NO_STUDIES : null
    }
    case 'overlay':
      return overlayWord(token.text)
    case 'slug':
      return SLUG.test(token.text) ? token.text.toLowerCase() : null
    case 'enum':
      return arg.values?.find((value) => value === token.text.toLowerCase()) ?? null
  }
}
