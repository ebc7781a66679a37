import { describe, expect, it } from 'vitest'
import { commandText } from './command.ts'
import { openCommandsOf } from './link-line.ts'

const opened = (line: string) => {
  const commands = openCommandsOf(line)
  return typeof commands === 'string' ? commands : commands.map(commandText)
}

describe('a link [terminal.window.link]', () => {
  it.each([
    'MOV',
    'KXFED-26DEC GP 1h',
    'WATCH',
    'BT',
    'BT latest',
    'SQL',
    'REPLAY',
    'ALERT',
    'KXFED-26DEC ALERT',
    'KXFED-26DEC INTENT',
    'BT "bt_1"',
    'HELP MOV',
    'WS market',
    'SET',
    'TERM',
  ])('may open %s', (line) => {
    expect(opened(line)).toEqual([line])
  })

  it.each([
    'KXFED-26DEC WATCH',
    '. WATCH',
    'BT run calibration-fade',
    'SQL select 1',
    'REPLAY step 1h',
    'REPLAY seek 2026-11-01',
    'MOV to csv',
    'UNDO',
    'TH light',
    'HALT',
    'SAVE mine',
    'BIND F5 = MOV',
    'KXFED-26DEC ALERT 60',
    'KXFED-26DEC INTENT buy yes limit=45 size=10',
    'BT cancel "bt_1"',
    'BT run "bt_1"',
  ])('may not run %s', (line) => {
    expect(opened(line)).toBe(`A link can only open panes: “${line}” was not run`)
    expect(opened(`MOV; ${line}`)).toBe(`A link can only open panes: “${line}” was not run`)
  })

  it('that cannot be read is refused with its problem', () => {
    expect(opened('"')).toBe('The link cannot be read: Unclosed quote')
  })

  it('opens each of its panes', () => {
    expect(opened('MOV; NEW 24h')).toEqual(['MOV', 'NEW 24h'])
  })
})
