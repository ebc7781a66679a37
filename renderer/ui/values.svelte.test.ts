import '../testing/set-up-page.ts'
import X from '@lucide/svelte/icons/x'
import { render } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Delta from './Delta.svelte'
import { keepSize, lastSize } from './element-size.ts'
import Price from './Price.svelte'
import { stamp } from './stamp.ts'
import { keepWidths, lastWidths, measureColumns, widest } from './table/measure-columns.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a price', () => {
  type Shown = { cents: number | null; freshness?: 'fresh' | 'late' | 'stale' }
  const show = (...values: readonly Shown[]) => {
    const [first, ...later] = values
    if (first === undefined) throw new Error('no value')
    const { container, rerender } = render(Price, first)
    const element = container.querySelector('span')
    const flash = () => element?.dataset['flash'] ?? null
    return { element, flash, later, rerender }
  }
  const flashOf = async (...values: readonly Shown[]) => {
    const { flash, later, rerender } = show(...values)
    for (const value of later) await rerender(value)
    return flash()
  }

  it.each([
    { values: [{ cents: 40 }], flash: null },
    { values: [{ cents: 40 }, { cents: 41 }], flash: 'up' },
    { values: [{ cents: 40 }, { cents: 39.5 }], flash: 'down' },
    { values: [{ cents: 40 }, { cents: 40 }], flash: null },
    { values: [{ cents: null }, { cents: 40 }], flash: null },
    { values: [{ cents: 40 }, { cents: null }], flash: null },
    { values: [{ cents: 40 }, { cents: null }, { cents: 41 }], flash: null },
    { values: [{ cents: 40 }, { cents: 41, freshness: 'late' }], flash: null },
    // What changed while it was stale is not news later.
    {
      values: [{ cents: 40 }, { cents: 45, freshness: 'stale' }, { cents: 44, freshness: 'fresh' }],
      flash: 'down',
    },
  ] as const)('with the values $values flashes $flash', async ({ values, flash }) => {
    expect(await flashOf(...values)).toBe(flash)
  })

  it.each([
    [{ cents: 40 }, null],
    [{ cents: null }, 'No quote and no trade yet'],
    [{ cents: 40, note: 'Last trade' }, 'Last trade'],
    [{ cents: null, note: 'Closed' }, 'Closed'],
    [
      { cents: 40, note: 'Last trade', freshness: 'stale' },
      'Last known price; the source is stale',
    ],
    [{ cents: 40, freshness: 'late' }, null],
  ] as const)('%j explains itself: %s', (props, title) => {
    const { container } = render(Price, props)
    const element = container.querySelector('span')
    expect(element?.getAttribute('title')).toBe(title)
    expect(element?.classList.contains('stale')).toBe(
      'freshness' in props && props.freshness === 'stale',
    )
  })
})

it.each([
  [{ cents: 2 }, 'up', '▲'],
  [{ cents: -2 }, 'down', '▼'],
  [{ cents: 0 }, 'flat', ''],
  [{ cents: null }, 'flat', ''],
  [{ cents: 2, freshness: 'stale' }, 'faint', '▲'],
] as const)('a change %j is %s', (props, tone, arrow) => {
  const { container } = render(Delta, props)
  expect(container.querySelector('.number')?.classList.contains(tone)).toBe(true)
  expect(container.querySelector('.arrow')?.textContent).toBe(arrow)
})

it('an icon is put into an element in its size, and taken out again', () => {
  const [first, second] = [document.createElement('span'), document.createElement('span')]
  const remove = stamp(X, 12)(first)
  stamp(X, 20)(second)
  const sizes = [first, second].map((host) => {
    const icon = host.querySelector('svg')
    return [icon?.getAttribute('width'), icon?.getAttribute('height')]
  })
  expect(sizes).toEqual([
    ['12', '12'],
    ['20', '20'],
  ])
  remove?.()
  expect([first.childElementCount, second.childElementCount]).toEqual([0, 1])
})

describe('the widths of columns', () => {
  /** A table whose cells have these widths, by row. */
  const tableOf = (...rows: readonly (readonly number[])[]) => {
    const viewport = document.body.appendChild(document.createElement('div'))
    viewport.style.setProperty('--tracks', '1fr')
    for (const widths of rows) {
      const row = viewport.appendChild(document.createElement('div'))
      row.setAttribute('role', 'row')
      for (const width of widths) {
        const cell = row.appendChild(document.createElement('div'))
        cell.getBoundingClientRect = () => {
          measuredWith.push(viewport.style.getPropertyValue('--tracks'))
          return { width } as DOMRect
        }
      }
    }
    return viewport
  }
  const measuredWith: string[] = []
  beforeEach(() => {
    measuredWith.length = 0
    document.body.replaceChildren()
  })
  const columns = [{ id: 'a' }, { id: 'b' }]
  const measure = (viewport: HTMLElement, isNew: boolean, found: unknown[][]) =>
    measureColumns(
      { viewport, columns, onmeasured: (widths) => void found.push([...widths].flat()) },
      isNew,
    )

  it('are those of the widest cell, in steps of 8 px, without a limit by the table', async () => {
    const found: unknown[][] = []
    const viewport = tableOf([8, 41], [9, 40])
    measure(viewport, true, found)
    expect(found).toEqual([])
    await Promise.resolve()
    expect(found).toEqual([['a', 16, 'b', 48]])
    expect(new Set(measuredWith)).toEqual(new Set(['repeat(2, max-content)']))
    expect(viewport.style.getPropertyValue('--tracks')).toBe('1fr')
  })

  it('of new values are measured after 2.5 s, together, and once', async () => {
    const found: unknown[][] = []
    const [first, second] = [tableOf([8, 8]), tableOf([24, 0])]
    measure(first, false, found)
    await vi.advanceTimersByTimeAsync(2_000)
    measure(second, false, found)
    await vi.advanceTimersByTimeAsync(499)
    expect(found).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(found).toEqual([
      ['a', 8, 'b', 8],
      ['a', 24, 'b', 0],
    ])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(found).toHaveLength(2)
  })

  it('of new rows take waiting values with them', async () => {
    const found: unknown[][] = []
    const [first, second] = [tableOf([8, 8]), tableOf([16, 16])]
    measure(first, false, found)
    measure(second, true, found)
    measure(second, false, found)
    await Promise.resolve()
    expect(found).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(found).toHaveLength(2)
    measure(first, true, found)
    await Promise.resolve()
    expect(found).toHaveLength(3)
  })

  it('of a table that is gone are not measured', async () => {
    const found: unknown[][] = []
    const viewport = tableOf([8, 8])
    measure(viewport, true, found)
    viewport.remove()
    await Promise.resolve()
    expect(found).toEqual([])
  })

  it('only grow', () => {
    const known = new Map([
      ['a', 16],
      ['b', 16],
    ])
    expect(widest(known, new Map([['a', 16]]))).toBe(known)
    expect(widest(known, new Map([['a', 8]]))).toBe(known)
    expect([
      ...widest(
        known,
        new Map([
          ['a', 24],
          ['b', 8],
          ['c', 8],
        ]),
      ),
    ]).toEqual([
      ['a', 24],
      ['b', 16],
      ['c', 8],
    ])
  })
})

it.each([
  {
    what: 'widths',
    keep: (name: string) => keepWidths(name, new Map([['a', 8]])),
    isKept: (name: string) => lastWidths(name).size === 1,
  },
  {
    what: 'sizes',
    keep: (name: string) => keepSize(name, { width: 9, height: 9 }),
    isKept: (name: string) => lastSize(name).width === 9,
  },
])('the $what of 300 tables are kept: those that were used last', ({ keep, isKept }) => {
  for (let index = 0; index < 300; index += 1) keep(`t${index}`)
  keep('t0')
  expect([isKept('t0'), isKept('t1')]).toEqual([true, true])
  keep('t300')
  expect([isKept('t0'), isKept('t1'), isKept('t2'), isKept('t300')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})
