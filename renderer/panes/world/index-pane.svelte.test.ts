import '../../testing/set-up-page.ts'
import { screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cells, column, press, shownPane } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import IndexPane from './IndexPane.svelte'

/** jsdom has no canvas: the charts record their plans and the function that receives the pointer. */
const charts = vi.hoisted(() => ({
  plans: [] as { readonly times: readonly number[] }[],
  point: [] as ((index: number | null) => void)[],
}))
vi.mock('../../charts/time-lines.ts', () => ({
  drawTimeLines: (_host: unknown, _colours: unknown, point: (index: number | null) => void) => {
    charts.point.push(point)
    return {
      show: (plan: { readonly times: readonly number[] }) => charts.plans.push(plan),
      colour() {},
      resize() {},
      remove() {},
    }
  },
}))

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  charts.plans.length = 0
  charts.point.length = 0
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const head = (label = 'World') => ({
  asOf: AT,
  sinceBaseline: AT,
  baselineReason: 'last 12h',
  region: { path: [], label, parentUrl: null },
  regime: { label: 'Steady', signals: {} },
})
const unknown = { value: null, disagreement: null, geoRisk: null, breadth: null, activity: null }

describe('the gauges', () => {
  const point = (at: string, value: number | null) => ({
    at: `2026-11-20T${at}:00.000Z`,
    value,
    disagreement: null,
    geoRisk: 20,
    breadth: -0.25,
    activity: value,
  })
  const points = Array.from({ length: 13 }, (_, index) =>
    point(`${String(index).padStart(2, '0')}:00`, index),
  )
  const index = {
    ...unknown,
    value: 12,
    geoRisk: 20,
    breadth: -0.25,
    delta24h: 3,
    components: { breadthUp: 4, unnamed: null },
    timestamp: AT,
    dataNote: 'one day of history only',
  }
  const body = (path: string): object | null => {
    if (path.includes('/index/history')) return { points, stepSeconds: 3_600 }
    if (path.includes('op=history')) return { ...head(), history: { points, stepSeconds: 3_600 } }
    if (path.includes('/api/public/index')) return index
    return { ...head('Oil'), index: { ...index, delta24h: null }, salient: [], childRegions: [] }
  }
  const legend = () =>
    document.querySelector('.chart-legend')?.textContent.replace(/\s+/g, ' ').trim()

  it('are read at the newest point, at those that arrow keys reach, and under the pointer', async () => {
    const { keys, stop } = await shownPane('IDX', IndexPane, body)
    expect(legend()).toMatch(/Index 12 Disagreement – Geo risk 20 Activity 12 Breadth −0\.25$/)
    await keys('ArrowRight')
    expect(legend()).toMatch(/Index 12 /)
    await keys('ArrowLeft', 'ArrowLeft')
    expect(legend()).toMatch(/Index 10 /)
    await keys('ArrowRight')
    expect(legend()).toMatch(/Index 11 /)
    await keys('0')
    expect(legend()).toMatch(/Index 12 /)
    await vi.dynamicImportSettled()
    await pass(20)
    expect(charts.point).toHaveLength(2)
    for (const move of charts.point) {
      move(3)
      await pass(20)
      expect(legend()).toMatch(/Index 3 /)
      move(null)
      await pass(20)
      expect(legend()).toMatch(/Index 12 /)
    }
    stop()
  })

  it('move by ten points with Shift, up to the ends', async () => {
    const { terminal, pane, stop } = await shownPane('IDX', IndexPane, body)
    const shift = async (key: string) => {
      const event = new KeyboardEvent('keydown', { key, shiftKey: true })
      terminal.keys.handle(event, [`pane:${pane.id}`])
      await pass(50)
    }
    await shift('ArrowLeft')
    expect(legend()).toMatch(/Index 2 /)
    await shift('ArrowLeft')
    expect(legend()).toMatch(/Index 0 /)
    await shift('ArrowRight')
    expect(legend()).toMatch(/Index 10 /)
    await shift('ArrowRight')
    expect(legend()).toMatch(/Index 12 /)
    stop()
  })

  it('are shown over a shorter or longer period, to the ends of the list, back at the newest point', async () => {
    const { keys, pane, requested, stop } = await shownPane('IDX', IndexPane, body)
    expect(requested.at(-1)).toContain('/index/history?days=7')
    await keys('ArrowLeft', ']')
    expect(pane.line).toBe('IDX 30d')
    await pass(500)
    expect(requested.at(-1)).toContain('/index/history?days=30')
    expect(legend()).toMatch(/Index 12 /)
    await keys(']', ']')
    expect(pane.line).toBe('IDX 90d')
    await keys('[', '[', '[', '[', '[')
    expect(pane.line).toBe('IDX 6h')
    await press('24h')
    expect(pane.line).toBe('IDX 24h')
    expect(screen.getByRole('button', { name: '24h' }).getAttribute('aria-pressed')).toBe('true')
    stop()
  })

  it('have a period outside of the list, from which both keys lead to its second', async () => {
    for (const key of ['[', ']']) {
      const { keys, pane, stop } = await shownPane('IDX 36h', IndexPane, body)
      await keys(key)
      expect(pane.line).toBe('IDX 24h')
      stop()
    }
  })

  it('name their values, the day, the note and the components', async () => {
    const { keys, ran, prefilled, stop } = await shownPane('IDX', IndexPane, body)
    const text = document.body.textContent.replace(/\s+/g, ' ')
    expect(text).toContain('World 12 +3 in 24h')
    expect(text).toContain('Note: one day of history only')
    expect(text).toMatch(/Rose by 10¢ ?4/)
    expect(text).toMatch(/unnamed ?–/)
    const of = (label: string) =>
      [...document.querySelectorAll('.gauge')].find((gauge) => gauge.textContent.includes(label))
    expect(of('Disagreement')?.querySelector('svg')).toBeNull()
    expect(of('Disagreement')?.getAttribute('title')).toBe('one day of history only')
    const part = (label: string) => {
      const bar = of(label)?.querySelector('rect.part')
      return [bar?.getAttribute('x'), bar?.getAttribute('width')]
    }
    expect(part('Geo risk')).toEqual(['0', '40'])
    // A bar to the left of the middle.
    expect(part('Breadth')).toEqual(['75', '25'])
    await keys('f', 'w')
    expect(prefilled).toEqual([['IDX ']])
    expect(ran).toEqual([['WORLD']])
    stop()
  })

  it('of a theme are those of its region', async () => {
    const { keys, ran, requested, stop } = await shownPane('IDX oil', IndexPane, body)
    expect(requested.filter((path) => path.startsWith('/api/public/index?'))).toEqual([])
    expect(requested.some((path) => path.includes('op=snapshot'))).toBe(true)
    expect(document.body.textContent).not.toContain('in 24h')
    expect(screen.getByText('Oil')).toBeTruthy()
    await keys('w')
    expect(ran).toEqual([['WORLD oil']])
    stop()
  })

  it('of the world are requested without its region', async () => {
    const { requested, stop } = await shownPane('IDX', IndexPane, body)
    expect(requested.some((path) => path.includes('op=snapshot'))).toBe(false)
    stop()
  })

  it('are listed newest first', async () => {
    const { keys, stop } = await shownPane('IDX', IndexPane, body)
    await keys('t')
    expect(column(1).slice(0, 3)).toEqual(['12', '11', '10'])
    expect(cells().slice(1, 6)).toEqual(['12', '–', '20', '−0.25', '12'])
    expect(await tableColumns()).toBe(
      'Time | Index, right | Disagr., right | Geo risk, right | Breadth, right | Activity, right',
    )
    stop()
  })

  it('without a known value have no chart, with one of breadth they have', async () => {
    const none = (more: object) => (path: string) => {
      const known = { ...points[0], ...unknown, ...more }
      return path.includes('/index/history') ? { points: [known], stepSeconds: 3_600 } : body(path)
    }
    const empty = await shownPane('IDX', IndexPane, none({ geoRisk: 4 }))
    expect(screen.getByText(/^No gauge values in this period/)).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'History of the gauges' })).toBeNull()
    empty.stop()
    const breadth = await shownPane('IDX', IndexPane, none({ breadth: 0 }))
    expect(screen.getByRole('region', { name: 'History of the gauges' })).toBeTruthy()
    breadth.stop()
  })

  it('are not moved where there is no point', async () => {
    const { keys, stop } = await shownPane('IDX', IndexPane, (path) =>
      path.includes('/index/history') ? { points: [], stepSeconds: 3_600 } : body(path),
    )
    await keys('ArrowLeft')
    expect(legend()).toBeUndefined()
    stop()
  })
})
