import { expect, it } from 'vitest'
import {
  NO_STUDIES,
  overlaysOf,
  overlayWord,
  studiesOf,
  studyOf,
  toggleWord,
} from './study-types.ts'

it.each([
  ['sma', { name: 'sma', length: 20 }],
  ['SMA:50', { name: 'sma', length: 50 }],
  ['rsi:7', { name: 'rsi', length: 7 }],
  ['vwap', { name: 'vwap', length: null }],
  ['vwap:5', null],
  ['sma:1', null],
  ['sma:501', null],
  ['macd', null],
])('%s is a study [terminal.chart.studies]', (word, study) => {
  expect(studyOf(word)).toEqual(study)
})

it.each([
  ['+kxfed-26dec', '+KXFED-26DEC'],
  ['+$fed', '+FED'],
  ['+PAIR', '+pair'],
  ['+Index', '+index'],
  [`+0x${'AB'.repeat(32)}`, `+0x${'ab'.repeat(32)}`],
  ['+', null],
  ['KXFED', null],
])('%s is an overlay [terminal.chart.compare]', (word, known) => {
  expect(overlayWord(word)).toBe(known)
})

it('reads at most five overlays and the studies of an argument', () => {
  expect(overlaysOf('+A +pair +index +B +C +D').map(({ kind }) => kind)).toEqual([
    'market',
    'pair',
    'gauge',
    'market',
    'market',
  ])
  expect(overlaysOf('+none')).toEqual([])
  expect(studiesOf('sma:20 plain rsi').map(({ name }) => name)).toEqual(['sma', 'rsi'])
})

it.each([
  [undefined, 'rsi', 'rsi'],
  ['plain', 'rsi', 'rsi'],
  ['sma:20 rsi', 'rsi', 'sma:20'],
  ['rsi', 'rsi', NO_STUDIES],
])('%s toggled by %s is %s', (text, word, next) => {
  expect(toggleWord(text, word, NO_STUDIES)).toBe(next)
})
