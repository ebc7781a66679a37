import { describe, expect, it } from 'vitest'
import { chordText } from './chord.ts'
import { KeyRegistry } from './keyboard.ts'

const press = (key: string, init: KeyboardEventInit = {}, target: HTMLElement = document.body) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  target.dispatchEvent(event)
  return event
}

const record = (keys: KeyRegistry, scope: Parameters<KeyRegistry['bind']>[0], chord: string) => {
  const runs: string[] = []
  const unbind = keys.bind(scope, [{ chord, label: chord, run: () => runs.push(scope) }])
  return { runs, unbind }
}

describe('KeyRegistry', () => {
  it('dispatches a key to the narrowest scope', () => {
    const keys = new KeyRegistry()
    const wide = record(keys, 'global', 'r')
    const narrow = record(keys, 'pane:1', 'r')
    const event = press('r')
    expect(keys.handle(event, ['pane:1', 'global'])).toBe(true)
    expect(event.defaultPrevented).toBe(true)
    expect([wide.runs.length, narrow.runs.length]).toEqual([0, 1])
  })

  it('has the user’s chords in place of the defaults, or none', () => {
    const keys = new KeyRegistry()
    const { runs } = record(keys, 'pane:1', 'r')
    keys.change({ 'pane r': 'x' })
    expect(keys.list('pane:1')).toMatchObject([{ chord: 'x', standard: 'r' }])
    expect(keys.handle(press('r'), ['pane:1'])).toBe(false)
    expect(keys.handle(press('x'), ['pane:1'])).toBe(true)
    keys.change({ 'pane r': null })
    expect([keys.list('pane:1'), keys.handle(press('x'), ['pane:1'])]).toEqual([[], false])
    expect(() => keys.change({ 'pane r': 'g g' })).toThrow()
    expect(runs).toHaveLength(1)
  })

  it('passes a key on when the narrow scope did not handle it', () => {
    const keys = new KeyRegistry()
    keys.bind('pane:1', [{ chord: 'Escape', label: 'clear', run: () => false }])
    const wide = record(keys, 'global', 'Escape')
    expect(keys.handle(press('Escape'), ['pane:1', 'global'])).toBe(true)
    expect(wide.runs).toHaveLength(1)
  })

  it('leaves letters to the text field but keeps chords with a modifier', () => {
    const keys = new KeyRegistry()
    const letter = record(keys, 'global', 'j')
    const chord = record(keys, 'global', '$mod+k')
    const field = document.body.appendChild(document.createElement('input'))
    const results: boolean[] = []
    field.addEventListener('keydown', (event) => results.push(keys.handle(event, ['global'])))
    press('j', {}, field)
    press('k', { ctrlKey: true }, field)
    expect(results).toEqual([false, true])
    expect([letter.runs.length, chord.runs.length]).toEqual([0, 1])
    field.remove()
  })

  it('can disable single letters of panes', () => {
    const keys = new KeyRegistry()
    const { runs } = record(keys, 'pane:1', 'j')
    keys.singleKeys = false
    expect(keys.handle(press('j'), ['pane:1', 'global'])).toBe(false)
    expect(runs).toHaveLength(0)
  })

  it('does not match a letter with a modifier', () => {
    const keys = new KeyRegistry()
    const { runs } = record(keys, 'pane:1', 'r')
    expect(keys.handle(press('r', { ctrlKey: true }), ['pane:1'])).toBe(false)
    expect(runs).toHaveLength(0)
  })

  it('removes unbound keys and lists bound ones', () => {
    const keys = new KeyRegistry()
    const { unbind } = record(keys, 'global', 'F6')
    expect(keys.list('global').map(({ chord }) => chord)).toEqual(['F6'])
    unbind()
    expect(keys.list('global')).toEqual([])
    expect(keys.handle(press('F6'), ['global'])).toBe(false)
  })

  it('refuses a sequence of chords', () => {
    expect(() => record(new KeyRegistry(), 'global', 'g b')).toThrow(
      'A shortcut must be one key press',
    )
  })
})

it.each([
  ['$mod+k', 'Ctrl+K'],
  ['Shift+F6', 'Shift+F6'],
  ['Escape', 'Esc'],
  ['j', 'j'],
  ['$mod+Shift+ArrowLeft', 'Ctrl+Shift+←'],
])('reads %s as %s', (chord, text) => expect(chordText(chord)).toBe(text))
