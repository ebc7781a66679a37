import { describe, expect, it } from 'vitest'
import type { StrategyMetadata } from '../../../backend/contract/backtests.ts'
import { backtestView } from '../../shell/commands/backtest-view.ts'
import { commandText, type Command } from '../../shell/commands/command.ts'
import { parseLine } from '../../shell/commands/parse.ts'
import {
  bodyOf,
  draftOfCommand,
  draftOfRequest,
  draftSentence,
  fieldText,
  isSwitchedOn,
} from './run-draft.ts'
import { reasonOf } from './run-reasons.ts'

const NOW = Date.parse('2026-11-20T10:00:30.000Z')
const FACE: StrategyMetadata = {
  name: 'own',
  about: '',
  feeds: ['quotes'],
  candles: [],
  params: [
    { name: 'fairPrice', kind: 'number', default: 50 },
    { name: 'word', kind: 'string', default: '' },
    { name: 'isBold', kind: 'boolean', default: false },
  ],
}
const read = (line: string): Command => {
  const commands = parseLine(line)
  if ('message' in commands || commands[0] === undefined) throw new Error(JSON.stringify(commands))
  return commands[0]
}
const requested = (line: string) => bodyOf(draftOfCommand(read(line), NOW), FACE)

describe('a command that starts a run', () => {
  it('[terminal.backtest.grammar] contains strategy, range, markets and parameters', () => {
    const line =
      'BT run own 2026-03-01 2026-04-01 tickers=KX-1,KX-2 fairPrice=-0.5 word="a b" isBold=true seed=7 -lookahead'
    expect(requested(line)).toEqual({
      strategy: 'own',
      from: '2026-03-01',
      to: '2026-04-01',
      markets: ['KX-1', 'KX-2'],
      params: { fairPrice: -0.5, word: 'a b', isBold: true },
      checks: ['lookahead'],
      seed: 7,
    })
    // The text form of a draft parses back to the same draft.
    expect(read(commandText(read(line)))).toEqual(read(line))
  })

  it('[terminal.backtest.grammar] counts back from now, and reads instants', () => {
    expect(requested('bt run own 7d')).toMatchObject({
      from: '2026-11-13T10:00Z',
      to: '2026-11-20T10:00Z',
    })
    expect(requested('BT own 2026-11-01t06:30')).toMatchObject({ from: '2026-11-01T06:30' })
  })

  it('[terminal.backtest.grammar] distinguishes the views of the command', () => {
    const views = ['BT', 'BT run', 'BT own', 'BT bt_1a', 'BT latest trades', 'BT compare bt_1 bt_2']
    expect(views.map((line) => backtestView(read(line)))).toEqual([
      'runs',
      'form',
      'form',
      'report',
      'report',
      'compare',
    ])
    expect(read('BT compare bt_1 BT_2').args).toEqual({
      action: 'compare',
      id: 'bt_1',
      other: 'bt_2',
    })
    expect(parseLine('BT run own contracts>5')).toMatchObject({
      message: 'contracts accepts only =',
    })
  })

  it('[terminal.backtest.reasons] is rejected where the service could not parse it', () => {
    expect(requested('BT run')).toEqual({ field: 'strategy', text: 'Choose a strategy.' })
    expect(requested('BT run own fairPrice=much')).toEqual({
      field: 'param:fairPrice',
      text: 'fairPrice must be a number.',
    })
    expect(requested('BT run own size=3')).toEqual({
      field: 'form',
      text: 'own has no parameter size. It has fairPrice, word, isBold.',
    })
  })

  it.each([
    [{ seed: 'x' }, 'seed', 'The seed must be a number.'],
    [{ cash: 'x' }, 'cash', 'Cash must be a number.'],
  ])('[terminal.backtest.reasons] %j is beside %s', (change, field, text) => {
    expect(bodyOf({ ...draftOfCommand(read('BT run own'), NOW), ...change }, FACE)).toEqual({
      field,
      text,
    })
  })

  it('[terminal.backtest.reasons] names a strategy without parameters', () => {
    expect(bodyOf(draftOfCommand(read('BT run own size=3'), NOW), null)).toEqual({
      field: 'form',
      text: 'own has no parameter size. It has none.',
    })
  })

  it('sends only what is given, with numbers as typed', () => {
    const draft = draftOfCommand(read('BT run own 2026-03-01 2026-04-01'), NOW)
    const sent = bodyOf(
      {
        ...draft,
        cash: ' 1,5 ',
        seed: ' ',
        topic: ' oil ',
        tickers: ' ; ',
        determinism: true,
        params: { fairPrice: '−2', word: 'w', isBold: 'false' },
      },
      FACE,
    )
    expect(sent).toEqual({
      strategy: 'own',
      from: '2026-03-01',
      to: '2026-04-01',
      topic: 'oil',
      startCashUsd: 1.5,
      checks: ['determinism'],
      params: { fairPrice: -2, word: 'w', isBold: false },
    })
    expect(bodyOf({ ...draft, params: {} }, FACE)).not.toHaveProperty('params')
    expect(bodyOf({ ...draft, params: { fairPrice: ' ' } }, FACE)).toMatchObject({
      field: 'param:fairPrice',
    })
  })

  it.each([
    ['10,000', 10_000],
    ['1,250,000.5', 1_250_000.5],
    ['0,125', 0.125],
    ['12,5', 12.5],
    ['1,2345', 1.2345],
  ])('reads the cash %s as the placeholder is written', (cash, startCashUsd) => {
    const draft = draftOfCommand(read('BT run own'), NOW)
    expect(bodyOf({ ...draft, cash }, FACE)).toMatchObject({ startCashUsd })
  })

  it.each([
    ['90m', '2026-11-20T08:30Z'],
    ['2h', '2026-11-20T08:00Z'],
    ['1d', '2026-11-19T10:00Z'],
  ])('counts %s back', (span, from) => {
    expect(requested(`BT run own ${span}`)).toMatchObject({ from })
  })

  it('begins thirty days ago', () => {
    expect(draftOfCommand(read('BT run own'), NOW)).toMatchObject({
      from: '2026-10-21T10:00Z',
      to: '2026-11-20T10:00Z',
      lookahead: false,
      determinism: false,
      params: {},
    })
    expect(draftOfCommand(read('BT run own cash=5 -determinism'), NOW)).toMatchObject({
      cash: '5',
      determinism: true,
    })
  })

  it('parameters show what was given, else their default', () => {
    const draft = { ...draftOfCommand(read('BT run own'), NOW), params: { isBold: true } }
    const [price, , bold] = FACE.params
    if (price === undefined || bold === undefined) throw new Error('no parameters')
    expect([fieldText(draft, price), fieldText(draft, bold)]).toEqual(['50', 'true'])
    expect(isSwitchedOn(draft, bold)).toBe(true)
    expect(isSwitchedOn({ ...draft, params: {} }, bold)).toBe(false)
  })

  it.each([
    [{ strategy: '' }, 'Runs a strategy over stored history. No orders are sent.'],
    [{}, 'Runs own over all markets with events. No orders are sent.'],
    [{ topic: ' oil ' }, 'Runs own over markets of oil. No orders are sent.'],
    [{ tickers: 'KX-1', topic: 'oil' }, 'Runs own over 1 named market. No orders are sent.'],
    [{ tickers: 'KX-1, KX-2' }, 'Runs own over 2 named markets. No orders are sent.'],
    [
      { otherParams: { study: 1, draws: 2 } },
      'Runs own over all markets with events, with study, draws as before. No orders are sent.',
    ],
  ])('%j in a sentence', (change, text) => {
    expect(draftSentence({ ...draftOfCommand(read('BT run own'), NOW), ...change })).toBe(text)
  })

  it('restores a run without settings', () => {
    const draft = draftOfRequest({ strategy: 'own', from: 'a', to: 'b' })
    expect(draft).toEqual({
      strategy: 'own',
      from: 'a',
      to: 'b',
      tickers: '',
      topic: '',
      seed: '',
      cash: '',
      lookahead: false,
      determinism: false,
      params: {},
      otherParams: {},
    })
    const other = draftOfRequest({ strategy: 'own', from: 'a', to: 'b', checks: ['lookahead'] })
    expect([other.lookahead, other.determinism]).toEqual([true, false])
  })

  it('restores the settings of a run', () => {
    const request = {
      strategy: 'own',
      from: '2026-03-01',
      to: '2026-04-01T00:00Z',
      markets: ['KX-1'],
      topic: 'oil',
      params: { fairPrice: 3, isBold: true },
      seed: 2,
      startCashUsd: 50,
      checks: ['determinism' as const],
    }
    expect(bodyOf(draftOfRequest(request), FACE)).toEqual(request)
  })
})

it('[terminal.backtest.reasons] assigns errors of the service to their fields', () => {
  expect(reasonOf('to: must be after from')).toEqual({
    field: 'to',
    text: 'The end must be after the start.',
  })
  expect(reasonOf('markets: NOPE is not in the history')).toEqual({
    field: 'tickers',
    text: 'NOPE is not in the history.',
  })
  expect(reasonOf('strategy not found: none. There are a, b')).toEqual({
    field: 'strategy',
    text: 'There is no strategy none. There are a, b.',
  })
  expect(reasonOf('parameter fair must be a number, was much').field).toBe('param:fair')
  expect(reasonOf('own.ts:6:3: TypeError: x is not a function')).toEqual({
    field: 'form',
    text: 'Own.ts:6:3: TypeError: x is not a function.',
  })
})
