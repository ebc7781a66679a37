import { beforeEach, describe, expect, it } from 'vitest'
import { QUARTER_HOUR } from '../domain/changes/change-rows.ts'
import type { RegimeSide } from '../domain/regime/label.ts'
import type { Cents, Millis } from '../domain/units.ts'
import type { ChangeRow } from '../history/change-events.ts'
import { marketView, NOON } from '../testing/builders.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { fakeHistory } from '../testing/fake-history.ts'
import { marketQuantities, contextSnapshotOf } from '../testing/snapshot-builders.ts'
import type { ContextSnapshot } from './snapshot/context-snapshot.ts'
import { TriggerWatch } from './trigger-watch.ts'

const view = marketView({ facts: { ticker: 'KXT' } })
const instant = (quarters: number): Millis => (NOON + quarters * QUARTER_HOUR) as Millis

/** A snapshot `quarters` quarter hours after noon with one market of these quantities. */
function snapshot(
  quarters: number,
  given: { vr?: number; spread?: number; label?: RegimeSide } = {},
): ContextSnapshot {
  const { vr = 0, spread = 2, label = 'neutral' } = given
  const at = instant(quarters)
  const market = marketQuantities(
    {
      view: { ...view, spread: spread as Cents },
      surprise: { vr, expectedVr: null, residualVr: null },
      medianSpread7d: 2 as Cents,
    },
    at,
  )
  const regime = market.regime === null ? null : { ...market.regime, label }
  return contextSnapshotOf([{ ...market, regime }], { at })
}

describe('change events of snapshots', () => {
  let emitted: ChangeRow[]
  let clock: FakeClock
  let history: ReturnType<typeof fakeHistory>
  let watch: TriggerWatch
  const start = (): void => {
    watch = new TriggerWatch({
      history,
      clock,
      publish(changes) {
        emitted.push(...changes)
        return Promise.resolve()
      },
    })
  }
  /** Snapshots are ready two seconds after their instant. */
  const note = async (next: ContextSnapshot): Promise<void> => {
    await clock.advance(next.at + 2_000 - clock.now())
    await watch.emitEvents(next)
  }
  const types = () => emitted.map(({ type, at }) => [type, (at - NOON) / QUARTER_HOUR])
  beforeEach(() => {
    emitted = []
    clock = new FakeClock()
    history = fakeHistory({ views: [view], changes: emitted })
    start()
  })

  // [markets.changes.volume-spike]
  it('emits a volume spike once, and again after it was over', async () => {
    for (const [i, vr] of [0.5, 3.25, 4, 1.4, 3].entries()) await note(snapshot(i, { vr }))
    expect(types()).toEqual([
      ['volume_spike', 1],
      ['volume_spike', 4],
    ])
    expect(emitted[0]).toMatchObject({
      market: view.market,
      before: 0.5,
      after: 3.25,
      delta: 2.75,
      knownAt: instant(1) + 2_000,
    })
  })

  // [markets.changes.spread-change]
  it('emits a spread that became wide and is normal again', async () => {
    for (const [i, spread] of [2, 6, 6, 2].entries()) await note(snapshot(i, { spread }))
    expect(emitted.map(({ type, before, after }) => [type, before, after])).toEqual([
      ['spread_change', 2, 6],
      ['spread_change', 6, 2],
    ])
  })

  // [markets.changes.regime-change]
  it('emits a regime that changed', async () => {
    for (const [i, label] of (['neutral', 'neutral', 'taker'] as const).entries()) {
      await note(snapshot(i, { label }))
    }
    expect(emitted).toMatchObject([
      { type: 'regime_change', before: 'neutral', after: 'taker', delta: null, at: instant(2) },
    ])
  })

  it('emits only additional events when a snapshot is rebuilt', async () => {
    await note(snapshot(0))
    await note(snapshot(1, { vr: 5 }))
    await watch.emitEvents(snapshot(1, { vr: 5 }))
    await watch.emitEvents(snapshot(1, { vr: 5, spread: 9 }))
    expect(types()).toEqual([
      ['volume_spike', 1],
      ['spread_change', 1],
    ])
    expect(new Set(emitted.map(({ id }) => id)).size).toBe(2)
  })

  it('continues after a restart, also within one quarter hour', async () => {
    await note(snapshot(0))
    await note(snapshot(1, { vr: 5, spread: 9, label: 'taker' }))
    await history.appendContext({
      regimes: [
        {
          market: view.market,
          at: instant(1),
          score: 0.7,
          label: 'taker',
          alpha: null,
          trades: 9,
          spread: 9 as Cents,
          bidDepthUsd: null,
          askDepthUsd: null,
          volume24h: null,
        },
      ],
    })
    const first = [...emitted]
    start()
    await watch.emitEvents(snapshot(1, { vr: 5, spread: 9, label: 'taker' }))
    expect(emitted).toEqual(first)
    start()
    await note(snapshot(2, { vr: 5, spread: 9, label: 'taker' }))
    expect(emitted).toEqual(first)
    await note(snapshot(3, { vr: 1, spread: 2, label: 'neutral' }))
    await note(snapshot(4, { vr: 4 }))
    expect(types().slice(first.length)).toEqual([
      ['spread_change', 3],
      ['regime_change', 3],
      ['volume_spike', 4],
    ])
  })

  it('starts from emitted events when the clock was set back', async () => {
    await note(snapshot(0))
    await note(snapshot(1, { vr: 5 }))
    await note(snapshot(2))
    await watch.emitEvents(snapshot(1, { vr: 5 }))
    await watch.emitEvents(snapshot(2, { vr: 5 }))
    expect(types()).toEqual([['volume_spike', 1]])
  })
})
