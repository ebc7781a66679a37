import { beforeEach, describe, expect, it } from 'vitest'
import { TakenLevels } from './taken-levels.ts'

let taken: TakenLevels
/** Of the level at 40 of market 3, which shows `displayed`. */
const remaining = (displayed = 100): number => taken.remaining(3, 'asks', 40, displayed)
const take = (size: number, displayed = 100): void => taken.consume(3, 'asks', 40, displayed, size)
/** The book of market 3 shows `displayed` at 40 and nothing elsewhere. */
const show = (displayed: number): boolean =>
  taken.update(3, (side, price) => (side === 'asks' && price === 40 ? displayed : 0))

beforeEach(() => {
  taken = new TakenLevels()
})

it('leaves the rest of a level that was taken from', () => {
  expect(remaining()).toBe(100)
  take(30)
  take(50)
  expect(remaining()).toBe(20)
  expect(remaining(15)).toBe(15)
})

it('leaves other prices, sides and markets as they are shown', () => {
  take(30)
  expect(taken.remaining(3, 'asks', 41, 100)).toBe(100)
  expect(taken.remaining(3, 'bids', 40, 100)).toBe(100)
  for (const market of [1, 2, 4, 5]) {
    for (const side of ['bids', 'asks'] as const) {
      expect(taken.remaining(market, side, 40, 100)).toBe(100)
    }
  }
  taken.consume(3, 'asks', 41, 70, 10)
  expect([remaining(), taken.remaining(3, 'asks', 41, 70)]).toEqual([70, 60])
})

describe('after a change of the book', () => {
  it.each([
    ['the same size', 100, 20, true],
    ['a larger size', 101, 101, false],
    ['a smaller size above the rest', 21, 21, false],
    ['the rest', 20, 20, true],
    ['less than the rest', 5, 5, true],
    ['nothing', 0, 100, false],
  ])('remembers a taken size where the level shows %s', (_what, displayed, rest, isLeft) => {
    take(80)
    expect(show(displayed)).toBe(isLeft)
    expect(remaining(displayed === 0 ? 100 : displayed)).toBe(rest)
  })

  it('remembers less than the rest as the size that is shown now', () => {
    take(80)
    show(10)
    expect(show(20)).toBe(false)
    expect(remaining(20)).toBe(20)
  })

  it('remembers one level when another is replaced', () => {
    take(80)
    taken.consume(3, 'asks', 41, 50, 10)
    expect(taken.update(3, (side, price) => (side === 'bids' ? 0 : price === 40 ? 200 : 50))).toBe(
      true,
    )
    expect([remaining(200), taken.remaining(3, 'asks', 41, 50)]).toEqual([200, 40])
  })

  it('remembers the levels of both sides, each by itself', () => {
    take(80)
    taken.consume(3, 'bids', 30, 50, 50)
    expect(taken.update(3, (side) => (side === 'bids' ? 50 : 0))).toBe(true)
    expect([remaining(), taken.remaining(3, 'bids', 30, 50)]).toEqual([100, 0])
  })
})
