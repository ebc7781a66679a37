import { beforeEach, describe, expect, it } from 'vitest'
import { GRID } from '../domain/change-rows.ts'
import type { RegimeLabel } from '../domain/regime-label.ts'
import type { Cents, Millis } from '../domain/units.ts'
import type { ChangeRow } from '../history/change-events.ts'
import { marketView, NOON } from '../testing/builders.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { gridMarket, gridOf } from '../testing/grid-builders.ts'
import type { Grid } from './grid/grid.ts'
import { TriggerWatch } from './trigger-watch.ts'

const view = marketView({ facts: { ticker: 'KXT' } })
const instant = (quarters: number): Millis => (NOON + quarters * GRID) as Millis

/** A grid so many quarters after noon with one market of these quantities. */
function grid(
  quarters: number,
  given: { vr?: number; spread?: number; label?: RegimeLabel } = {},
): Grid {
  const { vr = 0, spread = 2, label = 'neutral' } = given
  const at = instant(quarters)
  const market = gridMarket(
    {
      view: { ...view, spread: spread as Cents },
      surprise: { vr, expectedVr: null, residualVr: null },
      medianSpread7d: 2 as Cents,
    },
    at,
  )
  const regime = market.regime === null ? null : { ...market.regime, label }
  return gridOf([{ ...market, regime }], { at })
}

describe('change events of grids', () => {
  let told: ChangeRow[]
  let clock: FakeClock
  let history: ReturnType<typeof fakeHistory>
  let watch: TriggerWatch
  const start = (): void => {
    watch = new TriggerWatch({
      history,
      clock,
      publish(changes) {
        told.push(...changes)
        return Promise.resolve()
      },
    })
  }
  /** Grids stand two seconds after their instant. */
  const note = async (next: Grid): Promise<void> => {
    await clock.advance(next.at + 2_000 - clock.now())
    await watch.note(next)
  }
  const types = () => told.map(({ type, at }) => [type, (at - NOON) / GRID])
  beforeEach(() => {
    told = []
    clock = new FakeClock()
    history = fakeHistory({ views: [view], changes: told })
    start()
  })

  // [markets.changes.volume-spike]
  it('tells a volume spike once, and again after it was over', async () => {
    for (const [i, vr] of [0.5, 3.25, 4, 1.4, 3].entries()) await note(grid(i, { vr }))
    expect(types()).toEqual([
      ['volume_spike', 1],
      ['volume_spike', 4],
    ])
    expect(told[0]).toMatchObject({
      market: view.market,
      before: 0.5,
      after: 3.25,
      delta: 2.75,
      knownAt: instant(1) + 2_000,
    })
  })

  // [markets.changes.spread-change]
  it('tells a spread that became wide and is back', async () => {
    for (const [i, spread] of [2, 6, 6, 2].entries()) await note(grid(i, { spread }))
    expect(told.map(({ type, before, after }) => [type, before, after])).toEqual([
      ['spread_change', 2, 6],
      ['spread_change', 6, 2],
    ])
  })

  // [markets.changes.regime-change]
  it('tells a regime that became another', async () => {
    for (const [i, label] of (['neutral', 'neutral', 'taker'] as const).entries()) {
      await note(grid(i, { label }))
    }
    expect(told).toMatchObject([
      { type: 'regime_change', before: 'neutral', after: 'taker', delta: null, at: instant(2) },
    ])
  })

  it('tells nothing twice when a grid is made anew, but what it adds', async () => {
    await note(grid(0))
    await note(grid(1, { vr: 5 }))
    await watch.note(grid(1, { vr: 5 }))
    await watch.note(grid(1, { vr: 5, spread: 9 }))
    expect(types()).toEqual([
      ['volume_spike', 1],
      ['spread_change', 1],
    ])
    expect(new Set(told.map(({ id }) => id)).size).toBe(2)
  })

  it('goes on after a restart where it stopped, also within one quarter hour', async () => {
    await note(grid(0))
    await note(grid(1, { vr: 5, spread: 9, label: 'taker' }))
    await history.appendContext({
      regimes: [
        {
          ...{ market: view.market, at: instant(1), score: 0.7, label: 'taker', alpha: null },
          ...{ trades: 9, spread: 9 as Cents, bidDepthUsd: null, askDepthUsd: null },
          volume24h: null,
        },
      ],
    })
    const first = [...told]
    start()
    await watch.note(grid(1, { vr: 5, spread: 9, label: 'taker' }))
    expect(told).toEqual(first)
    start()
    await note(grid(2, { vr: 5, spread: 9, label: 'taker' }))
    expect(told).toEqual(first)
    await note(grid(3, { vr: 1, spread: 2, label: 'neutral' }))
    await note(grid(4, { vr: 4 }))
    expect(types().slice(first.length)).toEqual([
      ['spread_change', 3],
      ['regime_change', 3],
      ['volume_spike', 4],
    ])
  })

  it('starts from what was told when the clock was set back', async () => {
    await note(grid(0))
    await note(grid(1, { vr: 5 }))
    await note(grid(2))
    await watch.note(grid(1, { vr: 5 }))
    await watch.note(grid(2, { vr: 5 }))
    expect(types()).toEqual([['volume_spike', 1]])
  })
})
