import { describe, expect, it } from 'vitest'
import type { ReplayState } from '../../../backend/contract/replay.ts'
import { parseLine } from '../../shell/commands/parse.ts'
import { draftOf, instantOf, moveOf, secondsOf, shareDone, stateLabel } from './replay-moves.ts'

const EMPTY = { step: '', seek: '', speed: '' }

// [terminal.replay.moves]
describe('the moves of a replay', () => {
  it.each([
    ['90', 90],
    ['1.5h', 5_400],
    ['5 m', 300],
    ['2d', 172_800],
    ['0', null],
    ['-5', null],
    ['soon', null],
  ])('reads “%s” as %s seconds', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })

  it.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01 14:30', '2026-11-01T14:30:00.000Z'],
    ['2026-11-01t14:30:05z', '2026-11-01T14:30:05.000Z'],
    ['2026-11-01T14:30:00+02:00', '2026-11-01T12:30:00.000Z'],
    ['2026-13-01', null],
    ['2026-02-30', null],
    ['yesterday', null],
    ['1', null],
  ])('reads “%s” as the instant %s', (text, iso) => {
    expect(instantOf(text)).toBe(iso)
  })

  it.each([
    ['step', EMPTY, {}],
    ['step', { ...EMPTY, step: '5m' }, { n: 300 }],
    ['seek', { ...EMPTY, seek: '2026-11-01' }, { to: '2026-11-01T00:00:00.000Z' }],
    ['speed', { ...EMPTY, speed: '1,000 ×' }, { speed: 1_000 }],
    ['speed', { ...EMPTY, speed: '0,5' }, { speed: 0.5 }],
    ['speed', { ...EMPTY, speed: 'MAX' }, { speed: 'max' }],
    ['pause', EMPTY, undefined],
  ] as const)('sends the fields that %s uses of %o', (action, draft, body) => {
    expect(moveOf(action, draft)).toEqual({ action, body })
  })

  it.each([
    ['step', { ...EMPTY, step: 'a bit' }, 'Enter a step in seconds'],
    ['seek', EMPTY, 'Enter a UTC time'],
    ['speed', { ...EMPTY, speed: '0' }, 'Enter a speed as a multiple'],
    ['speed', EMPTY, 'Enter a speed as a multiple'],
  ] as const)('reports what is wrong with the input for %s', (action, draft, description) => {
    expect(moveOf(action, draft)).toContain(description)
  })

  it.each([
    ['REPLAY', { action: null, ...EMPTY }],
    ['REPLAY step 1h', { action: 'step', ...EMPTY, step: '1h' }],
    ['REPLAY step 90', { action: 'step', ...EMPTY, step: '90' }],
    ['REPLAY seek 2026-11-01', { action: 'seek', ...EMPTY, seek: '2026-11-01' }],
    ['REPLAY speed max', { action: 'speed', ...EMPTY, speed: 'max' }],
    ['REPLAY speed 600', { action: 'speed', ...EMPTY, speed: '600' }],
  ])('fills in the values of “%s”', (line, draft) => {
    const commands = parseLine(line)
    if ('message' in commands || commands[0] === undefined) throw new Error(line)
    expect(draftOf(commands[0])).toEqual(draft)
  })

  it('shows the progress of the clock, and its speed', () => {
    const state: ReplayState = {
      state: 'running' as const,
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-05T00:00:00Z',
      now: '2026-11-02T00:00:00Z',
      speed: 60,
    }
    expect(shareDone(state)).toBe(0.25)
    expect(shareDone({ ...state, to: state.from })).toBe(1)
    expect(stateLabel(state)).toBe('Running, 60 × real time')
    expect(stateLabel({ ...state, speed: 'step' })).toContain('Waiting for a step')
    expect(stateLabel({ ...state, state: 'paused' })).toContain('Paused at')
    expect(stateLabel({ ...state, state: 'ended' })).toContain('Ended at')
  })
})
