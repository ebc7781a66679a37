import { describe, expect, it } from 'vitest'
import { KeyRegistry } from '../../lib/keyboard.ts'
import { KeySettings } from './key-settings.svelte.ts'

function setUp(stored: string | null = null) {
  const store = { text: stored }
  const keep = {
    getItem: () => store.text,
    setItem: (_name: string, text: string) => void (store.text = text),
  }
  const keys = new KeyRegistry()
  const ran: string[] = []
  const bind = (scope: 'global' | 'bar' | 'pane:1', chord: string, label: string) =>
    keys.bind(scope, [{ chord, label, run: () => ran.push(label) }])
  bind('global', '$mod+k', 'command bar')
  bind('global', 'r', 'refresh the pane')
  bind('pane:1', 'j', 'next row')
  bind('pane:1', 't', 'show as table')
  const settings = new KeySettings(keep, keys)
  const press = (key: string, init: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...init })
    return keys.handle(event, ['pane:1', 'global'])
  }
  return { keys, settings, store, ran, press }
}

describe('changed keys', () => {
  // [terminal.access.rebinding]
  it('act on their new chord only, and are stored', () => {
    const { settings, store, ran, press } = setUp()
    settings.rebind('pane', 'j', 'n')
    expect([press('j'), press('n')]).toEqual([false, true])
    expect(ran).toEqual(['next row'])
    const again = setUp(store.text)
    expect([again.press('j'), again.press('n')]).toEqual([false, true])
  })

  it('report conflicts of a chord, and replace only keys of the same scope', () => {
    const { settings, ran, press } = setUp()
    expect(settings.clashes('pane', 'j', 't')).toEqual([{ label: 'show as table', loses: true }])
    expect(settings.clashes('pane', 'j', 'r')).toEqual([
      { label: 'refresh the pane', loses: false },
    ])
    expect(settings.clashes('pane', 'j', 'j')).toEqual([])
    settings.rebind('pane', 'j', 't')
    press('t')
    expect(ran).toEqual(['next row'])
    const chords = settings.rows('pane').map(({ standard, chord }) => [standard, chord])
    expect(Object.fromEntries(chords)).toEqual({ j: 't', t: null })
    settings.reset()
    press('t')
    press('j')
    expect(ran).toEqual(['next row', 'show as table', 'next row'])
  })

  // [terminal.access.rebinding]
  it('are shown with their current chord, or without one', () => {
    const { settings } = setUp()
    const names = () => [
      settings.hint('Refresh', 'global', 'r'),
      settings.hint('Bar', 'global', '$mod+k'),
      settings.hint('Table', 'pane', 't'),
    ]
    expect(names()).toEqual(['Refresh (r)', 'Bar (Ctrl+K)', 'Table (t)'])
    settings.rebind('global', 'r', 'F5')
    settings.rebind('global', '$mod+k', null)
    settings.rebind('pane', 't', '$mod+Shift+t')
    expect(names()).toEqual(['Refresh (F5)', 'Bar', 'Table (Ctrl+Shift+T)'])
    settings.reset()
    settings.singleKeys = false
    settings.save()
    expect(names()).toEqual(['Refresh (r)', 'Bar (Ctrl+K)', 'Table'])
  })

  it('treat any spelling of a chord as the same', () => {
    const { settings } = setUp()
    expect(settings.clashes('global', 'r', 'Control+K')).toMatchObject([{ label: 'command bar' }])
  })

  it('disables and enables single letters of panes', () => {
    const { settings, press } = setUp()
    settings.singleKeys = false
    settings.save()
    expect([press('j'), press('r')]).toEqual([false, true])
  })

  it('binds a command to a key, listed among the user’s own keys only', () => {
    const { keys, settings, press } = setUp()
    settings.bindLine('F5', 'WORLD iran 24h')
    const lines: string[] = []
    keys.bind(
      'global',
      settings.bindings((line) => lines.push(line)),
    )
    expect(press('F5')).toBe(true)
    expect(lines).toEqual(['WORLD iran 24h'])
    expect(settings.rows('global').map(({ label }) => label)).not.toContain('WORLD iran 24h')
    expect(settings.clashes('global', 'r', 'F5')).toEqual([
      { label: 'WORLD iran 24h', loses: true },
    ])
  })

  it('a chord is the key of one command, and free again without it', () => {
    const { settings, press, ran } = setUp()
    settings.bindLine('F5', 'MOV')
    settings.bindLine('F7', 'CHG')
    settings.bindLine('F5', 'NEW')
    expect(settings.own.map(({ line }) => line)).toEqual(['CHG', 'NEW'])
    expect([settings.customKeyOn('F5')?.line, settings.customKeyOn('F9')]).toEqual(['NEW', null])
    // A key of the window on that chord takes it from the command.
    settings.rebind('global', 'r', 'F7')
    expect(settings.own.map(({ line }) => line)).toEqual(['NEW'])
    // A key of a pane shares it.
    settings.rebind('pane', 'j', 'F5')
    expect(settings.own.map(({ line }) => line)).toEqual(['NEW'])
    settings.bindLine('F7', 'TERM')
    expect([press('F7'), ran, settings.chords['global r']]).toEqual([false, [], null])
  })

  it('keeps a standard chord by name only when it differs', () => {
    const { settings, store } = setUp()
    settings.rebind('global', 'r', 'q')
    settings.rebind('global', 'r', 'r')
    expect([settings.chords, JSON.parse(store.text ?? '')]).toMatchObject([{}, { chords: {} }])
    settings.rebind('global', 'r', null)
    expect(settings.chordOf('global', 'r')).toBeNull()
    expect(settings.clashes('pane', null, 'r')).toEqual([])
  })

  it('conflicts of a key of the window are those of all places', () => {
    const { settings, keys } = setUp()
    keys.bind('bar', [{ chord: 'Escape', label: 'close the list', run: () => true }])
    expect(settings.clashes('global', null, 'Escape')).toEqual([
      { label: 'close the list', loses: false },
    ])
    expect(settings.clashes('pane', null, 'Escape')).toEqual([])
    expect(settings.clashes('bar', null, 'Escape')).toEqual([
      { label: 'close the list', loses: true },
    ])
    settings.bindLine('F5', 'MOV')
    expect(settings.clashes('pane', null, 'F5')).toEqual([])
    expect(settings.clashes('global', null, 'j')).toEqual([{ label: 'next row', loses: false }])
  })

  it('reads what is valid of the stored settings, also from another window', () => {
    const text = JSON.stringify({
      version: 1,
      chords: { 'global r': 'q', 'pane j': null, 'menu x': 'q', 'bar y': '' },
      own: [{ chord: 'F5', line: 'MOV' }, { chord: 'F6', line: 7 }, { line: 'MOV' }, 7],
      singleKeys: false,
    })
    const { settings, press, store, keys } = setUp(text)
    expect([settings.chords, settings.own, settings.singleKeys]).toEqual([
      { 'global r': 'q', 'pane j': null },
      [{ chord: 'F5', line: 'MOV' }],
      false,
    ])
    expect([press('q'), press('t'), keys.singleKeys]).toEqual([true, false, false])
    store.text = JSON.stringify({ version: 1, singleKeys: 'no' })
    settings.reload()
    expect([press('q'), press('t')]).toEqual([false, true])
    store.text = '{'
    settings.reload()
    expect(press('t')).toBe(true)
  })

  it('stores the user’s own keys, until they are removed', () => {
    const { settings, store } = setUp()
    settings.bindLine('F5', 'WORLD iran 24h')
    expect(setUp(store.text).settings.own).toEqual([{ chord: 'F5', line: 'WORLD iran 24h' }])
    const [own] = settings.own
    if (own !== undefined) settings.remove(own)
    expect([settings.own, setUp(store.text).settings.own]).toEqual([[], []])
  })

  it.each([
    ['no text of ours', '{"version":1,"chords":{"global r":7,"x y":"j"},"own":[{"chord":""}]}'],
    ['a sequence', '{"version":1,"chords":{"global r":"g b"},"own":[{"chord":"a b","line":"x"}]}'],
    ['another version', '{"version":9,"chords":{"global r":"q"}}'],
    ['not valid JSON', '{'],
  ])('starts with defaults when the stored settings are %s', (_what, text) => {
    const { settings, press } = setUp(text)
    expect([settings.chords, settings.own, press('r')]).toEqual([{}, [], true])
  })
})

it('editing keys are not taken from a text field in a pane', () => {
  const keys = new KeyRegistry()
  const ran: string[] = []
  keys.bind('pane:1', [{ chord: 'Home', label: 'first row', run: () => ran.push('Home') }])
  const field = document.body.appendChild(document.createElement('input'))
  field.addEventListener('keydown', (event) => void keys.handle(event, ['pane:1', 'global']))
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
  expect(ran).toEqual([])
  field.remove()
})
