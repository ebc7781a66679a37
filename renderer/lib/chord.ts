import { parseKeybinding, type KeybindingPress } from 'tinykeys'

/** The one press of a chord. @throws Error for a sequence */
export function pressOf(chord: string): KeybindingPress {
  const [press, ...rest] = parseKeybinding(chord)
  if (press === undefined || rest.length > 0) {
    throw new Error(`A chord is one press, was «${chord}»`)
  }
  return press
}

const NAMES: Readonly<Record<string, string>> = {
  $mod: 'Ctrl',
  Control: 'Ctrl',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

/** A chord as people read it: `$mod+k` is `Ctrl+K`. */
export const chordText = (chord: string): string =>
  chord
    .split(/(?<=[\w\]])\+/)
    .filter((key) => !/^\[\w+\]$/.test(key))
    .map((key) => NAMES[key] ?? key.replace(/^(Key|Digit)(?=.$)/, ''))
    .map((key) => (/^[a-z]$/.test(key) && chord.includes('+') ? key.toUpperCase() : key))
    .join('+')

/** What is the same for two chords that the same press fires. */
export function pressName(chord: string): string {
  const [required, , key] = pressOf(chord)
  const named = typeof key === 'string' ? key.replace(/^(Key|Digit)(?=.$)/, '') : String(key)
  return [...[...required].sort(), named.toUpperCase()].join('+')
}

/** A press as the browser tells it. */
export type Press = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'
>

const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']
/** Keys that pages are left, sent and walked by. */
const KEPT = ['Enter', 'Escape', 'Tab', 'Space']

/**
 * The chord of a press: `$mod+Shift+e`, `Alt+Digit3`, `F7`, `[Shift]+?`. Null while only modifiers
 * are held.
 */
export function chordOf(press: Press): string | null {
  const { key, code, ctrlKey, altKey, shiftKey, metaKey } = press
  if (MODIFIERS.includes(key)) return null
  const isModified = ctrlKey || altKey || metaKey
  // Alt and Shift change the character of a key, not the key.
  const byPlace = isModified && (altKey || /^Digit\d$/.test(code)) && /^(Key|Digit).$/.test(code)
  const character = key === ' ' ? 'Space' : /^[A-Z]$/.test(key) ? key.toLowerCase() : key
  const isSymbol = character.length === 1 && !/[a-z]/.test(character) && !byPlace
  return [
    ...(ctrlKey ? ['$mod'] : []),
    ...(metaKey ? ['Meta'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey ? [isSymbol ? '[Shift]' : 'Shift'] : []),
    byPlace ? code : character,
  ].join('+')
}

/** Why a chord cannot be given away, null when it can. */
export function whyKept(chord: string): string | null {
  const text = chordText(chord)
  if (KEPT.includes(chord) || chord === 'Shift+Tab')
    return `${text} is how pages are walked and left`
  if (/^(\$mod\+)?(Arrow\w+|Home|End|PageUp|PageDown|Backspace|Delete)$/.test(chord)) {
    return `${text} moves and edits wherever text is typed`
  }
  return null
}
