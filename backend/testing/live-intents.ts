import { expect } from 'vitest'
import type { ServedIntent } from '../contract/orders/intents.ts'
import type { ServedTick } from '../contract/orders/ticks.ts'
import type { LIVE_VENUES, LiveTest } from './live-autopilot.ts'

type Refused = ServedIntent & { readonly error?: string; readonly code?: string }

/** Requests for intents in the market of a venue. */
export function intentsOf(live: LiveTest, venue: (typeof LIVE_VENUES)[number] = 'venue_a') {
  const market = live.markets.find((one) => one.venue === venue)
  if (market === undefined) throw new Error(`no market of ${venue}`)
  const send = (method: string, path: string, sent?: object) =>
    live.inTime(live.pilot().send<Refused>(method, path, sent))
  const one = async (id: string): Promise<ServedIntent> =>
    (await send('GET', `/api/intents/${id}`))[1]
  const create = async (body: object = {}): Promise<ServedIntent> => {
    const [status, made] = await send('POST', '/api/intents', {
      marketId: market.id,
      action: 'buy',
      direction: 'yes',
      targetQuantity: 3,
      autoExecute: true,
      ...body,
    })
    expect([status, made.error]).toEqual([201, undefined])
    return made
  }
  /** Time passes until nothing is processed any more. */
  const settle = () => live.inTime(live.pilot().settled())
  return {
    market,
    send,
    one,
    create,
    settle,
    /** Creates an intent and lets it trade. */
    trade: async (body: object = {}): Promise<ServedIntent> => {
      const { id } = await create(body)
      await settle()
      return one(id)
    },
    ticks: async () => {
      const path = '/api/portfolio/ticks?trigger=intent'
      return (await live.pilot().send<ServedTick[]>('GET', path))[1]
    },
    orders: () => live.accountAt(venue).orders,
    /** Runs what a service runs for two minutes. */
    passMinutes: async (): Promise<void> => {
      const stop = new AbortController()
      const running = live.pilot().run(stop.signal)
      await live.inTime(live.pilot().settled())
      await live.clock.advance(61_000)
      live.pilot().publish()
      await live.inTime(live.pilot().settled())
      stop.abort()
      await live.inTime(running)
    },
    fills: async () => (await live.ledger()).filter((entry) => entry.eventType === 'fill'),
  }
}
