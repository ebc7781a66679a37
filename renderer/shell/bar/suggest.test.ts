import { describe, expect, it } from 'vitest'
import { parseLine } from '../commands/parse.ts'
import type { MarketHit } from './market-hit.ts'
import { asksForStrategies, suggestions } from './suggest.ts'

const hits: readonly MarketHit[] = [
  { ticker: 'KXFED-26DEC', title: 'Will the Fed cut rates in December?' },
  { ticker: 'KXFEDS', title: 'Federal shutdown' },
]
const labels = (line: string, found: readonly MarketHit[] = []) =>
  suggestions(line, found).map(({ label }) => label)

describe('suggestions', () => {
  it('offers the commands first for an empty line', () => {
    expect(labels('').slice(0, 4)).toEqual(['DES', 'GP', 'BOOK', 'HIST'])
  })

  it('ranks verbs, topics, markets and settings in one list', () => {
    const rows = suggestions('fed', hits)
    expect(rows.map(({ kind }) => kind)).toEqual(['word', 'market', 'market', 'command'])
    expect(rows[1]?.line).toBe('KXFED-26DEC')
    expect(rows[2]?.line).toBe('$KXFEDS')
    expect(rows.at(-1)?.line).toBe('SCAN fed')
    expect(labels('light')).toContain('Theme: light')
    expect(labels('tod')).toContain('Today')
  })

  it('offers verbs after a market', () => {
    expect(labels('KXFED-26DEC B')[0]).toBe('BOOK')
    expect(suggestions('KXFED-26DEC B', [])[0]?.line).toBe('KXFED-26DEC BOOK')
  })

  it('offers strategies for a run without one', () => {
    const names = ['buy-and-hold', 'calibration-fade', 'broken']
    const offered = (line: string) => suggestions(line, [], [], [], names).map((row) => row.line)
    expect(offered('BT run b')).toEqual(['BT run buy-and-hold', 'BT run broken'])
    expect(offered('BT run ').slice(0, 3)).toEqual(names.map((name) => `BT run ${name}`))
    expect(offered('BT run buy-and-hold c')).not.toContain('BT run buy-and-hold calibration-fade')
    expect(offered('BT latest b')).toEqual([])
    expect([asksForStrategies('BT run'), asksForStrategies('BT run x')]).toEqual([false, true])
  })

  it('offers remaining arguments of the command', () => {
    expect(labels('. GP ').slice(0, 2)).toEqual(['1m', '5m'])
    expect(labels('. GP 15m ').slice(0, 2)).toEqual(['step', 'line'])
    expect(labels('SCAN oil pr')).toEqual(['price='])
    expect(labels('CHG type')).toEqual(['type='])
    expect(labels('MOV @')).toEqual(['@kalshi', '@polymarket'])
    expect(suggestions('BOOK fed', hits)[0]?.line).toBe('BOOK KXFED-26DEC')
  })

  it('continues the last command of a chain', () => {
    expect(suggestions('TH dark; MO', [])[0]?.line).toBe('TH dark; MOV')
  })

  it('never shows more than twelve rows', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ticker: `S-${index}`,
      title: 'S',
    }))
    expect(suggestions('', many)).toHaveLength(12)
  })

  it.each(['', 'fed', 'KXFED-26DEC ', 'GP ', 'SCAN oil ', 's', '"x', 'TH dark; '])(
    'offers for “%s” only lines that run, if Enter would run them',
    (line) => {
      for (const row of suggestions(line, hits)) {
        if (row.runs) expect(parseLine(row.line), row.line).toBeInstanceOf(Array)
      }
    },
  )
})
