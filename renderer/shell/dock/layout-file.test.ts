import { describe, expect, it } from 'vitest'
import { layoutFile, readLayoutFile, layoutProblem } from './layout-file.ts'

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
      'has version 2; this Augury reads up to 1',
    ],
    ['no version', '{"kind":"augury-layouts","layouts":[]}', 'has no version'],
    ['nothing', '{"kind":"augury-layouts","version":1,"layouts":[]}', 'contains no layout'],
    ['a pane of a later version', layoutFile([{ ...morning, dock: dockOf(['FLY']) }], AT), '“FLY”'],
    ['no grid', layoutFile([{ ...morning, dock: { panels: {} } as never }], AT), 'no layout'],
    ['no name', layoutFile([{ ...morning, name: '' }], AT), 'no name'],
  ])('of %s is refused with a sentence [terminal.window.layout-refused]', (_, text, message) => {
    expect(readLayoutFile(text)).toContain(message)
  })

  it('is refused completely when one of its layouts is damaged', () => {
    const damaged = { ...morning, name: 'bad', dock: dockOf(['SCAN price=120']) }
    expect(readLayoutFile(layoutFile([morning, damaged], AT))).toContain('“bad” cannot be shown')
  })
})

it('reports a pane of the grid that is missing', () => {
  const dock = { grid: { root: { type: 'leaf', data: { views: ['pane-9'] } } }, panels: {} }
  expect(layoutProblem(dock)).toBe('It refers to a missing pane')
  expect(layoutProblem({ ...dock, grid: { root: { type: 'leaf', data: {} } } })).toBe(
    'Its grid is damaged',
  )
})
