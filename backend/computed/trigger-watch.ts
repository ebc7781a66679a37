import {
  NEW_TRIGGERS,
  stepTriggers,
  type TriggerEvent,
  type TriggerReading,
  type TriggerState,
} from '../domain/change-triggers.ts'
import { DAY, type Millis } from '../domain/units.ts'
import type { ChangeRow } from '../history/change-events.ts'
import type { ContextStore } from '../history/context-store.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { Clock } from '../lib/clock.ts'
import { eachOf, inSlices } from '../lib/slices.ts'
import type { Grid, GridMarket } from './grid/grid.ts'

/** A trigger that was told longer ago is taken for armed again. */
const REMEMBERED = (30 * DAY) as Millis
const AT_ONCE = 500

type States = ReadonlyMap<MarketId, TriggerState>

/**
 * Turns the quantities of each new grid into change events (methodology F6): volume spikes, wide
 * spreads and changed regimes. Prices and facts are watched by `ChangeWatch`.
 */
export class TriggerWatch {
  readonly #history: Pick<HistoryStore, 'changes'> & Pick<ContextStore, 'newestRegimes'>
  readonly #publish: (changes: readonly ChangeRow[]) => Promise<void>
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>
  #at: Millis | null = null
  /** States before the newest instant, from which it can be worked out anew. */
  #before: States = new Map()
  #after: States = new Map()
  /** Events of the newest instant that were told. */
  #told = new Set<string>()

  /** @param deps.publish stores events; it keeps those that cannot be written yet */
  constructor(deps: {
    history: Pick<HistoryStore, 'changes'> & Pick<ContextStore, 'newestRegimes'>
    publish: (changes: readonly ChangeRow[]) => Promise<void>
    clock: Pick<Clock, 'now' | 'monotonic'>
  }) {
    this.#history = deps.history
    this.#publish = deps.publish
    this.#clock = deps.clock
  }

  /** Tells what became true at a grid instant; a grid made anew tells only what it adds. */
  async note(grid: Grid): Promise<void> {
    if (this.#at === null || grid.at < this.#at) await this.#resume(grid.at)
    else if (grid.at > this.#at) {
      this.#before = this.#after
      this.#told = new Set()
    }
    this.#at = grid.at
    const after = new Map<MarketId, TriggerState>()
    const found: { market: MarketId; event: TriggerEvent }[] = []
    const read = (one: GridMarket): void => {
      const { market, facts } = one.view
      const state = this.#before.get(market) ?? NEW_TRIGGERS
      const step = stepTriggers(state, readingOf(one), facts.ticker, grid.at)
      after.set(market, step.state)
      for (const event of step.events) {
        if (!this.#told.has(event.id)) found.push({ market, event })
      }
    }
    await inSlices(eachOf(grid.markets.values(), AT_ONCE, read), () => this.#clock.monotonic())
    this.#after = after
    for (const { event } of found) this.#told.add(event.id)
    const knownAt = this.#clock.now()
    await this.#publish(
      found.map(({ market, event }) => ({
        market,
        ...event,
        ...(knownAt > event.at && { knownAt }),
      })),
    )
  }

  /** Takes up what was told before `at`. A spike counts as lasting until it is seen to be over. */
  async #resume(at: Millis): Promise<void> {
    const [rows, regimes] = await Promise.all([
      this.#history.changes({
        since: (at - REMEMBERED) as Millis,
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
    this.#told = new Set(rows.filter((row) => row.at === at).map(({ id }) => id))
    const known = new Set<string>()
    for (const row of rows) {
      const key = `${row.type} ${row.market}`
      if (row.at >= at || known.has(key)) continue
      known.add(key)
      const state = states.get(row.market) ?? NEW_TRIGGERS
      if (row.type === 'volume_spike') states.set(row.market, { ...state, spikeArmed: false })
      if (row.type === 'spread_change') {
        states.set(row.market, { ...state, isWide: row.delta === null || row.delta > 0 })
      }
    }
    this.#before = states
  }
}

const readingOf = ({ view, surprise, regime, medianSpread7d }: GridMarket): TriggerReading => ({
  vr: surprise.vr,
  spread: view.hasOrderbook ? view.spread : null,
  medianSpread7d,
  label: regime?.label ?? null,
})
