import { describe, expect, it } from 'vitest'
import {
  layoutFile,
  layoutProblem,
  linesOf,
  readLayoutFile,
  savedLayoutOf,
  titlesOf,
} from './layout-file.ts'

const dockOf = (lines: readonly string[]) =>
  ({
    grid: {
      root: {
        type: 'branch',
        data: [
          { type: 'leaf', data: { views: lines.map((_, index) => `pane-${index}`), id: '1' } },
        ],
      },
    },
    panels: Object.fromEntries(
      lines.map((line, index) => [
        `pane-${index}`,
        { id: `pane-${index}`, params: { line, link: 'A' } },
      ]),
    ),
  }) as never

const AT = '2026-11-20T10:00:00.000Z'
const morning = { name: 'morning', savedAt: AT, dock: dockOf(['MOV', '. GP 1h']) }

describe('a file of layouts', () => {
  it('restores what was written [terminal.window.layout-file]', () => {
    expect(readLayoutFile(layoutFile([morning], AT))).toEqual([morning])
  })

  it.each([
    ['not valid JSON', '{', 'not valid JSON'],
    ['another file', '{"version":1}', 'no Augury layouts'],
    [
      'a later version',
      '{"kind":"augury-layouts","version":2,"layouts":[]}',
      'has version 2; this version reads up to 1',
    ],
    ['no version', '{"kind":"augury-layouts","layouts":[]}', 'has no version'],
    ['nothing', '{"kind":"augury-layouts","version":1,"layouts":[]}', 'contains no layout'],
    ['a pane of a later version', layoutFile([{ ...morning, dock: dockOf(['FLY']) }], AT), '“FLY”'],
    ['no grid', layoutFile([{ ...morning, dock: { panels: {} } as never }], AT), 'no layout'],
    ['no name', layoutFile([{ ...morning, name: '' }], AT), 'no name'],
    ['a blank name', layoutFile([{ ...morning, name: ' ' }], AT), 'no name'],
    ['too long a name', layoutFile([{ ...morning, name: 'x'.repeat(41) }], AT), 'no name'],
    ['another kind', '{"kind":"augury-watchlist","version":1}', 'no Augury layouts'],
    ['no list', '{"kind":"augury-layouts","version":1,"layouts":{}}', 'contains no layout'],
    ['a figure', '{"kind":"augury-layouts","version":1,"layouts":[7]}', 'has no name'],
    ['a text', '7', 'no Augury layouts'],
  ])('of %s is refused with a sentence [terminal.window.layout-refused]', (_, text, message) => {
    expect(readLayoutFile(text)).toContain(message)
  })

  it('is refused completely when one of its layouts is damaged', () => {
    const damaged = { ...morning, name: 'bad', dock: dockOf(['SCAN price=120']) }
    expect(readLayoutFile(layoutFile([morning, damaged], AT))).toContain('“bad” cannot be shown')
  })
})

it('has readable text, with its version and time', () => {
  const text = layoutFile([morning], AT)
  expect(text.startsWith('{\n  "kind": "augury-layouts",\n')).toBe(true)
  expect(JSON.parse(text)).toMatchObject({ version: 1, exportedAt: AT })
})

it('has names of up to 40 characters, and a time only where it is a text', () => {
  const name = 'x'.repeat(40)
  expect(savedLayoutOf({ ...morning, name, savedAt: 7 })).toEqual({ ...morning, name, savedAt: '' })
})

it('lists the commands and titles of its panes; others are left out', () => {
  const saved = { ...morning, dock: dockOf(['mov', 'FLY', '. GP 1h']) }
  expect([linesOf(saved), titlesOf(saved)]).toEqual([
    ['MOV', '. GP 1h'],
    ['Movers', 'Chart'],
  ])
  const empty = { grid: {}, panels: { a: {}, b: { params: {} } } } as never
  expect(linesOf({ ...morning, dock: empty })).toEqual([])
})

describe('a layout', () => {
  const leaf = (views: unknown) => ({ type: 'leaf', data: { views } })
  const nested = (depth: number): object =>
    depth === 0 ? leaf([]) : { type: 'branch', data: [nested(depth - 1)] }
  const panels = { p: { params: { line: 'MOV' } } }
  it.each([
    { what: 'a pane', root: leaf(['p']), problem: null },
    { what: '30 branches', root: nested(30), problem: null },
    { what: '31 branches', root: nested(31), problem: 'Its grid is damaged' },
    { what: 'no views', root: { type: 'leaf', data: null }, problem: 'Its grid is damaged' },
    { what: 'unnamed views', root: leaf(['p', 7]), problem: 'Its grid is damaged' },
    { what: 'another node', root: { type: 'x', data: [] }, problem: 'Its grid is damaged' },
    { what: 'a branch of nothing', root: { type: 'branch' }, problem: 'Its grid is damaged' },
    {
      what: 'a damaged part',
      root: { type: 'branch', data: [leaf(['p']), 7] },
      problem: 'Its grid is damaged',
    },
    { what: '60 panes', root: leaf(Array(60).fill('p')), problem: null },
    { what: '61 panes', root: leaf(Array(61).fill('p')), problem: 'It has more than 60 panes' },
    { what: 'a missing pane', root: leaf(['q']), problem: 'It refers to a missing pane' },
  ])('of $what', ({ root, problem }) => {
    expect(layoutProblem({ grid: { root }, panels })).toBe(problem)
  })

  it.each([
    { floating: [{ data: { views: ['p'] } }], problem: null },
    { floating: {}, problem: null },
    { floating: [{ data: { views: ['q'] } }], problem: 'It refers to a missing pane' },
    { floating: [{}], problem: 'Its grid is damaged' },
    { floating: [7], problem: 'Its grid is damaged' },
  ])('with the floating groups $floating', ({ floating, problem }) => {
    const grid = { root: leaf([]) }
    expect(layoutProblem({ grid, panels, floatingGroups: floating })).toBe(problem)
  })

  it.each([
    { panel: {}, problem: 'One of its panes has no command' },
    { panel: { params: { line: 7 } }, problem: 'One of its panes has no command' },
    { panel: 7, problem: 'It refers to a missing pane' },
    {
      panel: { params: { line: 'x'.repeat(61) } },
      problem: `This version cannot read its pane “${'x'.repeat(60)}”`,
    },
  ])('with the pane $panel', ({ panel, problem }) => {
    expect(layoutProblem({ grid: { root: leaf(['p']) }, panels: { p: panel } })).toBe(problem)
  })

  it.each([null, [], {}, { grid: {} }, { grid: {}, panels: [] }, { grid: 7, panels: {} }])(
    '%j is none',
    (value) => {
      expect(layoutProblem(value)).toBe('It contains no layout')
    },
  )
})

it('reports a pane of the grid that is missing', () => {
  const dock = { grid: { root: { type: 'leaf', data: { views: ['pane-9'] } } }, panels: {} }
  expect(layoutProblem(dock)).toBe('It refers to a missing pane')
  expect(layoutProblem({ ...dock, grid: { root: { type: 'leaf', data: {} } } })).toBe(
    'Its grid is damaged',
  )
})
