import { describe, expect, it } from 'vitest'
import { commandText } from './command.ts'
import { cycleThrough } from './user-commands.ts'
import { parseLine } from './parse.ts'

const words = new Map([
  ['CALM', 'SCAN price=45..55'],
  ['CHART', 'GP 15m'],
  ['MORNING', 'CALM; MOV'],
  ['LOOP', 'LOOP'],
])
const read = (line: string) => {
  const result = parseLine(line, words)
  return 'message' in result ? result : result.map(commandText)
}

describe('aliases', () => {
  it.each([
    ['calm', ['SCAN price=45..55']],
    ['calm oil', ['SCAN oil price=45..55']],
    ['KXFED-26DEC chart', ['KXFED-26DEC GP 15m']],
    ['. chart in new', ['. GP 15m in new']],
    ['morning; TH dark', ['SCAN price=45..55', 'MOV', 'TH dark']],
    ['SCAN calm', ['SCAN calm']],
    ['SCAN "calm"', ['SCAN calm']],
    ['ASK calm', ['ASK calm']],
  ])('“%s” expands to %j [terminal.window.alias]', (line, commands) => {
    expect(read(line)).toEqual(commands)
  })

  it('mark a problem at the alias that contains it', () => {
    expect(read('MOV; calm @c')).toMatchObject({ at: 10, message: 'Unknown venue c' })
    expect(read('loop')).toMatchObject({ at: 0, message: 'No command or market called “LOOP”' })
  })

  it('are checked for cycles', () => {
    expect(cycleThrough('A_A', 'MOV; A_B', new Map([['A_B', '. A_A']]))).toEqual([
      'A_A',
      'A_B',
      'A_A',
    ])
    expect(cycleThrough('A_A', 'SCAN a_a', new Map())).toBeNull()
  })
})

describe('a command within a command', () => {
  it.each([
    ['BIND F5 = W iran 24h', 'BIND F5 = W iran 24h', 'W iran 24h'],
    ['bind F5=MOV', 'BIND F5 = MOV', 'MOV'],
    [
      'BIND -take Ctrl+K = SCAN "two words" to csv',
      'BIND Ctrl+K -take = SCAN "two words" to csv',
      'SCAN "two words" to csv',
    ],
    ['BIND F6 = "WORLD; MOV"', 'BIND F6 = "WORLD; MOV"', 'WORLD; MOV'],
    ['BIND Ctrl+= = MOV', 'BIND Ctrl+= = MOV', 'MOV'],
    ['BIND F5 =', 'BIND F5 =', ''],
    ['ALIAS calm = SCAN price=45..55', null, 'SCAN price=45..55'],
  ])('“%s” keeps its line as typed [terminal.window.bind]', (line, canonical, inner) => {
    const result = parseLine(line)
    const command = 'message' in result ? undefined : result[0]
    expect(command?.args['line']).toBe(inner)
    const text = command === undefined ? '' : commandText(command)
    expect(text).toBe(canonical ?? line)
    expect(parseLine(text)).toEqual(result)
  })

  it.each([
    ['BIND F5 = SCAN price=120', 21, 'price needs a number from 0 to 100'],
    ['BIND F5 =   FLY', 12, 'No command or market called “FLY”'],
    ['BIND = MOV', 7, 'BIND needs a key combination: F5, Ctrl+Shift+G before ='],
    ['BIND Hyper+K = MOV', 5, 'BIND does not accept “Hyper+K”'],
  ])('“%s” is refused at %d', (line, at, message) => {
    expect(parseLine(line)).toMatchObject({ at, message })
  })
})
