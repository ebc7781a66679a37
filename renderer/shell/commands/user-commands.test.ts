import { describe, expect, it } from 'vitest'
import { commandText } from './command.ts'
import { tokenise } from './tokens.ts'
import {
  cycleThrough,
  splitAtEquals,
  textOf,
  withoutUserCommand,
  withUserCommand,
  wordsUsedIn,
} from './user-commands.ts'
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
    ['MOV; calm', ['MOV', 'SCAN price=45..55']],
    ['calm; calm', ['SCAN price=45..55', 'SCAN price=45..55']],
    ['calm calm', ['SCAN calm price=45..55']],
    ['KX-1 GP calm', null],
    ['KX-1 x calm', null],
  ])('“%s” expands to %j [terminal.window.alias]', (line, commands) => {
    if (commands === null) expect(read(line)).toHaveProperty('message')
    else expect(read(line)).toEqual(commands)
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

describe('words of a line', () => {
  it.each([
    ['calm', ['CALM']],
    ['. calm chart', ['CALM']],
    ['KX chart; calm', ['CHART', 'CALM']],
    ['SCAN calm', []],
    ['KX "chart"', []],
    ['a b chart', []],
    ['"calm" chart', ['CHART']],
    ['calm "', []],
    ['a b calm; calm', ['CALM']],
    ['MOV calm', []],
    ['calm calm', ['CALM', 'CALM']],
  ])('in “%s” that are aliases are %j', (line, used) => {
    expect(wordsUsedIn(line, words)).toEqual(used)
  })

  it.each([
    ['F5 = MOV oil', ['F5'], 'MOV oil', 5],
    ['F5=MOV', ['F5'], 'MOV', 3],
    ['F5 =MOV  x', ['F5'], 'MOV  x', 4],
    ['F5 = "MOV; CHG"', ['F5'], 'MOV; CHG', 6],
    ['F5 = "a b" c', ['F5'], '"a b" c', 5],
    ['Ctrl+= = MOV', ['Ctrl+='], 'MOV', 9],
    ['Ctrl+==MOV', ['Ctrl+='], 'MOV', 7],
    ['"a=b" = MOV', ['a=b'], 'MOV', 8],
    ['F5 =', ['F5'], '', 4],
    ['= MOV', [], 'MOV', 2],
    ['F5 MOV', ['F5', 'MOV'], null, 0],
  ])('“%s” is split at its first =', (line, head, text, at) => {
    const tokens = tokenise(line)
    if ('message' in tokens) throw new Error(tokens.message)
    const split = splitAtEquals(tokens)
    expect([split.head.map((token) => token.text), split.text, split.at]).toEqual([head, text, at])
  })

  it('are joined with the blanks between them', () => {
    const tokens = tokenise('a   b "c d"e')
    expect('message' in tokens ? '' : textOf(tokens)).toBe('a   b "c d"e')
    const touching = tokenise('a;b')
    expect('message' in touching ? '' : textOf(touching)).toBe('a ; b')
    expect(textOf([])).toBe('')
  })

  it('are added and removed in any case', () => {
    const more = withUserCommand(words, 'new_one', 'MOV')
    expect([more.get('NEW_ONE'), words.has('NEW_ONE')]).toEqual(['MOV', false])
    expect(withoutUserCommand(more, 'New_One').has('NEW_ONE')).toBe(false)
    expect(withoutUserCommand(more, 'calm').size).toBe(more.size - 1)
  })
})
