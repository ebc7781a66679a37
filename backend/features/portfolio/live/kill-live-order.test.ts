import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { scaled } from '../../../../scripts/properties.ts'
import { systemClock, type Clock } from '../../../lib/clock.ts'
import { createSimulator } from '../../../simulator/simulator.ts'
import { openState } from '../../../state/open.ts'
import { openLiveAccount } from '../../../testing/live-account.ts'
import { KILL_STEPS, type KillStep } from '../../../testing/dying-client.ts'
import type { LiveOrderRun } from '../../../testing/live-order-process.ts'
import { tradableMarket } from '../../../testing/trading-accounts.ts'
import {
  SIMULATED_PEM,
  simulatedAccounts,
  simulatedCredentials,
} from '../../../testing/trading-credentials.ts'
import { addUser } from '../../../testing/users.ts'
import { createTrading } from '../../../venues/open-trading.ts'
import type { TradingClient, TradingVenue } from '../../../venues/trading.ts'

const USER = 'usr_1'
const SCRIPT = new URL('../../../testing/live-order-process.ts', import.meta.url).pathname
/** Look-ups do not wait; time limits do. */
const HASTY: Clock = {
  ...systemClock,
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  sleep: (span, signal) => systemClock.sleep(span < 10_000 ? 0 : span, signal),
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'augury-orders-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** Runs a process that dies while it sends an order; resolves with the signal that ended it. */
async function killed(run: LiveOrderRun): Promise<string | null> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(run)], { stdio: 'inherit' })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal
}

it.each(['venue_a', 'venue_b'] as const)(
  'a process killed at any step of an order leaves none lost and none doubled at %s',
  async (venue: TradingVenue) => {
    const accounts = simulatedAccounts(100_000_000_000)
    const sim = await createSimulator({ seed: 7, markets: 600, clock: systemClock, accounts })
    onTestFinished(() => sim.close())
    const [path, market] = [await folder(), tradableMarket(sim, venue)]
    const file = join(path, 'state.sqlite')
    const first = await openState(file)
    await addUser(first, USER)
    await openLiveAccount(first, systemClock, USER)
    await first.destroy()
    const trading = createTrading({
      clock: HASTY,
      random: () => 0.5,
      simulator: sim,
      assetsOf: () => Promise.resolve(market.tokens),
    })
    const open = simulatedCredentials()
    const client: TradingClient = trading[venue](open[venue] as never)
    const seen = new Set<string>()
    for (let round = 0; round < scaled(1); round++) {
      for (const killAt of KILL_STEPS) {
        const before = sim.exchanges[venue].orders.length
        const tickId = `pt_${round}_${killAt}`
        const { baseUrl } = sim.venueA
        const { clobUrl, dataUrl } = sim.venueB
        const ended = await killed({
          file,
          venue,
          userId: USER,
          addresses: { baseUrl, clobUrl, dataUrl },
          privateKeyPem: SIMULATED_PEM,
          assets: market.tokens,
          ticker: market.id,
          limit: 9_900,
          tickId,
          killAt,
        })
        expect(ended).toBe('SIGKILL')
        const state = await openState(file)
        const account = await openLiveAccount(state, HASTY, USER)
        const { status, error } = await account.reconcile(USER, client, AbortSignal.timeout(30_000))
        expect([status, error]).toEqual(['ok', null])
        const sent = sim.exchanges[venue].orders.slice(before)
        const [row, ...more] = await account.store.ordersOfTick(USER, tickId)
        const fills = (await account.fills()).filter((fill) => fill.tickId === tickId)
        expect(more).toEqual([])
        expect(sent.length, killAt).toBeLessThanOrEqual(1)
        expect(row?.status, killAt).toBe(killAt === 'write' ? undefined : sent[0] ? 'done' : 'none')
        const bought = fills.reduce((sum, fill) => sum + (fill.size ?? 0), 0)
        expect(bought, killAt).toBe(sent[0]?.filled ?? 0)
        expect(await account.store.open(USER)).toEqual([])
        seen.add(`${killAt}: ${sent.length}`)
        await state.destroy()
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(NEEDED))
  },
  scaled(120_000),
)

/** Orders at the venue that each step leaves; a request that is cut off may or may not arrive. */
const NEEDED: `${KillStep}: ${number}`[] = ['write: 0', 'written: 0', 'answer: 1', 'stored: 1']
