import { expect, it } from 'vitest'
import { COMMANDS, specOf } from '../commands/commands.ts'
import { isHarmless, liveExample, mostFrequentTopic } from './live-examples.ts'
import { parseLine } from '../commands/parse.ts'

const CURRENT = { ticker: 'KXOIL-26DEC31', topic: 'oil', item: 's-abc123' }

it('names a market, a topic and an item of the current data [terminal.help.examples]', () => {
  expect(liveExample(specOf('GP'), CURRENT)).toBe('KXOIL-26DEC31 GP 1h 7d +pair sma:20 rsi')
  expect(liveExample(specOf('MOV'), CURRENT)).toBe('MOV oil')
  expect(liveExample(specOf('EXPLAIN'), CURRENT)).toBe('EXPLAIN s-abc123')
  expect(liveExample(specOf('GP'), { ...CURRENT, ticker: 'AB' })).toBe(
    '$AB GP 1h 7d +pair sma:20 rsi',
  )
  expect(liveExample(specOf('GP'), { ...CURRENT, ticker: null })).toBe(
    '. GP 1h 7d +pair sma:20 rsi',
  )
})

it('every example can be parsed with any market', () => {
  for (const spec of COMMANDS) {
    expect(parseLine(liveExample(spec, CURRENT)), spec.verb).not.toHaveProperty('message')
  }
})

it('finds the topic of most markets', () => {
  expect(mostFrequentTopic([{ topics: ['oil'] }, { topics: ['iran', 'oil'] }])).toBe('oil')
  expect(mostFrequentTopic([{ topics: ['no such topic'] }])).toBeNull()
})

it('runs reading examples at once, and puts the others into the bar', () => {
  const prompted = COMMANDS.filter((spec) => !isHarmless(spec)).map(({ verb }) => verb)
  expect(prompted).toEqual(expect.arrayContaining(['ALERT', 'PANEL', 'BIND', 'UNWATCH', 'CLR']))
  expect(prompted).not.toContain('SCAN')
})
