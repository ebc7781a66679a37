import { describe, expect, it } from 'vitest'
import { parseLine } from '../../shell/commands/parse.ts'
import type { Command } from '../../shell/commands/command.ts'
import type { PanelFilters } from '../../../backend/contract/panels/panel-spec.ts'
import type { ScreenSource } from '../../../backend/contract/panels/panel-names.ts'
import { freeTier, panel } from '../../testing/panels.ts'
import { indexAfter } from './board-keys.ts'
import { confirmationLabel, requestOf } from './board-request.ts'
import { filterLabel, scheduleLabel, spanLabel, tierLine } from './board-labels.ts'
import { additionOf, blankDraft, changeOf, draftOf, withCommand } from './panel-draft.ts'

const commandOf = (line: string): Command => {
  const [command] = parseLine(line) as readonly Command[]
  if (command === undefined) throw new Error(line)
  return command
}
const added = (line: string) => additionOf(withCommand(blankDraft(300), commandOf(line)))

describe('a panel by command', () => {
  // [terminal.board.command]
  it.each([
    [
      'PANEL add movers as=bar every=5m',
      {
        version: 1,
        kind: 'preset',
        preset: { id: 'movers_volume_z' },
        display: { visualization: 'bar' },
        schedule: { mode: 'interval', cadenceMinutes: 5 },
      },
    ],
    [
      'PANEL liquidity every=30s',
      {
        version: 1,
        kind: 'preset',
        preset: { id: 'liquidity_by_theme' },
        display: { visualization: 'bar' },
        schedule: { mode: 'interval', cadenceMinutes: 0.5 },
      },
    ],
    [
      'PANEL add prices p=20%..60% window=7d tickers=KXA-1,KXB-2 -manual',
      {
        version: 1,
        kind: 'screen',
        sources: ['latest_market_prices'],
        filters: {
          probability: { min: 0.2, max: 0.6 },
          window: '7d',
          tickers: ['KXA-1', 'KXB-2'],
        },
        display: { visualization: 'table' },
        schedule: { mode: 'manual' },
      },
    ],
    [
      'PANEL add themes probability>0.5 every=1d',
      {
        version: 1,
        kind: 'screen',
        sources: ['liquidity_by_theme'],
        display: { visualization: 'table' },
        schedule: { mode: 'interval', cadenceMinutes: 1_440 },
      },
    ],
    [
      'PANEL watchlist tickers=KXA-1 as=gauge',
      {
        version: 1,
        kind: 'preset',
        preset: { id: 'watchlist_microstructure' },
        filters: { tickers: ['KXA-1'] },
        display: { visualization: 'gauge' },
        schedule: { mode: 'interval', cadenceMinutes: 5 },
      },
    ],
  ])('“%s” is the spec that is sent', (line, spec) => {
    expect(added(line)).toEqual({ spec })
  })

  it.each([
    [{ minPercent: '', maxPercent: '' }, undefined],
    [{ minPercent: '20', maxPercent: ' ' }, { probability: { min: 0.2 } }],
    [{ minPercent: '', maxPercent: '2,5' }, { probability: { max: 0.025 } }],
    [{ window: '24h' as const, tickers: ' ,; ' }, undefined],
    [
      { window: '7d' as const, tickers: 'KXA-1;KXB-2' },
      { window: '7d', tickers: ['KXA-1', 'KXB-2'] },
    ],
  ])('sends the filters %j as %j', (change, filters) => {
    const { spec } = additionOf({ ...blankDraft(60, 'prices'), ...change })
    expect(spec?.filters).toEqual(filters)
    expect(Object.keys(spec ?? {}).includes('filters')).toBe(filters !== undefined)
  })

  it('keeps a title as typed', () => {
    expect(added('PANEL add movers title="What Moves, by Size"').title).toBe('What Moves, by Size')
  })

  it('sends an invalid number as null, so that it is refused beside its field', () => {
    const draft = { ...blankDraft(60, 'prices'), minPercent: 'x', every: '' }
    const { spec } = JSON.parse(JSON.stringify(additionOf(draft))) as {
      spec: { filters: object; schedule: object }
    }
    expect(spec.filters).toEqual({ probability: { min: null } })
    expect(spec.schedule).toEqual({ mode: 'interval', cadenceMinutes: null })
  })

  it('sends only what differs, since a new spec restarts the panel', () => {
    const old = panel('a')
    const draft = draftOf(old)
    expect(changeOf(old, draft)).toEqual({})
    expect(changeOf(old, { ...draft, title: 'New' })).toEqual({ title: 'New' })
    expect(changeOf(old, { ...draft, title: ' ' })).toEqual({ title: 'Movers by volume' })
    expect(Object.keys(changeOf(old, { ...draft, visualization: 'bar' }))).toEqual(['spec'])
  })

  it('restores a panel as it was typed', () => {
    const body = added('PANEL add prices p=7%..29.5% window=30d tickers=KXA-1 every=2h as=stat')
    const kept = panel('a', { kind: 'screen', ...(body.spec && { spec: body.spec }) })
    expect(additionOf({ ...draftOf(kept), title: '' })).toEqual(body)
  })
})

const requested = (line: string) =>
  requestOf(commandOf(line), [panel('a'), panel('b', { title: 'Second' })], 300)

describe('the request of a board command', () => {
  // [terminal.board.command]
  it('is a form to add and edit, a removal, and a confirmation for the rest', () => {
    expect(requested('PANEL')).toMatchObject({ kind: 'form', panel: null })
    expect(requested('PANEL 2 title=New')).toMatchObject({
      kind: 'form',
      panel: { id: 'b' },
      draft: { title: 'New' },
    })
    expect(requested('PANEL rename 1')).toMatchObject({ kind: 'form', panel: { id: 'a' } })
    expect(requested('PANEL remove 2')).toMatchObject({
      kind: 'remove',
      panel: { id: 'b' },
    })
    expect(requested('PANEL move 2 1')).toMatchObject({
      kind: 'confirmation',
      confirmation: { act: 'move', position: 0 },
    })
  })

  it.each([
    ['PANEL remove', 'Name a panel by its number, 1 to 2: PANEL remove 1'],
    ['PANEL run 3', 'Name a panel by its number, 1 to 2: PANEL run 1'],
    ['PANEL move 1', 'Name the new position, 1 to 2: PANEL move 1 1'],
    ['PANEL move 1 3', 'Name the new position, 1 to 2: PANEL move 1 1'],
  ])('reports what “%s” lacks', (line, text) => {
    expect(requested(line)).toEqual({ kind: 'refused', text })
  })

  it('describes what will happen', () => {
    const description = (act: 'run' | 'pause' | 'resume' | 'move') =>
      confirmationLabel({ act, panel: panel('a'), position: 1 }, '5 min').text
    expect(description('run')).toContain('again 5 min later')
    expect(description('move')).toBe('Move “Panel a” to position 2?')
  })
})

describe('labels of a board', () => {
  // [terminal.board.tier]
  it('show the limits of the tier', () => {
    expect(tierLine(freeTier)).toBe('2 of 3 panels, 1 of 1 screens, refresh at least 5 min')
    expect(tierLine({ ...freeTier, minRefreshSeconds: 5 })).toMatch(/refresh at least 5 s$/)
  })

  it.each([
    [5, '5 s'],
    [90, '90 s'],
    [60, '1 min'],
    [5_400, '90 min'],
    [7_200, '2 h'],
  ])('format %d seconds as %s', (seconds, description) => {
    expect(spanLabel(seconds)).toBe(description)
  })

  it('show how a panel is refreshed, and its filters', () => {
    const schedule = { mode: 'interval', cadenceMinutes: 1 } as const
    const spec = { ...panel('a').spec, schedule }
    // A lower tier slows down existing panels.
    expect(scheduleLabel(panel('a', { spec }))).toBe('every 5 min')
    expect(scheduleLabel(panel('a', { spec, status: 'paused' }))).toBe('schedule paused')
    expect(scheduleLabel(panel('a'))).toBe('manual')
    const filters: PanelFilters = {
      probability: { min: 0.2 },
      window: '7d',
      tickers: ['A', 'B'],
    }
    const sources: ScreenSource[] = ['latest_market_prices']
    const { version, display } = spec
    expect(filterLabel({ version, kind: 'screen', sources, filters, display })).toBe(
      '20% to 100%, 7d, 2 tickers',
    )
    // A preset keeps filters that it does not apply.
    expect(filterLabel({ ...spec, filters })).toBe('')
  })
})

describe('moves over the cards', () => {
  // Seven cards in rows of three.
  it.each([
    ['next', 6, 6],
    ['previous', 0, 0],
    ['below', 1, 4],
    ['below', 5, 6],
    ['above', 4, 1],
    ['above', 1, 1],
    ['first', 5, 0],
    ['last', 0, 6],
  ] as const)('%s of %d is %d', (to, from, place) => {
    expect(indexAfter(to, from, 7, 3)).toBe(place)
  })
})
