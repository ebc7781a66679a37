import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { FakeClock } from './fake-clock.ts'

/** When simulated venues begin. */
export const START = Date.parse('2026-11-20T14:00:00.000Z')

/** Both venues with so many markets, until the test that is under way has ended. */
export async function start(
  markets: number,
  clock = new FakeClock(START),
): Promise<{ sim: Simulator; clock: FakeClock }> {
  const sim = await createSimulator({ seed: 7, markets, clock })
  onTestFinished(() => sim.close())
  return { sim, clock }
}

/** A record of a payload, as it was sent. */
export type Row = Record<string, unknown>
/** What an address answers, as text. */
export const text = async (url: string, init?: RequestInit): Promise<string> =>
  (await fetch(url, init)).text()
/** What an address answers, read as JSON. */
export const read = async (url: string, init?: RequestInit): Promise<Row> =>
  JSON.parse(await text(url, init)) as Row
/** The records that a payload lists under a name. */
export const rows = (body: Row, key: string): Row[] => body[key] as Row[]

/** Every page of a list by its cursor. */
export async function walk(
  url: string,
  key: string,
  parameter: string,
  answer: string,
): Promise<Row[]> {
  const found: Row[] = []
  let cursor = ''
  do {
    const page = await read(`${url}${cursor === '' ? '' : `&${parameter}=${cursor}`}`)
    found.push(...rows(page, key))
    cursor = (page[answer] as string | undefined) ?? ''
  } while (cursor !== '')
  return found
}

/** All markets of venue_a but combinations. */
export const marketsOfA = (sim: Simulator): Promise<Row[]> =>
  walk(`${sim.venueA.baseUrl}/markets?limit=200&mve_filter=exclude`, 'markets', 'cursor', 'cursor')
/** Tickers of those of them that trade. */
export const openTickersOfA = async (sim: Simulator): Promise<string[]> =>
  (await marketsOfA(sim))
    .filter((market) => market['status'] === 'active')
    .map((market) => market['ticker'] as string)
/** All markets of venue_b, those that trade or those that are closed. */
export const marketsOfB = (sim: Simulator, closed: boolean): Promise<Row[]> =>
  walk(
    `${sim.venueB.gammaUrl}/markets/keyset?limit=100&closed=${String(closed)}`,
    'markets',
    'after_cursor',
    'next_cursor',
  )
/** The two outcomes of a market of venue_b. */
export const tokensOf = (market: Row): string[] =>
  JSON.parse(market['clobTokenIds'] as string) as string[]

/** An open connection, and all frames it has received. */
export async function connect(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers })
  onTestFinished(() => socket.terminate())
  const frames: Row[] = []
  socket.on('message', (bytes: Buffer) => {
    const frame = bytes.toString('utf8')
    if (frame.startsWith('{') || frame.startsWith('['))
      frames.push(...[JSON.parse(frame) as Row | Row[]].flat())
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return { socket, frames }
}
/** What the socket of venue_a wants to be shown. */
export const KEYS = {
  'KALSHI-ACCESS-KEY': 'k',
  'KALSHI-ACCESS-TIMESTAMP': '1',
  'KALSHI-ACCESS-SIGNATURE': 's',
}

/** Waits, one turn of the loop after another, until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate()
}

/** A round trip through the socket, after which everything sent before has arrived. */
export async function flush(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('pong', () => resolve())
    socket.ping()
  })
}
