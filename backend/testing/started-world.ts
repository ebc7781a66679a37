import { marketView } from './builders.ts'
import { marketQuantities } from './snapshot-builders.ts'
import { worldApp, type WorldAppOptions } from './world-app.ts'

/** Targets of links in responses. */
export const BASE = 'http://augury.test'

/** A market that closes in two days and was first seen long ago. */
export const market = (
  ticker: string,
  fields: Parameters<typeof marketView>[0] = {},
  snapshot: Parameters<typeof marketQuantities>[0] = {},
) => {
  const view = marketView({
    liquidityScore: 'high',
    volume24h: 18_400,
    tau: 10,
    ...fields,
    facts: { ticker, title: `Question of ${ticker}?`, eventId: `${ticker}-E`, ...fields.facts },
  })
  return marketQuantities({ view, ...snapshot })
}
/** A market whose volume is so many sigmas above its expectation. */
export const residual = (ticker: string, residualVr: number, fields = {}) =>
  market(ticker, fields, { surprise: { vr: residualVr, expectedVr: 0, residualVr } })

export const CEASEFIRE = residual('KXCEASE-27JAN', 3.3, {
  price: 52,
  bid: 51,
  ask: 53,
  topics: ['iran'],
  facts: { title: 'Will the ceasefire hold to January?', eventTitle: 'Ceasefire' },
})
export const OIL = market('KXOIL-26DEC', { topics: ['oil'], change24h: 6, price: 46 })

/**
 * A service of these markets with a published world; by default one market with news and one that
 * moved.
 */
export async function startedWorld(options: WorldAppOptions = {}) {
  const app = worldApp({ markets: [CEASEFIRE, OIL], ...options })
  await app.build()
  return app
}
/** The body of a response, parsed as JSON. */
export const json = async (response: Response) => (await response.json()) as Record<string, never>
