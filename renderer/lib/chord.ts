import { parseKeybinding, type KeybindingPress } from 'tinykeys'

/** The single press of a chord. @throws Error for a sequence */
export function pressOf(chord: string): KeybindingPress {
  const [press, ...rest] = parseKeybinding(chord)
  if (press === undefined || rest.length > 0) {
    throw new Error(`A shortcut must be one key press, got "${chord}"`)
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

/** A chord in display form: `$mod+k` is `Ctrl+K`. */
export const chordText = (chord: string): string =>
  chord
    .split(/(?<=[\w\]])\+/)
    .filter((key) => !/^\[\w+\]$/.test(key))
    .map((key) => NAMES[key] ?? key.replace(/^(Key|Digit)(?=.$)/, ''))
    .map((key) => (/^[a-z]$/.test(key) && chord.includes('+') ? key.toUpperCase() : key))
    .join('+')

const MODIFIER_NAMES: Readonly<Record<string, string>> = {
  ctrl: '$mod',
  control: '$mod',
  cmd: '$mod',
  command: '$mod',
  $mod: '$mod',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
  meta: 'Meta',
  win: 'Meta',
}
const KEY_NAMES: Readonly<Record<string, string>> = {
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  esc: 'Escape',
  escape: 'Escape',
  enter: 'Enter',
  tab: 'Tab',
  space: 'Space',
  home: 'Home',
  end: 'End',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  delete: 'Delete',
  backspace: 'Backspace',
  insert: 'Insert',
}
const MODIFIER_ORDER = ['$mod', 'Meta', 'Alt', 'Shift']

/** Parses a typed chord: `Ctrl+Shift+G` is `$mod+Shift+g`; null when it is not a valid press. */
export function chordOfText(text: string): string | null {
  const [, prefix = '', last = ''] = /^((?:[$\w]+\+)*)(.+)$/.exec(text) ?? []
  const modifiers = prefix
    .split('+')
    .slice(0, -1)
    .map((word) => MODIFIER_NAMES[word.toLowerCase()])
  if (modifiers.includes(undefined) || new Set(modifiers).size < modifiers.length) return null
  const key = keyOfText(last, modifiers.includes('Alt'), modifiers.length > 0)
  if (key === null) return null
  const isSymbol = modifiers.includes('Shift') && /^[^\w]$/.test(key)
  const sorted = MODIFIER_ORDER.filter((word) => modifiers.includes(word))
  return [...sorted.map((word) => (isSymbol && word === 'Shift' ? '[Shift]' : word)), key].join('+')
}

function keyOfText(text: string, isAlt: boolean, isModified: boolean): string | null {
  if (/^F([1-9]|1\d|2[0-4])$/i.test(text)) return text.toUpperCase()
  const namedKey = KEY_NAMES[text.toLowerCase()]
  if (namedKey !== undefined) return namedKey
  if (!/^.$/u.test(text)) return null
  // Alt changes the character of a key, and a digit's character depends on the layout.
  if (/\d/.test(text) && isModified) return `Digit${text}`
  if (/[a-z]/i.test(text) && isAlt) return `Key${text.toUpperCase()}`
  return text.toLowerCase()
}

/** A normal form that is equal for two chords fired by the same press. */
export function pressName(chord: string): string {
  const [requiredModifiers, , key] = pressOf(chord)
  const keyName = typeof key === 'string' ? key.replace(/^(Key|Digit)(?=.$)/, '') : String(key)
  return [...[...requiredModifiers].sort(), keyName.toUpperCase()].join('+')
}

/** The fields of a keyboard event that are used. */
export type Press = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'
>

const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']
/** Keys reserved for navigation, submission and scrolling. */
const RESERVED_KEYS = ['Enter', 'Escape', 'Tab', 'Space']

/** Closes a pane: in a browser Ctrl+W closes its own tab. */
export const CLOSE_CHORD = 'augury' in globalThis ? '$mod+w' : 'Alt+w'

/**
 * The chord of a press: `$mod+Shift+e`, `Alt+Digit3`, `F7`, `[Shift]+?`. Null while only modifiers
 * are held.
 */
export function chordOf(press: Press): string | null {
  const { key, code, ctrlKey, altKey, shiftKey, metaKey } = press
  if (MODIFIERS.includes(key)) return null
  const isModified = ctrlKey || altKey || metaKey
  // Alt and Shift change the character of a key, not the key.
  const byPosition = isModified && (altKey || /^Digit\d$/.test(code)) && /^(Key|Digit).$/.test(code)
  const character = key === ' ' ? 'Space' : /^[A-Z]$/.test(key) ? key.toLowerCase() : key
  const isSymbol = character.length === 1 && !/[a-z]/.test(character) && !byPosition
  return [
    ...(ctrlKey ? ['$mod'] : []),
    ...(metaKey ? ['Meta'] : []),
    ...(altKey ? ['Alt'] : []),
    ...(shiftKey ? [isSymbol ? '[Shift]' : 'Shift'] : []),
    byPosition ? code : character,
  ].join('+')
}

/** Why a chord cannot be assigned; null when it can. */
export function reservedReason(chord: string): string | null {
  const text = chordText(chord)
  if (RESERVED_KEYS.includes(chord) || chord === 'Shift+Tab')
    return `${text} moves focus through the page`
  if (/^(\$mod\+)?(Arrow\w+|Home|End|PageUp|PageDown|Backspace|Delete)$/.test(chord)) {
    return `${text} moves the cursor or edits text`
  }
  return null
}
