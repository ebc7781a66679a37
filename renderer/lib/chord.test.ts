import { describe, expect, it } from 'vitest'
import { chordOf, chordText, pressName, reservedReason, type Press } from './chord.ts'

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
])('reads %s as %s', (chord, text) => expect(chordText(chord)).toBe(text))

it('reserves keys that leave a page or move through it', () => {
  for (const chord of ['Enter', 'Escape', 'Tab', 'Shift+Tab', 'ArrowUp', '$mod+Home', 'Delete']) {
    expect(reservedReason(chord)).not.toBeNull()
  }
  for (const chord of ['F5', 'j', '$mod+Shift+ArrowUp', 'Alt+w'])
    expect(reservedReason(chord)).toBeNull()
})
