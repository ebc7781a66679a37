import { setImmediate } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { afterEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../domain/units.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { createSimulator } from '../simulator.ts'
import type { Simulator } from '../simulator.ts'
import { parseFault } from './parse-fault.ts'

type Row = Record<string, unknown>
const running: Simulator[] = []
const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await Promise.all(running.splice(0).map((simulator) => simulator.close()))
})

async function start() {
  const clock = new FakeClock()
  const simulator = await createSimulator({ seed: 7, markets: 300, clock })
  running.push(simulator)
  const schedule = (body: object): void => {
    const parsed = parseFault({ venue: 'venue_a', ...body })
    if (typeof parsed === 'string') throw new Error(parsed)
    simulator.scheduleFaults([parsed])
  }
  const ask = async (path: string): Promise<{ status: number; body: Row }> => {
    const answer = await fetch(simulator.venueA.baseUrl + path)
    return { status: answer.status, body: (await answer.json()) as Row }
  }
  /** Markets in a list state, the busiest first. */
  const markets = async (status: string): Promise<Row[]> => {
    const { body } = await ask(`/markets?limit=1000&mve_filter=exclude&status=${status}`)
    const rows = body['markets'] as Row[]
    return rows.sort((a, b) => Number(b['volume_24h_fp']) - Number(a['volume_24h_fp']))
  }
  const busiest = async (): Promise<string> => (await markets('open'))[0]?.['ticker'] as string
  const marketOf = async (ticker: string): Promise<Row> =>
    (await ask(`/markets/${ticker}`)).body['market'] as Row
  const tapeOf = async (ticker: string): Promise<Row[]> =>
    (await ask(`/markets/trades?limit=1000&ticker=${ticker}`)).body['trades'] as Row[]
  return { clock, simulator, schedule, ask, markets, busiest, marketOf, tapeOf }
}

/** Frames of venue_a's trade and lifecycle channels. */
async function listen(simulator: Simulator) {
  const headers = Object.fromEntries(
    ['KEY', 'TIMESTAMP', 'SIGNATURE'].map((name) => [`KALSHI-ACCESS-${name}`, '1']),
  )
  const socket = new WebSocket(simulator.venueA.wsUrl, { headers })
  sockets.push(socket)
  const frames: Row[] = []
  socket.on('message', (bytes: Buffer) => frames.push(JSON.parse(bytes.toString('utf8')) as Row))
  await new Promise((resolve) => socket.once('open', resolve))
  const params = { channels: ['trade', 'market_lifecycle_v2'] }
  socket.send(JSON.stringify({ id: 1, cmd: 'subscribe', params }))
  while (frames.length < 2) await setImmediate()
  return {
    /** Messages of a type, once all sent ones have arrived. */
    messagesOf: async (type: string): Promise<Row[]> => {
      await new Promise<void>((resolve) => {
        socket.once('pong', () => resolve())
        socket.ping()
      })
      return frames.filter((frame) => frame['type'] === type).map((frame) => frame['msg'] as Row)
    },
  }
}

describe('a market', () => {
  it('disappears from every list and comes back', async () => {
    const { clock, schedule, ask, busiest, markets } = await start()
    const ticker = await busiest()
    schedule({ kind: 'delist', markets: [ticker], forMs: 60_000 })
    expect((await ask(`/markets/${ticker}`)).status).toBe(404)
    expect((await markets('open')).map((market) => market['ticker'])).not.toContain(ticker)
    await clock.advance(60_250)
    expect((await ask(`/markets/${ticker}`)).status).toBe(200)
  })

  it('closes early: no trades afterwards, and matching counters', async () => {
    const { clock, simulator, schedule, busiest, marketOf, tapeOf } = await start()
    const ticker = await busiest()
    const { messagesOf } = await listen(simulator)
    const closedAt = clock.now()
    schedule({ kind: 'close-early', markets: [ticker] })
    await clock.advance(10 * MINUTE)
    const market = await marketOf(ticker)
    expect(['closed', 'determined']).toContain(market['status'])
    expect(Date.parse(market['close_time'] as string)).toBe(closedAt + 1)
    const trades = await tapeOf(ticker)
    expect(trades.every((trade) => Date.parse(trade['created_time'] as string) <= closedAt)).toBe(
      true,
    )
    expect(await messagesOf('market_lifecycle_v2')).toContainEqual(
      expect.objectContaining({ market_ticker: ticker, event_type: 'close_date_updated' }),
    )
  })

  it('opens again after its close', async () => {
    const { clock, simulator, schedule, busiest, marketOf } = await start()
    const ticker = await busiest()
    schedule({ kind: 'close-early', markets: [ticker] })
    await marketOf(ticker)
    await clock.advance(MINUTE)
    const { messagesOf } = await listen(simulator)
    schedule({ kind: 'reopen', markets: [ticker], forMs: HOUR })
    const market = await marketOf(ticker)
    expect(market['status']).toBe('active')
    expect(Date.parse(market['close_time'] as string)).toBe(clock.now() + HOUR)
    await clock.advance(1_000)
    const events = (await messagesOf('market_lifecycle_v2')).filter(
      (message) => message['market_ticker'] === ticker,
    )
    expect(events.map((message) => message['event_type'])).toEqual([
      'close_date_updated',
      'activated',
    ])
  })

  it('is listed again under its former ticker', async () => {
    const { clock, schedule, markets, marketOf } = await start()
    const [settled] = await markets('settled')
    const ticker = settled?.['ticker'] as string
    schedule({ kind: 'relist', markets: [ticker] })
    const listed = await marketOf(ticker)
    expect(listed).toMatchObject({ ticker, status: 'active', result: '', volume_fp: '0.00' })
    expect(Date.parse(listed['open_time'] as string)).toBe(clock.now())
    const open = (await markets('open')).filter((market) => market['ticker'] === ticker)
    expect(open).toHaveLength(1)
  })
})

describe('a trade', () => {
  it('is corrected under its id, in REST and on the socket', async () => {
    const { clock, simulator, schedule, marketOf } = await start()
    await clock.advance(10 * MINUTE)
    const pastHour = () => simulator.prints('venue_a', clock.now() - HOUR, clock.now())
    const [from, before] = [clock.now() - HOUR, pastHour()]
    expect(before.length).toBeGreaterThan(0)
    const { messagesOf } = await listen(simulator)
    schedule({ kind: 'correct-trade' })
    const [ticker = ''] = simulator.faults()[0]?.markets ?? []
    const volume = async () => Number((await marketOf(ticker))['volume_fp'])
    const volumeAfter = await volume()
    const after = new Map(
      simulator.prints('venue_a', from, clock.now()).map((row) => [row.id, row]),
    )
    const changed = before.filter(({ id, size }) => after.get(id)?.size !== size)
    expect(changed).toHaveLength(1)
    const [was] = changed
    const corrected = after.get(was?.id ?? '')
    expect(corrected).toMatchObject({ ticker, at: was?.at, size: 2 * (was?.size ?? 0) })
    expect(corrected?.price).not.toBe(was?.price)
    await clock.advance(1_000)
    const contracts = (corrected?.size ?? 0) / 1_000_000
    expect(await messagesOf('trade')).toContainEqual(
      expect.objectContaining({ trade_id: was?.id, count_fp: contracts.toFixed(2) }),
    )
    expect(volumeAfter).toBeGreaterThanOrEqual(contracts)
  })

  it('is printed minutes late, with the time at which it happened', async () => {
    const { clock, simulator, schedule } = await start()
    const { messagesOf } = await listen(simulator)
    const from = clock.now()
    schedule({ kind: 'late-trade', count: 1, milliseconds: 3 * MINUTE })
    const struck = () => simulator.faults()[0]?.listedEffects[0]
    while (struck() === undefined) await clock.advance(MINUTE)
    const [ticker] = struck()?.markets ?? []
    const happenedBy = struck()?.at ?? 0
    const ofMarket = () =>
      simulator.prints('venue_a', from, happenedBy).filter((print) => print.ticker === ticker)
    const early = ofMarket().length
    await clock.advance(4 * MINUTE)
    expect(ofMarket()).toHaveLength(early + 1)
    const late = ofMarket().at(-1)
    expect(
      (await messagesOf('trade')).filter((trade) => trade['trade_id'] === late?.id),
    ).toHaveLength(1)
  })
})

describe('a venue', () => {
  it('pauses: no trades, unchanged books, and no trades of that time later', async () => {
    const { clock, simulator, schedule, ask } = await start()
    const from = clock.now()
    schedule({ kind: 'pause', forMs: 5 * MINUTE })
    const tradingOf = async () => (await ask('/exchange/status')).body['trading_active']
    expect(await tradingOf()).toBe(false)
    await clock.advance(5 * MINUTE)
    expect(await tradingOf()).toBe(true)
    await clock.advance(5 * MINUTE)
    const prints = simulator.prints('venue_a', from, clock.now())
    expect(prints.length).toBeGreaterThan(0)
    expect(prints.every((print) => print.at > from + 5 * MINUTE)).toBe(true)
  })

  it('has a clock of its own', async () => {
    const { clock, simulator, schedule } = await start()
    schedule({ kind: 'clock-skew', milliseconds: 3 * MINUTE })
    const answer = await fetch(`${simulator.venueA.baseUrl}/exchange/status`)
    expect(Date.parse(answer.headers.get('date') ?? '')).toBe(clock.now() + 3 * MINUTE)
    const time = await fetch(`${simulator.venueB.clobUrl}/time`)
    expect(await time.json()).toBe(Math.floor(clock.now() / 1_000))
  })
})
