import { describe, expect, it } from 'vitest'
import { parseLine } from '../commands/parse.ts'
import type { MarketHit } from './market-hit.ts'
import { expectsStrategyName, replacements, searchLine, suggestions } from './suggest.ts'

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
    expect([expectsStrategyName('BT run'), expectsStrategyName('BT run x')]).toEqual([false, true])
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

describe('the rows of a line', () => {
  type Context = Parameters<typeof suggestions>
  const lines = (
    line: string,
    found: Context[1] = [],
    open: Context[2] = [],
    own: Context[3] = [],
  ) => suggestions(line, found, open, own).map((row) => row.line)

  it('are none inside an open quote and in a statement of SQL', () => {
    expect([lines('"fed'), lines('SQL sel'), lines('MOV; sql s'), lines('sql ')]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(lines('sq')).toContain('SQL')
  })

  it('are workspaces by name or number after WS, and saved layouts', () => {
    const own = [
      { word: 'two screens', line: null },
      { word: 'mornings', line: null },
      { word: 'CALM', line: 'SCAN price=45..55' },
    ]
    expect(suggestions('WS 2', [], [], own).map(({ label }) => label)).toEqual(['Market'])
    expect(lines('WS ma', [], [], own)).toEqual(['WS 2'])
    expect(lines('WS tw', [], [], own)).toEqual(['WS "two screens"'])
    expect(lines('WS mor', [], [], own)).toContain('WS mornings')
    expect(lines('WS ', [], [], own).at(-1)).toBe('WS mornings')
  })

  it('begin with aliases, which are commands of their own', () => {
    const own = [{ word: 'CALM', line: 'SCAN price=45..55' }]
    expect(suggestions('ca', [], [], own)[0]).toEqual({
      kind: 'command',
      line: 'CALM',
      label: 'CALM',
      detail: 'SCAN price=45..55',
      runs: true,
    })
    expect(lines('', [], [], own)).not.toContain('CALM')
    expect(lines('x', [], [], own)).not.toContain('CALM')
  })

  it('include three open panes by title at the start of a command', () => {
    const open = [1, 2, 3, 4].map((number) => ({ title: `Zeta ${number}`, line: `Z${number} GP` }))
    const panes = (line: string) =>
      suggestions(line, [], open).flatMap((row) => (row.kind === 'pane' ? [row.line] : []))
    expect(panes('zet')).toEqual(['Z1 GP', 'Z2 GP', 'Z3 GP'])
    expect(panes('MOV; zet')).toEqual(['MOV; Z1 GP', 'MOV; Z2 GP', 'MOV; Z3 GP'])
    expect(panes('')).toEqual([])
    expect(panes('a zet')).toEqual([])
  })

  it('include settings by value or by their title', () => {
    expect(lines('comp')).toContain('DENS compact')
    expect(lines('density')).toEqual(
      expect.arrayContaining(['DENS compact', 'DENS normal', 'DENS roomy']),
    )
  })

  it('include three topics, eight markets and a search of two letters or more', () => {
    const many = Array.from({ length: 9 }, (_, index) => ({ ticker: `Q-${index}`, title: 'Q' }))
    const rows = suggestions('qq', many)
    expect(rows.filter(({ kind }) => kind === 'market')).toHaveLength(8)
    expect(rows.at(-1)?.line).toBe('SCAN qq')
    expect(lines('q', many)).not.toContain('SCAN q')
    const topics = suggestions('c', []).filter(({ kind }) => kind === 'word')
    expect(topics.length).toBeLessThanOrEqual(3)
    expect(suggestions('', []).some(({ kind }) => kind === 'word')).toBe(false)
  })

  it('after a word are the verbs that take it, a search, and markets', () => {
    const rows = suggestions('oil MO', hits)
    expect(rows[0]).toMatchObject({ line: 'oil MOV', runs: true })
    expect(rows.map(({ line }) => line)).toContain('SCAN oil MO')
    expect(rows.filter(({ kind }) => kind === 'market').map(({ line }) => line)).toEqual([
      'KXFED-26DEC',
      '$KXFEDS',
    ])
    expect(lines('oil BOO')).not.toContain('oil BOOK')
  })

  it('complete a verb that needs words with a blank, and run the others', () => {
    const row = (line: string) => suggestions(line, [])[0]
    expect(row('NE')).toMatchObject({ line: 'NEW ', runs: false })
    expect(row('DEN')).toMatchObject({ line: 'DENS', runs: false })
    expect(row('MO')).toMatchObject({ line: 'MOV', runs: true })
    expect(row('HEL')).toMatchObject({ line: 'HELP', runs: true })
    expect(row('BOO')).toMatchObject({ line: 'BOOK', runs: true })
  })

  it('offer a market to a verb without one, and to a comparison', () => {
    expect(lines('BOOK ', hits)).not.toContain('BOOK KXFED-26DEC')
    expect(lines('BOOK f', hits)).toEqual(['BOOK KXFED-26DEC', 'BOOK $KXFEDS'])
    expect(lines('KXA-1 BOOK fed', hits)).toEqual([])
    expect(lines('. GP +fed', hits)).toEqual(['. GP +KXFED-26DEC', '. GP +$KXFEDS'])
    expect(lines('MOV +fed', hits)).toEqual([])
  })

  it('are at most eight words, none of an argument that is there', () => {
    expect(lines('SCAN ').length).toBeLessThanOrEqual(8)
    expect(lines('. GP 15m ')).not.toContain('. GP 15m 1h')
  })

  it('explain filters, arguments, venues and flags', () => {
    const detail = (line: string) => suggestions(line, [])[0]?.detail
    expect(detail('MOV @')).toBe('only this venue')
    expect(detail('MOV -')).toBe('flag')
    expect(detail('SCAN pric')).toMatch(/price/i)
    expect(detail('HELP mo')).toMatch(/./)
    expect(detail('MOV oi')).toBe('topic')
  })
})

describe('the rows of an answer', () => {
  const lookup = (more: object) => ({
    text: 'fed cut',
    markets: hits,
    isMatch: true,
    bestTicker: null,
    note: null,
    topic: null,
    ...more,
  })
  const rows = (answer: object, found: readonly MarketHit[] = []) =>
    suggestions('fed cut', found, [], [], [], answer as never).map(({ line }) => line)

  it('begin with what Enter opens: the list, or the clear market', () => {
    expect(rows(lookup({}))).toEqual(['SCAN fed cut', 'KXFED-26DEC', '$KXFEDS'])
    expect(rows(lookup({ bestTicker: 'KXFEDS' }))).toEqual([
      '$KXFEDS',
      'KXFED-26DEC',
      'SCAN fed cut',
    ])
  })

  it('are the topic when nothing matches, here or there', () => {
    const none = lookup({ isMatch: false, markets: [], topic: 'iran' })
    expect(rows(none)).toEqual(['iran', 'SCAN fed cut'])
    expect(rows(none, hits)).toContain('KXFED-26DEC')
    expect(rows(lookup({ isMatch: false, markets: [] }))).not.toContain('iran')
  })
})

it('an unknown ticker is replaced in its line', () => {
  const lines = (line: string, ticker: string | null) =>
    replacements(line, ticker, hits).map((row) => row.line)
  expect(lines('kxa-9 GP 1h', 'KXA-9')).toEqual(['KXFED-26DEC GP 1h', '$KXFEDS GP 1h'])
  expect(lines('GP $KXA; MOV', 'KXA')).toEqual(['GP KXFED-26DEC; MOV', 'GP $KXFEDS; MOV'])
  expect(lines('some words', null)).toEqual(['KXFED-26DEC', '$KXFEDS'])
})

it.each([
  ['fed cut', 'SCAN fed cut'],
  ['oil > 90', 'SCAN "oil > 90"'],
  ['a "b"', 'SCAN "a b"'],
  ['kalshi fed', 'SCAN fed @kalshi'],
])('the search for “%s” is %s', (text, line) => {
  expect(searchLine(text)).toBe(line)
})
