import { describe, expect, it } from 'vitest'
import { Flashes, FlashGate } from './flash.ts'

it('flashes at most three times in any second', () => {
  const gate = new FlashGate()
  expect([0, 100, 200, 300, 999, 1000, 1050, 1100].map((at) => gate.mayFlash(at))).toEqual([
    true,
    true,
    true,
    false,
    false,
    true,
    false,
    true,
  ])
})

describe('flashes', () => {
  const cell = () => ({ dataset: {} as Record<string, string | undefined> })
  const flashing = () => {
    const waiting: ((now: number) => void)[] = []
    return { waiting, flashes: new Flashes((work) => waiting.push(work)) }
  }

  it('light a cell for 400 ms and then clear it', () => {
    const { waiting, flashes } = flashing()
    const price = cell()
    flashes.light(price, 'up', 0)
    expect(price.dataset['flash']).toBe('up')
    waiting.shift()?.(399)
    expect(price.dataset['flash']).toBe('up')
    waiting.shift()?.(400)
    expect(price.dataset).not.toHaveProperty('flash')
    expect(waiting).toHaveLength(0)
  })

  it('clear expired cells with the next change', () => {
    const { flashes } = flashing()
    const [first, second] = [cell(), cell()]
    flashes.light(first, 'up', 0)
    flashes.light(second, 'down', 450)
    expect(first.dataset).not.toHaveProperty('flash')
    expect(second.dataset['flash']).toBe('down')
  })

  it('restart when a lit cell changes again', () => {
    const { waiting, flashes } = flashing()
    const price = cell()
    flashes.light(price, 'up', 0)
    flashes.light(price, 'down', 300)
    waiting.shift()?.(500)
    expect(price.dataset['flash']).toBe('down')
    waiting.shift()?.(700)
    expect(price.dataset).not.toHaveProperty('flash')
  })

  it('share one timer', () => {
    const { waiting, flashes } = flashing()
    for (let count = 0; count < 50; count += 1) flashes.light(cell(), 'up', count)
    expect(waiting).toHaveLength(1)
  })
})
