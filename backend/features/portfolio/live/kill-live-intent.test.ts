import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { scaled } from '../../../../scripts/properties.ts'
import type { ServedIntent } from '../../../contract/orders/intents.ts'
import type { ServedTick } from '../../../contract/orders/ticks.ts'
import type { ServedEntry } from '../../../contract/portfolio.ts'
import { DEFAULT_CONFIG } from '../../../domain/portfolio/config.ts'
import { unreadAccount } from '../../../domain/portfolio/live-account.ts'
import { systemClock } from '../../../lib/clock.ts'
import { createSimulator } from '../../../simulator/simulator.ts'
import { openState } from '../../../state/open.ts'
import { BOOKING_STEPS, KILL_STEPS } from '../../../testing/dying-client.ts'
import {
  hastyClock,
  openLivePilot,
  type LiveIntentRun,
} from '../../../testing/live-intent-process.ts'
import { tradableMarket } from '../../../testing/trading-accounts.ts'
import { SIMULATED_PEM, simulatedAccounts } from '../../../testing/trading-credentials.ts'
import { OPEN_LIMITS } from '../../../testing/trading-service.ts'
import { addUser } from '../../../testing/users.ts'
import type { TradingVenue } from '../../../venues/trading.ts'
import { createPortfolioStore } from '../portfolio.store.ts'
import { VENUES_EXCHANGE } from './live-exchange.ts'

const USER = 'usr_autopilot'
const SCRIPT = new URL('../../../testing/live-intent-process.ts', import.meta.url).pathname
const CONTRACTS = 2
/** The answer is stored before fills are read. */
const STEPS = [...KILL_STEPS.filter((step) => step !== 'stored'), ...BOOKING_STEPS]

/** A user who confirmed live trading. */
async function prepare(file: string): Promise<void> {
  const state = await openState(file)
  await addUser(state, USER)
  const config = { ...DEFAULT_CONFIG, ...OPEN_LIMITS, executionMode: 'live' as const }
  const live = [{ ...unreadAccount(VENUES_EXCHANGE), isConfirmed: true }]
  await createPortfolioStore(state).change(USER, { config, live }, systemClock.now())
  await state.destroy()
}

/** A simulated venue, a user who trades there, and the run of a process that does. */
async function openVenue(venue: TradingVenue) {
  const accounts = simulatedAccounts(100_000_000_000)
  const time = { offset: 0 }
  const clock = hastyClock(() => time.offset)
  const sim = await createSimulator({ seed: 7, markets: 600, clock, accounts })
  onTestFinished(() => sim.close())
  const folder = await mkdtemp(join(tmpdir(), 'augury-intents-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'state.sqlite')
  await prepare(file)
  const market = tradableMarket(sim, venue, 20)
  const run = (changes: Pick<LiveIntentRun, 'killAt'> & Partial<LiveIntentRun>): LiveIntentRun => ({
    file,
    venue,
    addresses: { ...sim.venueB, baseUrl: sim.venueA.baseUrl },
    privateKeyPem: SIMULATED_PEM,
    assets: market.tokens,
    ticker: market.id,
    touch: [40, 44, 1_000],
    contracts: CONTRACTS,
    restsAt: null,
    deletes: null,
    clockOffset: time.offset,
    ...changes,
  })
  return { sim, clock, time, run }
}

/** Runs a process until it kills itself at its step. */
async function runUntilKilled(run: LiveIntentRun): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(run)], { stdio: 'inherit' })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect([run.killAt, signal]).toEqual([run.killAt, 'SIGKILL'])
}

it.each(['venue_a', 'venue_b'] as const)(
  '[portfolio.live.killed] kill -9 at any step of the order of an intent at %s: it buys its size once, and the ledger has it',
  async (venue: TradingVenue) => {
    const { sim, clock, time, run } = await openVenue(venue)
    for (let round = 0; round < scaled(1); round++) {
      for (const killAt of STEPS) {
        const before = sim.exchanges[venue].orders.length
        await runUntilKilled(run({ killAt }))
        const pilot = await openLivePilot(run({ killAt: null }), clock)
        const read = async <T>(path: string): Promise<T> => (await pilot.send<T>('GET', path))[1]
        // The first attempt looks the order up. When the venue has none, it waits for one that may
        // still arrive, and orders a minute later.
        await pilot.quote()
        time.offset += 61_000
        await pilot.quote()
        const { data } = await read<{ data: ServedIntent[] }>('/api/intents?limit=1')
        const [intent] = data
        expect([killAt, intent]).toMatchObject([
          killAt,
          { status: 'filled', filledQuantity: CONTRACTS },
        ])
        const traded = sim.exchanges[venue].orders.slice(before)
        const bought = traded.reduce((sum, { filled }) => sum + filled, 0)
        expect([killAt, bought]).toEqual([killAt, CONTRACTS * 1e6])
        const entries = await read<{ data: ServedEntry[] }>('/api/portfolio/fills?limit=500')
        const booked = entries.data.filter(({ intentId }) => intentId === intent?.id)
        expect(booked.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0)).toBe(CONTRACTS)
        const ticks = await read<ServedTick[]>('/api/portfolio/ticks?trigger=intent')
        expect(ticks.filter(({ status }) => status === 'running')).toEqual([])
        expect(ticks[0]?.actions).toMatchObject([{ outcome: 'filled' }])
        await pilot.close()
      }
    }
  },
  scaled(120_000),
)

/** Where the process dies while an order is placed, and while it is cancelled. */
const RESTING_STEPS = [
  ['written', 'cancel'],
  ['request', 'cancelled'],
  ['answer', 'cancel'],
  ['balance', 'cancelled'],
] as const

it.each(['venue_a', 'venue_b'] as const)(
  '[portfolio.live.killed] kill -9 while an order is placed and cancelled at %s: one rests, and none after',
  async (venue: TradingVenue) => {
    const { sim, clock, time, run } = await openVenue(venue)
    for (const [placing, cancelling] of RESTING_STEPS) {
      const before = sim.exchanges[venue].orders.length
      const own = () => sim.exchanges[venue].orders.slice(before).map(({ status }) => status)
      await runUntilKilled(run({ restsAt: 1, killAt: placing }))
      const pilot = await openLivePilot(run({ restsAt: 1, killAt: null }), clock)
      await pilot.quote()
      time.offset += 61_000
      await pilot.quote()
      const [, { data }] = await pilot.send<{ data: ServedIntent[] }>('GET', '/api/intents?limit=1')
      const [intent] = data
      expect([placing, intent]).toMatchObject([
        placing,
        { status: 'executing', statusReason: 'resting at the exchange' },
      ])
      expect([placing, own()]).toEqual([placing, ['resting']])
      await pilot.close()
      await runUntilKilled(run({ restsAt: 1, deletes: intent?.id ?? null, killAt: cancelling }))
      const after = await openLivePilot(run({ restsAt: 1, killAt: null }), clock)
      const stop = new AbortController()
      const running = after.run(stop.signal)
      await after.settled()
      stop.abort()
      await running
      expect([cancelling, own()]).toEqual([cancelling, ['canceled']])
      const [, ledger] = await after.send<{ data: ServedEntry[] }>(
        'GET',
        '/api/portfolio/ledger?mode=live&eventType=cancellation,fill&limit=500',
      )
      const booked = ledger.data.filter(({ intentId }) => intentId === intent?.id)
      expect([cancelling, booked]).toMatchObject([
        cancelling,
        [{ eventType: 'cancellation', quantity: CONTRACTS }],
      ])
      await after.close()
    }
  },
  scaled(120_000),
)
