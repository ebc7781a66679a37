import type { AlertRule } from '../backend/domain/alerts/alert-rule.ts'
import type { MarketView } from '../backend/computed/board/market-board.ts'
import { createWatch, type Watch } from '../backend/features/watch/watch.ts'
import { createWatchStore } from '../backend/features/watch/watch.store.ts'
import type { Cents } from '../backend/domain/units.ts'
import type { MarketId } from '../backend/history/market-key.ts'
import { createBus } from '../backend/lib/bus.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { createEventOutbox } from '../backend/state/event-outbox.ts'
import { openState, type State } from '../backend/state/open.ts'
import { objectAt, ruleAt } from '../backend/testing/alert-rules.ts'
import { marketView } from '../backend/testing/builders.ts'
import { FakeBoard } from '../backend/testing/fake-board.ts'
import { addUser } from '../backend/testing/users.ts'
import type { BenchRow } from './bench-row.ts'
import { inTurns } from './rounds.ts'

const RULES = 10_000
/** Rules of one user at most. */
const RULES_A_USER = 500
const QUOTES_A_SECOND = 2_000
const SECONDS = 5
/** One quote in so many fires a rule. */
const FIRES_EVERY = 40
const ROUNDS = 9
const QUOTED = 20_000

/** Alerts on quotes at size. */
export async function benchAlerts(): Promise<BenchRow[]> {
  return [await latencyRow(), await elsewhereRow()]
}

interface Desk {
  readonly watch: Watch
  readonly state: State
  /** Publishes a quote of a market at a price in cents. */
  quote(market: number, cents: number): void
  /** Called when a firing was written. */
  onWritten: () => void
  close(): Promise<void>
}

/** Opens the alerts over markets with as many rules, spread over users and markets. */
async function openDesk(rules: number, marketOf: (n: number) => number): Promise<Desk> {
  const state = await openState(':memory:')
  const now = systemClock.now()
  const markets = Math.max(2, RULES)
  const views = new Map<string, MarketView>()
  const byMarket = new Map<number, MarketView>()
  for (let n = 0; n < markets; n += 1) {
    const view = marketView({
      market: n,
      facts: { ticker: tickerOf(n) },
      bid: 40,
      ask: 42,
    })
    views.set(tickerOf(n), view)
    byMarket.set(n, view)
  }
  const board = new FakeBoard([])
  board.market = (ticker) => Promise.resolve(views.get(ticker) ?? null)
  board.live = () => ({ get: (ticker: string) => views.get(ticker) ?? null }) as never
  const outbox = createEventOutbox(false)
  const store = createWatchStore(state, outbox)
  for (let from = 0; from < rules; from += RULES_A_USER) {
    const userId = `usr_${from}`
    await addUser(state, userId)
    for (let n = from; n < Math.min(rules, from + RULES_A_USER); n += 1) {
      const ticker = tickerOf(marketOf(n))
      const object = { ...objectAt(now), id: `wo_${n}`, userId, ref: ticker }
      const rule: AlertRule = {
        ...ruleAt(now, {}),
        id: `ar_${n}`,
        userId,
        objectId: object.id,
        ticker,
        condition: 'price_above',
        threshold: 70,
      }
      await store.put(object, rule)
    }
  }
  const bus = createBus<{
    quote: { market: MarketId }
    quoteConfirmed: { market: MarketId }
    facts: never
  }>((error) => {
    throw error
  })
  const wake = outbox.wake.bind(outbox)
  const desk = { onWritten: (): void => {} }
  outbox.wake = () => {
    desk.onWritten()
    wake()
  }
  const watch = createWatch({
    state,
    board,
    events: bus,
    onSnapshot: () => {},
    outbox,
    endpoints: {
      expectOwn: () => Promise.resolve(),
      isConfigured: () => false,
      test: () => Promise.reject(new Error('nothing is sent')),
    },
    sources: [],
    theses: { ownedThesis: () => Promise.resolve(null) },
    clock: systemClock,
    log: silentLogger,
  })
  await watch.open()
  return Object.assign(desk, {
    watch,
    state,
    quote(market: number, cents: number) {
      const before = byMarket.get(market)
      if (before === undefined) throw new Error('no such market')
      const view = { ...before, price: cents as Cents, quotedAt: systemClock.now() }
      byMarket.set(market, view)
      views.set(tickerOf(market), view)
      bus.publish('quote', { market })
    },
    async close() {
      await watch.close()
      await state.destroy()
    },
  })
}
const tickerOf = (n: number): string => `KXBENCH-${n}`

/** From a quote that crosses a threshold to the stored notice, at 2,000 quotes a second. */
async function latencyRow(): Promise<BenchRow> {
  const desk = await openDesk(RULES, (n) => n)
  try {
    const began: number[] = []
    const spans: number[] = []
    desk.onWritten = () => {
      const at = began.shift()
      if (at !== undefined) spans.push(performance.now() - at)
    }
    const start = performance.now()
    const total = QUOTES_A_SECOND * SECONDS
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, ((performance.now() - start) / 1_000) * QUOTES_A_SECOND)
      for (; sent < due; sent += 1) {
        const fires = sent % FIRES_EVERY === 0
        if (fires) began.push(performance.now())
        desk.quote(sent, fires ? 75 : 41)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await desk.watch.settled()
    const sorted = spans.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN
    if (sorted.length !== total / FIRES_EVERY) throw new Error(`${sorted.length} alerts fired`)
    return {
      name: `alert from quote to stored notice, p99 at ${QUOTES_A_SECOND} quotes/s and ${RULES} rules`,
      ours: Math.round(at(0.99) * 10) / 10,
      baseline: null,
      unit: 'ms',
      ratio: null,
      goal: '≤ 250 ms',
      note: `${sorted.length} alerts, p50 ${at(0.5).toFixed(1)} ms`,
    }
  } finally {
    await desk.close()
  }
}

/** Quotes of markets without rules, with 10,000 rules on others and with none. */
async function elsewhereRow(): Promise<BenchRow> {
  const [loaded, empty] = [
    await openDesk(RULES, (n) => 1 + (n % (RULES - 1))),
    await openDesk(0, (n) => n),
  ]
  try {
    const timed = (desk: Desk) => async () => {
      const began = performance.now()
      for (let n = 0; n < QUOTED; n += 1) desk.quote(0, 40 + (n % 2))
      await desk.watch.settled()
      return performance.now() - began
    }
    const { ours, baseline, ratio, spread } = await inTurns(timed(loaded), timed(empty), ROUNDS)
    return {
      name: `${QUOTED} quotes with ${RULES} rules on other markets, against none`,
      ours: Math.round(ours * 10) / 10,
      baseline: Math.round(baseline * 10) / 10,
      unit: 'ms',
      ratio,
      goal: '≤ 1.1 ×',
      note: `${ROUNDS} rounds, ratio spread ${(spread * 100).toFixed(0)} %`,
    }
  } finally {
    await loaded.close()
    await empty.close()
  }
}
