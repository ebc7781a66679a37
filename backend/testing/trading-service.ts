import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import type { MarketFacts } from '../domain/market.ts'
import type { ServedEntry, ServedPosition } from '../contract/portfolio.ts'
import type { ServedIntent } from '../contract/orders/intents.ts'
import type { OpenAccountHistory } from '../venues/trading.ts'
import { startArchiveService, type ArchiveService } from './archive-service.ts'
import { bookAt, described, quoted } from './venue-events.ts'

/** Start of a trading test; the market closes six weeks later. */
export const TRADING_FROM = '2026-11-20T12:00:00.000Z'
export const TICKER = 'KXTEST-26DEC31-A'

/** A whole service over real HTTP with one market that a test quotes. */
export interface TradingService extends ArchiveService {
  /** Publishes best prices in cents and contracts, one second later by default. */
  quote(
    prices: { bid?: number; ask?: number; bidSize?: number | null; askSize?: number | null },
    laterMs?: number,
  ): Promise<void>
  /** Publishes a book: levels of cents and contracts. */
  book(bids: readonly [number, number][], asks: readonly [number, number][]): Promise<void>
  describe(facts?: Partial<MarketFacts>): Promise<void>
  /** Returns the status and the body. */
  send<T = ServedIntent>(method: string, path: string, body?: object): Promise<[number, T]>
  /** Signs up another user, and returns the value of its header `authorization`. */
  signUp(): Promise<string>
  /** Posts an intent and returns it. */
  intend(body?: object): Promise<ServedIntent>
  intent(id: string): Promise<ServedIntent>
  ledger(query?: string): Promise<ServedEntry[]>
  positions(query?: string): Promise<ServedPosition[]>
}

/** An intent that is filled at once when the book has enough size. */
export const BUY = {
  action: 'buy',
  marketId: TICKER,
  direction: 'yes',
  targetQuantity: 10,
  maxPrice: 45,
  autoExecute: true,
}
/** Limits that never bind on the test market. */
export const OPEN_LIMITS = {
  enabled: true,
  minAdjIy: 0,
  maxLas: 10,
  minTauDays: 0,
  minBalanceCents: 0,
  maxSingleOrderCents: 1e7,
  maxTotalExposureCents: 1e7,
  maxPerMarketCents: 1e7,
  maxDailyLossCents: 1e7,
  maxOrdersPerTick: 100,
  maxDrawdownHaltCents: 1e7,
}

export async function startTradingService(
  config: object | null = OPEN_LIMITS,
  env: Readonly<Record<string, string>> = {},
  accountHistory?: OpenAccountHistory,
) {
  const service = await startArchiveService({
    start: TRADING_FROM,
    env,
    ...(accountHistory !== undefined && { accountHistory }),
  })
  const send: TradingService['send'] = async (method, path, body) => {
    const { status, text } = await service.ask(method, path, body)
    return [status, JSON.parse(text)]
  }
  const now = (): Millis => service.clock.now()
  const e4 = (cents: number | undefined): PriceE4 | null =>
    cents === undefined ? null : (Math.round(cents * 100) as PriceE4)
  const e6 = (contracts: number | null | undefined): SizeE6 | null =>
    contracts === undefined || contracts === null ? null : (Math.round(contracts * 1e6) as SizeE6)
  const received = () => ({ receivedAt: now() })
  const trading: TradingService = {
    ...service,
    send,
    async signUp() {
      const user = { email: 'ann@example.test', password: 'a password of twelve' }
      const { text } = await service.ask('POST', '/api/signup', user, null)
      return `Bearer ${(JSON.parse(text) as { key: { key: string } }).key.key}`
    },
    get url() {
      return service.url
    },
    async quote({ bid, ask, bidSize, askSize }, laterMs = 1_000) {
      await service.clock.advance(laterMs)
      const sizes = { bidSize: e6(bidSize), askSize: e6(askSize) }
      await service.accept([quoted(now(), { bid: e4(bid), ask: e4(ask), ...sizes, ...received() })])
    },
    async book(bids, asks) {
      await service.clock.advance(1_000)
      const levels = (side: readonly [number, number][]) =>
        side.map(([cents, contracts]) => ({
          price: e4(cents) as PriceE4,
          size: e6(contracts) as SizeE6,
        }))
      await service.accept([
        bookAt(now(), { bids: levels(bids), asks: levels(asks), ...received() }),
      ])
    },
    async describe(facts = {}) {
      await service.clock.advance(1_000)
      await service.accept([{ ...described(now(), facts), ...received() }])
    },
    async intend(body = {}) {
      const [status, created] = await send('POST', '/api/intents', { ...BUY, ...body })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(created)}`)
      await service.accept([])
      return trading.intent(created.id)
    },
    intent: async (id) => (await send('GET', `/api/intents/${id}`))[1],
    ledger: async (query = '?order=asc') =>
      (await send<{ data: ServedEntry[] }>('GET', `/api/portfolio/ledger${query}`))[1].data,
    positions: async (query = '') =>
      (await send<{ data: ServedPosition[] }>('GET', `/api/portfolio/positions${query}`))[1].data,
  }
  await trading.describe()
  if (config !== null) {
    const [status, body] = await send<object>('PUT', '/api/portfolio/config', config)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  }
  return trading
}
