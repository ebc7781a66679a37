import { describe, expect, it } from 'vitest'
import { EventLines, type Instant } from './event-lines.ts'
import type { PlacedMark } from './mark-kinds.ts'
import type { DrawTarget } from './underlay.ts'

const HEIGHT = 100

const named = (...instants: readonly Omit<Instant, 'id' | 'isMinor'>[]): readonly Instant[] =>
  instants.map((instant) => ({ ...instant, id: instant.label, isMinor: false }))

/**
 * Draws instants over slots of 10 px and one minute, with the middle of the first at the time 0; returns the calls of
 * the canvas in order.
 */
function drawn(
  instants: readonly Instant[],
  { width = 400, hasAxis = true, onplaced = (_places: readonly PlacedMark[]) => {} } = {},
): string[] {
  const calls: string[] = []
  const context = new Proxy<Record<string, unknown>>(
    {},
    {
      get:
        (_target, name) =>
        (...args: readonly unknown[]) =>
          calls.push(`${String(name)} ${args.join(' ')}`.trim()),
      set: (target, name, value) => {
        target[String(name)] = value
        calls.push(`${String(name)}=${String(value)}`)
        return true
      },
    },
  )
  const lines = new EventLines(onplaced)
  lines.attached({
    chart: { timeScale: () => ({ logicalToCoordinate: (slot: number) => slot * 10 }) },
    requestUpdate: () => {},
  } as never)
  lines.colour({ line: 'red', font: 'Sans' })
  lines.setInstants(instants)
  lines.measure(hasAxis ? { start: -30, seconds: 60 } : null)
  lines.draw({
    useMediaCoordinateSpace: (draw: (space: object) => void) =>
      draw({ context, mediaSize: { width, height: HEIGHT } }),
  } as unknown as DrawTarget)
  return calls
}
const texts = (calls: readonly string[]) => calls.filter((call) => call.startsWith('fillText'))
const moved = (calls: readonly string[]) => calls.filter((call) => call.endsWith(' 0'))

describe('lines of events', () => {
  it('are drawn at their instants, each with a diamond and its label', () => {
    const calls = drawn(named({ time: 600, label: 'CPI' }))
    expect(calls).toEqual([
      'save',
      'strokeStyle=red',
      'fillStyle=red',
      'font=10px Sans',
      'textBaseline=bottom',
      'setLineDash 4,4',
      'beginPath',
      'moveTo 100 0',
      'lineTo 100 100',
      'stroke',
      'beginPath',
      'moveTo 100 90',
      'lineTo 104 94',
      'lineTo 100 98',
      'lineTo 96 94',
      'fill',
      'textAlign=left',
      'fillText CPI 107 98',
      'restore',
    ])
  })

  it('are in order of time, and omit labels that would overlap', () => {
    const calls = drawn(
      named(
        { time: 1_200, label: 'third' },
        { time: 600, label: 'first' },
        { time: 900, label: 'second' },
      ),
    )
    expect(moved(calls)).toEqual(['moveTo 100 0', 'moveTo 150 0', 'moveTo 200 0'])
    expect(texts(calls)).toEqual(['fillText first 107 98', 'fillText third 207 98'])
  })

  it('are within the bar of their instant', () => {
    // The bar of the minute from 570 to 630 is drawn from 95 to 105.
    const [early, late] = [571, 629].map((time) => moved(drawn(named({ time, label: '' })))[0])
    expect([early, late].map((call) => Math.round(Number(call?.split(' ')[1])))).toEqual([95, 105])
  })

  it('have their label on the left at the right edge', () => {
    const calls = drawn(named({ time: 2_340, label: 'late' }))
    expect(calls).toContain('textAlign=right')
    expect(texts(calls)).toEqual(['fillText late 383 98'])
  })

  it('are drawn inside the chart only', () => {
    const times = [-60, 0, 2_400, 2_460]
    expect(moved(drawn(named(...times.map((time) => ({ time, label: '' })))))).toEqual([
      'moveTo 0 0',
      'moveTo 400 0',
    ])
  })

  it('report the places of their diamonds, without those outside [terminal.chart.marks]', () => {
    const placed: unknown[] = []
    const onplaced = (places: readonly PlacedMark[]) => void placed.push(places)
    drawn(named({ time: 600, label: 'CPI' }, { time: 6_000, label: 'late' }), { onplaced })
    expect(placed).toEqual([[{ id: 'CPI', x: 100, y: 94 }]])
  })

  it('of minor events are diamonds without line and label', () => {
    const calls = drawn([{ id: 'm', time: 600, label: 'move', isMinor: true }])
    expect([moved(calls), texts(calls), calls.filter((call) => call === 'fill')]).toEqual([
      [],
      [],
      ['fill'],
    ])
  })

  it('are absent without an axis and without instants', () => {
    expect(drawn(named({ time: 600, label: 'CPI' }), { hasAxis: false })).toEqual([])
    expect(drawn([])).toEqual([])
  })
})
