import { expect, it, onTestFinished } from 'vitest'
import type { Millis, PriceE4, SizeE6 } from '../../../domain/units.ts'
import { openState } from '../../../state/open.ts'
import { openLiveAccount } from '../../../testing/live-account.ts'
import { startTrading, tradableMarket } from '../../../testing/trading-accounts.ts'
import { addUser } from '../../../testing/users.ts'
import type { TradingClient, TradingVenue } from '../../../venues/trading.ts'
import { createImportStore } from '../bookkeeping/import.store.ts'
import { createLedgerImports, IMPORT_FORMATS } from '../bookkeeping/import.service.ts'
import { createLedgerStore } from '../ledger.store.ts'

const USER = 'usr_1'
const SIGNAL = AbortSignal.timeout(60_000)
const HOUR = 3_600_000

/** A live account at a simulated venue that bought one contract for a strategy. */
async function openTraded(venue: TradingVenue = 'venue_a') {
  const { sim, clock, openA, openB } = await startTrading()
  const state = await openState(':memory:')
  onTestFinished(() => state.destroy())
  await addUser(state, USER)
  const account = await openLiveAccount(state, clock, USER)
  const client: TradingClient = venue === 'venue_a' ? openA() : openB()
  const market = tradableMarket(sim, venue)
  const [ask = 0] = sim.book(market).asks[0] ?? []
  const buy = (decision: number) =>
    account.orders.send(
      USER,
      {
        tickId: 'pt_1',
        decision,
        venue,
        ticker: market.id,
        marketTitle: market.question,
        category: 'economics',
        action: 'buy',
        direction: 'yes',
        size: 1_000_000 as SizeE6,
        limit: ask as PriceE4,
        timeInForce: 'ioc',
        source: 'autopilot',
        intentId: null,
        thesisId: 't1',
        strategyId: 'str_1',
        viewId: null,
        payload: {},
      },
      client,
      SIGNAL,
    )
  const imports = createLedgerImports({
    store: createImportStore(state),
    board: { markets: () => Promise.resolve(new Map()) },
    theses: {
      basis: (_, named) => Promise.resolve(named),
      namedSides: () => Promise.resolve([]),
    },
    ordersAt: (userId, venue) => account.store.ordersAtVenue(userId, venue),
    clock,
  })
  await buy(1)
  return {
    ...account,
    state,
    clock,
    market,
    buy,
    client,
    reconcile: (readUntil: Millis | null = null) =>
      account.reconcile(USER, client, SIGNAL, readUntil),
    import: async (fills: object[]) => {
      const booked = await imports.importEntries(USER, IMPORT_FORMATS[venue], { fills })
      expect(booked.errors).toEqual([])
      return booked.inserted.fills
    },
    /** The fills of the account as the venue's API lists them. */
    async reported() {
      const { rows } = await client.fills(0 as never, null, SIGNAL)
      return rows.map(({ key, orderId, ticker, action, direction, size, price, fee, at }) => ({
        fillId: key.slice('a:fill:'.length),
        orderId,
        ticker,
        action,
        side: direction,
        quantity: size / 1e6,
        priceCents: price / 100,
        feeCents: (fee ?? 0) / 10_000,
        createdAt: new Date(at).toISOString(),
      }))
    },
  }
}

it('[portfolio.live.imported] a fill that an import books first is of its order, which is then done', async () => {
  const live = await openTraded()
  expect(await live.import(await live.reported())).toBe(1)
  expect(await live.fills()).toMatchObject([
    {
      source: 'import_venue_a',
      tickId: 'pt_1',
      thesisId: 't1',
      strategyId: 'str_1',
      clientOrderId: 'svc-pt_1-1',
      confidence: 'exact',
    },
  ])
  expect(await live.reconcile()).toMatchObject({ status: 'ok', booked: 0, mismatches: [] })
  expect(await live.store.open(USER)).toEqual([])
  expect(await live.store.ordersOfTick(USER, 'pt_1')).toMatchObject([
    { status: 'done', booked: 1e6 },
  ])
  // A later import finds the rows that a reconciliation booked.
  await live.buy(2)
  await live.reconcile()
  expect(await live.import(await live.reported())).toBe(0)
})

it('[portfolio.live.watermark] newer rows of imports and reports of callers hide no older fill', async () => {
  const live = await openTraded()
  await live.clock.advance(5 * HOUR)
  const now = new Date(live.clock.now()).toISOString()
  const other = {
    fillId: 'elsewhere',
    ticker: 'KXOTHER-1',
    action: 'buy',
    side: 'yes',
    quantity: 1,
    priceCents: 40,
    createdAt: now,
  }
  await live.import([other])
  const [imported] = await live.fills()
  if (imported === undefined) throw new Error('nothing was imported')
  const { seq: _seq, userId: _user, recordedAt: _at, ...entry } = imported
  await createLedgerStore(live.state).book(
    USER,
    { entries: [{ ...entry, id: 'ple_patched', source: 'intent', key: 'i:in_1:elsewhere-2' }] },
    live.clock.now(),
  )
  expect(await live.reconcile()).toMatchObject({ booked: 1 })
  expect((await live.fills()).map(({ ticker, source }) => [ticker, source])).toEqual([
    [live.market.id, 'autopilot'],
    ['KXOTHER-1', 'import_venue_a'],
    ['KXOTHER-1', 'intent'],
  ])
})

it('[portfolio.fills.replaced] what a caller reported of an order counts until the venue reports it', async () => {
  const live = await openTraded()
  const [traded] = await live.reported()
  await live.import([{ ...traded, fillId: 'other', orderId: 'elsewhere', ticker: 'KXOTHER-1' }])
  const [imported] = await live.fills()
  if (imported === undefined || traded === undefined) throw new Error('nothing was traded')
  const { seq: _seq, userId: _user, recordedAt: _at, ...entry } = imported
  const report = {
    ...entry,
    id: 'ple_report',
    source: 'intent' as const,
    ticker: live.market.id,
    orderId: traded.orderId,
    key: `i:in_1:${traded.orderId}`,
  }
  await createLedgerStore(live.state).book(USER, { entries: [report] }, live.clock.now())
  expect((await live.fills()).map(({ key }) => key)).toEqual(['a:fill:other', report.key])
  // The venue has one contract of this market, and none of the other.
  const { mismatches } = await live.reconcile()
  expect(mismatches).toMatchObject([{ marketId: 'KXOTHER-1', ours: 1, theirs: 0 }])
  expect((await live.fills()).map(({ source }) => source)).toEqual(['import_venue_a', 'autopilot'])
})

it('[portfolio.live.imported] rows without trade ids are not booked again, and a later reconcile reads from there', async () => {
  const live = await openTraded('venue_b')
  const { rows } = await live.client.fills(0 as Millis, null, SIGNAL)
  const sent = rows.map(({ action, direction, price, size, at, ticker, orderId }) => ({
    conditionId: ticker,
    outcomeIndex: direction === 'yes' ? 0 : 1,
    side: action.toUpperCase(),
    size: size / 1e6,
    price: price / 1e4,
    timestamp: new Date(at).toISOString(),
    transactionHash: `0x${'7'.repeat(64)}`,
    orderId,
  }))
  expect(await live.import(sent)).toBe(1)
  const since: number[] = []
  const read = live.client.fills.bind(live.client)
  live.client.fills = (from, ...about) => {
    since.push(from)
    return read(from, ...about)
  }
  const first = await live.reconcile()
  expect(first).toMatchObject({ status: 'ok', booked: 0, mismatches: [] })
  expect(await live.fills()).toHaveLength(1)
  expect(first.fillsReadUntil).toBe(rows[0]?.at)
  await live.reconcile(first.fillsReadUntil)
  expect(since.map((from) => Math.round((live.clock.now() - from) / HOUR))).toEqual([90 * 24, 1])
})

it('[portfolio.live.imported] a sale that was booked as a purchase of the other side is the same trade', async () => {
  const live = await openTraded()
  await live.reconcile()
  const [ours] = await live.fills()
  const [row] = await live.reported()
  if (ours === undefined || row === undefined) throw new Error('nothing was traded')
  // As an import before it knew the order booked it.
  const old = {
    ...ours,
    action: 'sell' as const,
    direction: 'no' as const,
    price: (10_000 - (ours.price ?? 0)) as PriceE4,
    cashDelta: (1_000_000 + ours.cashDelta) as typeof ours.cashDelta,
  }
  await live.state
    .updateTable('ledger_entry')
    .set({ entry: JSON.stringify(old) })
    .execute()
  expect(await live.import([row])).toBe(0)
})
