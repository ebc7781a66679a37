import {
  NEW_TRIGGERS,
  stepTriggers,
  type TriggerEvent,
  type TriggerReading,
  type TriggerState,
} from '../domain/changes/change-triggers.ts'
import { measuredLabel } from '../domain/regime/regime.ts'
import { DAY, type Millis } from '../domain/units.ts'
import type { ChangeRow } from '../history/change-events.ts'
import type { ContextStore } from '../history/context-store.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { Clock } from '../lib/clock.ts'
import { forEachInSteps, runCooperatively } from '../lib/process/run-cooperatively.ts'
import type { ContextSnapshot, MarketQuantities } from './snapshot/context-snapshot.ts'

/** A trigger without an event for this long counts as armed again. */
const LOOKBACK = (30 * DAY) as Millis
const BATCH_SIZE = 500

type States = ReadonlyMap<MarketId, TriggerState>

/**
 * Derives change events from the quantities of each new snapshot (methodology F6): volume spikes,
 * wide spreads and changed regimes. `ChangeWatch` handles prices and facts.
 */
export class TriggerWatch {
  readonly #history: Pick<HistoryStore, 'changes'> & Pick<ContextStore, 'newestRegimes'>
  readonly #publish: (changes: readonly ChangeRow[]) => Promise<void>
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>
  #at: Millis | null = null
  /** States before the newest instant, so that it can be recomputed. */
  #previousStates: States = new Map()
  #currentStates: States = new Map()
  /** Emitted events of the newest instant. */
  #reportedKeys = new Set<string>()

  /** @param deps.publish stores events and keeps those that cannot be written yet */
  constructor(deps: {
    history: Pick<HistoryStore, 'changes'> & Pick<ContextStore, 'newestRegimes'>
    publish: (changes: readonly ChangeRow[]) => Promise<void>
    clock: Pick<Clock, 'now' | 'monotonic'>
  }) {
    this.#history = deps.history
    this.#publish = deps.publish
    this.#clock = deps.clock
  }

  /** Emits the events of a snapshot instant; a rebuilt snapshot emits only additional ones. */
  async emitEvents(snapshot: ContextSnapshot): Promise<void> {
    if (this.#at === null || snapshot.at < this.#at) await this.#resume(snapshot.at)
    else if (snapshot.at > this.#at) {
      this.#previousStates = this.#currentStates
      this.#reportedKeys = new Set()
    }
    this.#at = snapshot.at
    const after = new Map<MarketId, TriggerState>()
    const firedTriggers: { market: MarketId; event: TriggerEvent }[] = []
    const read = (quantities: MarketQuantities): void => {
      const { market, facts } = quantities.view
      const state = this.#previousStates.get(market) ?? NEW_TRIGGERS
      const step = stepTriggers(state, readingOf(quantities), facts.ticker, snapshot.at)
      after.set(market, step.state)
      for (const event of step.events) {
        if (!this.#reportedKeys.has(event.id)) firedTriggers.push({ market, event })
      }
    }
    await runCooperatively(forEachInSteps(snapshot.markets.values(), BATCH_SIZE, read), () =>
      this.#clock.monotonic(),
    )
    this.#currentStates = after
    for (const { event } of firedTriggers) this.#reportedKeys.add(event.id)
    const knownAt = this.#clock.now()
    await this.#publish(
      firedTriggers.map(({ market, event }) => ({
        market,
        ...event,
        ...(knownAt > event.at && { knownAt }),
      })),
    )
  }

  /**
   * Restores the states from stored events before `at`. A spike counts as open until the ratio
   * falls.
   */
  async #resume(at: Millis): Promise<void> {
    const [rows, regimes] = await Promise.all([
      this.#history.changes({
        since: (at - LOOKBACK) as Millis,
        asOf: this.#clock.now(),
        types: ['volume_spike', 'spread_change', 'regime_change'],
        markets: null,
        after: null,
        limit: 1_000_000,
      }),
      this.#history.newestRegimes((at - 1) as Millis),
    ])
    const states = new Map<MarketId, TriggerState>()
    for (const { market, label, spread } of regimes) {
      states.set(market, { ...NEW_TRIGGERS, label, spread })
    }
    this.#reportedKeys = new Set(rows.filter((row) => row.at === at).map(({ id }) => id))
    const active = new Set<string>()
    for (const row of rows) {
      const key = `${row.type} ${row.market}`
      if (row.at >= at || active.has(key)) continue
      active.add(key)
      const state = states.get(row.market) ?? NEW_TRIGGERS
      if (row.type === 'volume_spike') states.set(row.market, { ...state, spikeArmed: false })
      if (row.type === 'spread_change') {
        states.set(row.market, { ...state, isWide: row.delta === null || row.delta > 0 })
      }
    }
    this.#previousStates = states
  }
}

const readingOf = ({
  view,
  surprise,
  regime,
  medianSpread7d,
}: MarketQuantities): TriggerReading => ({
  vr: surprise.vr,
  spread: view.hasOrderbook ? view.spread : null,
  medianSpread7d,
  label: measuredLabel(regime),
})
