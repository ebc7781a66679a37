import { describe, expect, it } from 'vitest'
import { GLOBAL_FLAGS, parseLine } from './flags.ts'

const table = { ...GLOBAL_FLAGS, q: 'text', limit: 'number', all: 'switch' } as const

describe('parseLine', () => {
  it.each([
    [['markets', '--q', 'fed rate'], ['markets'], { q: 'fed rate' }],
    [['--json', 'markets', '--limit=5'], ['markets'], { limit: '5' }],
    [['a', '--', '--q'], ['a', '--q'], {}],
    [['--q=a=b'], [], { q: 'a=b' }],
    [['--q', 'x', '--q', 'y'], [], { q: 'y' }],
    [['--q', '-5'], [], { q: '-5' }],
  ])('parses %j', (args, words, values) => {
    const line = parseLine(args, table)
    expect(line.args).toEqual(words)
    for (const [name, value] of Object.entries(values)) expect(line.flags.text(name)).toBe(value)
  })

  it('reads the values of a flag up to the next flag, and of its repetitions', () => {
    const list = { ...table, market: 'texts' } as const
    const { args: words, flags } = parseLine(
      ['export', '--market', 'A', 'B', '--all', 'x', '--market=C'],
      list,
    )
    expect([words, flags.texts('market'), flags.texts('q')]).toEqual([
      ['export', 'x'],
      ['A', 'B', 'C'],
      [],
    ])
    expect(() => parseLine(['--market', '--all'], list)).toThrow('--market needs a value')
  })

  it.each([
    [['--bogus'], 'unknown flag --bogus'],
    [['--constructor', 'x'], 'unknown flag --constructor'],
    [['-v'], 'unknown flag -v'],
    [[`-----BEGIN ${'k'.repeat(99)}`], 'unknown flag -----BEGIN kkkkkkkkkk'],
    [['--q'], '--q needs a value'],
    [['--q', '--all'], '--q needs a value'],
    [['--q='], '--q needs a value'],
    [['--limit', 'many'], '--limit must be a number, was "many"'],
    [['--all=yes'], '--all takes no value'],
  ])('refuses %j', (args, message) => {
    expect(() => parseLine(args, table)).toThrow(message)
  })

  it('distinguishes boolean flags that are on and off', () => {
    const { flags } = parseLine(['--all'], table)
    expect([flags.has('all'), flags.has('json')]).toEqual([true, false])
  })
})
