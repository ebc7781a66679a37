import { setImmediate } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { FakeClock } from './fake-clock.ts'

/** Start time of the simulated venues. */
export const START = Date.parse('2026-11-20T14:00:00.000Z')

/** Both venues with so many markets, until the current test has ended. */
export async function start(
  markets: number,
  clock = new FakeClock(START),
): Promise<{ sim: Simulator; clock: FakeClock }> {
  const sim = await createSimulator({ seed: 7, markets, clock })
  onTestFinished(() => sim.close())
  return { sim, clock }
}

/** A record of a payload, as sent. */
export type Row = Record<string, unknown>
/** The response of an address, as text. */
export const text = async (url: string, init?: RequestInit): Promise<string> =>
  (await fetch(url, init)).text()
/** The response of an address, parsed as JSON. */
export const read = async (url: string, init?: RequestInit): Promise<Row> =>
  JSON.parse(await text(url, init)) as Row
/** The records of a named list in a payload. */
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

/** All markets of venue_a except combinations. */
export const marketsOfA = (sim: Simulator): Promise<Row[]> =>
  walk(`${sim.venueA.baseUrl}/markets?limit=200&mve_filter=exclude`, 'markets', 'cursor', 'cursor')
/** Tickers of the active ones. */
export const openTickersOfA = async (sim: Simulator): Promise<string[]> =>
  (await marketsOfA(sim))
    .filter((market) => market['status'] === 'active')
    .map((market) => market['ticker'] as string)
/** All markets of venue_b, the active or the closed ones. */
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

/** An open connection, and all frames that it received. */
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
/** The signed headers that the socket of venue_a requires. */
export const KEYS = {
  'KALSHI-ACCESS-KEY': 'k',
  'KALSHI-ACCESS-TIMESTAMP': '1',
  'KALSHI-ACCESS-SIGNATURE': 's',
}

/** Waits, one turn of the event loop after another, until a condition holds. */
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
