import { describe, expect, it } from 'vitest'
import {
  chordOf,
  chordOfText,
  chordText,
  pressName,
  pressOf,
  reservedReason,
  type Press,
} from './chord.ts'

const press = (key: string, code: string, modifiers: Partial<Press> = {}): Press => ({
  key,
  code,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  metaKey: false,
  ...modifiers,
})

describe('the chord of a press', () => {
  it.each([
    [press('j', 'KeyJ'), 'j'],
    [press('F7', 'F7'), 'F7'],
    [press('E', 'KeyE', { ctrlKey: true, shiftKey: true }), '$mod+Shift+e'],
    [press('å', 'KeyA', { altKey: true }), 'Alt+KeyA'],
    [press('!', 'Digit1', { altKey: true, shiftKey: true }), 'Alt+Shift+Digit1'],
    [press('3', 'Digit3', { ctrlKey: true }), '$mod+Digit3'],
    [press('?', 'Slash', { shiftKey: true }), '[Shift]+?'],
    [press(',', 'Comma', { ctrlKey: true }), '$mod+,'],
    [press('+', 'Equal', { ctrlKey: true, shiftKey: true }), '$mod+[Shift]++'],
    [press(' ', 'Space'), 'Space'],
  ])('%o is %s', (pressed, chord) => expect(chordOf(pressed)).toBe(chord))

  it('is none while only modifiers are held', () => {
    expect(chordOf(press('Shift', 'ShiftLeft', { shiftKey: true }))).toBeNull()
  })
})

it.each([
  ['Shift+e', 'e'],
  ['Alt+KeyE', 'e'],
  ['F1', 'F2'],
  ['Alt+Digit1', '$mod+Digit1'],
])('%s and %s are different presses', (left, right) =>
  expect(pressName(left)).not.toBe(pressName(right)),
)

it.each([
  ['$mod+Digit1', 'Control+1'],
  ['[Shift]+?', '?'],
  ['Shift+$mod+e', '$mod+Shift+E'],
])('%s and %s match the same key press', (left, right) =>
  expect(pressName(left)).toBe(pressName(right)),
)

it.each([
  ['[Shift]+?', '?'],
  ['$mod+[Shift]++', 'Ctrl++'],
  ['$mod+,', 'Ctrl+,'],
  ['k', 'k'],
  ['$mod+k', 'Ctrl+K'],
  ['Alt+KeyG', 'Alt+G'],
  ['Shift+Digit1', 'Shift+1'],
  ['Key', 'Key'],
  ['ArrowUp', '↑'],
  ['Escape', 'Esc'],
])('reads %s as %s', (chord, text) => expect(chordText(chord)).toBe(text))

describe('a typed chord', () => {
  it.each([
    ['A', 'a'],
    ['5', '5'],
    ['+', '+'],
    ['F24', 'F24'],
    ['f1', 'F1'],
    ['up', 'ArrowUp'],
    ['PageDown', 'PageDown'],
    ['Ctrl+5', '$mod+Digit5'],
    ['Shift+1', 'Shift+Digit1'],
    ['Alt+5', 'Alt+Digit5'],
    ['Alt+a', 'Alt+KeyA'],
    ['Ctrl+a', '$mod+a'],
    ['Ctrl++', '$mod++'],
    ['shift+cmd+G', '$mod+Shift+g'],
    ['Shift+Option+Win+Ctrl+g', '$mod+Meta+Alt+Shift+KeyG'],
    ['Shift+?', '[Shift]+?'],
    ['Shift+é', '[Shift]+é'],
    ['F0', null],
    ['F25', null],
    ['ab', null],
    ['', null],
    ['Hyper+a', null],
    ['Ctrl+Ctrl+a', null],
    ['Ctrl+Command+a', null],
    ['Ctrl+ab', null],
  ])('“%s” is %s', (text, chord) => expect(chordOfText(text)).toBe(chord))
})

it('is one press', () => {
  expect(() => pressOf('g b')).toThrow('A shortcut must be one key press, got "g b"')
  expect(pressOf('$mod+k')[2]).toBe('k')
})

it('reserves keys that leave a page or move through it', () => {
  for (const chord of ['Enter', 'Escape', 'Tab', 'Shift+Tab', 'ArrowUp', '$mod+Home', 'Delete']) {
    expect(reservedReason(chord)).not.toBeNull()
  }
  for (const chord of ['F5', 'j', '$mod+Shift+ArrowUp', 'Alt+w'])
    expect(reservedReason(chord)).toBeNull()
})
