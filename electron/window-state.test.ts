import fc from '../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  fitToDisplays,
  readWindowState,
  saveWindowState,
  MIN_SIZE,
  type Bounds,
} from './window-state.ts'

const LAPTOP = { x: 0, y: 25, width: 1440, height: 850 }
const WALL = { x: 1440, y: 0, width: 2560, height: 1400 }
const saved = (bounds: Bounds, isMaximized = false) => ({ bounds, isMaximized })

describe('fitToDisplays', () => {
  it('opens centred the first time', () => {
    const display = { x: 100, y: 50, width: 1640, height: 1100 }
    expect(fitToDisplays(null, [display]).bounds).toEqual({
      x: 200,
      y: 150,
      width: 1440,
      height: 900,
    })
  })

  it('opens where it was, on a second display too', () => {
    const bounds = { x: 1600, y: 100, width: 1200, height: 900 }
    expect(fitToDisplays(saved(bounds, true), [LAPTOP, WALL])).toEqual(saved(bounds, true))
  })

  it('moves to the primary display when its display is gone', () => {
    const bounds = { x: 1600, y: 100, width: 1200, height: 800 }
    const home = { x: 120, y: 50, width: 1200, height: 800 }
    expect(fitToDisplays(saved(bounds), [LAPTOP]).bounds).toEqual(home)
  })

  it('moves to the primary display when the title bar is above or beside every display', () => {
    for (const [x, y] of [
      [0, -500],
      [-1190, 100],
      [1430, 100],
      [0, 870],
    ] as const) {
      const { bounds } = fitToDisplays(saved({ x, y, width: 1200, height: 800 }), [LAPTOP])
      expect(bounds).toEqual({ x: 120, y: 50, width: 1200, height: 800 })
    }
  })

  it('moves to the primary display when resizing to its display would leave it unreachable', () => {
    const { bounds } = fitToDisplays(saved({ x: -1001, y: 0, width: 2561, height: 0 }), [
      LAPTOP,
      WALL,
    ])
    expect(bounds).toEqual({ x: 0, y: 210, width: 1440, height: 480 })
  })

  it('always keeps a title bar that can be dragged', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 })
    const bounds = fc.record({ x: number, y: number, width: number, height: number })
    fc.assert(
      fc.property(bounds, (wild) => {
        const fitted = fitToDisplays(saved(wild), [LAPTOP, WALL]).bounds
        const isCaught = [LAPTOP, WALL].some(
          (display) =>
            fitted.y >= display.y &&
            fitted.y + 32 <= display.y + display.height &&
            Math.min(fitted.x + fitted.width, display.x + display.width) -
              Math.max(fitted.x, display.x) >=
              120,
        )
        expect(isCaught).toBe(true)
        expect(fitted.width).toBeGreaterThanOrEqual(MIN_SIZE.width)
        expect(fitted.height).toBeGreaterThanOrEqual(MIN_SIZE.height)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('readWindowState', () => {
  it('reads what was written', () => {
    const state = saved({ x: 1, y: 2, width: 800, height: 600 }, true)
    expect(readWindowState(JSON.stringify(state))).toEqual(state)
  })

  it.each([
    null,
    '',
    'null',
    '[]',
    '{"bounds":{"x":1}}',
    '{"bounds":{"x":1,"y":2,"width":"a","height":3}}',
  ])('ignores %s', (text) => {
    expect(readWindowState(text)).toBeNull()
  })
})

describe('saveWindowState', () => {
  const state = saved({ x: 10, y: 40, width: 900, height: 700 }, true)

  it('writes what readWindowState reads, and ignores a folder that cannot be written', () => {
    const folder = mkdtempSync(join(tmpdir(), 'augury-window-'))
    const path = join(folder, 'window.json')
    saveWindowState(path, state)
    expect(readWindowState(readFileSync(path, 'utf8'))).toEqual(state)
    rmSync(folder, { recursive: true })
    expect(() => saveWindowState(path, state)).not.toThrow()
  })
})
