import { TIMEFRAMES } from '../../../../domain/prices/candle.ts'
import { canonicalTicker } from '../../../../domain/market.ts'
import { MOVER_WINDOWS } from '../../../../contract/data-service.ts'
import type { Rejection, TopicAddress } from '../../../../contract/socket.ts'

/** Longest topic name that is parsed; the longest real one is a condition id with its kind. */
const MAX_NAME_LENGTH = 512
const MARKET_KINDS = ['ticker', 'trades', 'book'] as const

/** Parses a topic name, in canonical case, or returns why it is invalid. */
export function parseTopic(topic: string): TopicAddress | Omit<Rejection, 'topic'> {
  const unknown = { code: 'UNKNOWN_TOPIC', message: 'Unknown kind of topic' } as const
  if (topic.length > MAX_NAME_LENGTH) return unknown
  const [kindName, rest] = splitOnce(topic)
  const kind = kindName.toLowerCase()
  const marketKind = MARKET_KINDS.find((candidate) => candidate === kind)
  if (marketKind !== undefined) {
    return rest === undefined || rest === ''
      ? noTicker(kind)
      : { kind: marketKind, ticker: canonicalTicker(rest) }
  }
  if (kind === 'candles') return candlesOf(rest ?? '')
  if (kind === 'movers') return moversOf(rest)
  if (kind === 'world') return worldOf(rest)
  return unknown
}

/** The canonical name of a topic. */
export function nameOf(address: TopicAddress): string {
  if (address.kind === 'candles') return `candles:${address.ticker}:${address.timeframe}`
  if (address.kind === 'movers') {
    return address.window === null ? 'movers' : `movers:${address.window}`
  }
  if (address.kind === 'world') return address.path === '' ? 'world' : `world:${address.path}`
  return `${address.kind}:${address.ticker}`
}

const splitOnce = (text: string): [string, string | undefined] => {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
}

const noTicker = (kind: string) =>
  ({ code: 'UNKNOWN_TICKER', message: `${kind} needs a ticker: ${kind}:<ticker>` }) as const

function candlesOf(rest: string): ReturnType<typeof parseTopic> {
  // The ticker may contain a colon (`pm:0x…`), so the timeframe follows the last one.
  const colon = rest.lastIndexOf(':')
  const timeframe = TIMEFRAMES.find(
    (candidate) => candidate === rest.slice(colon + 1).toLowerCase(),
  )
  if (timeframe === undefined) {
    const message = `timeframe must be one of ${TIMEFRAMES.join(', ')}`
    return { code: 'BAD_TIMEFRAME', message }
  }
  if (colon <= 0) return noTicker('candles')
  return { kind: 'candles', ticker: canonicalTicker(rest.slice(0, colon)), timeframe }
}

function moversOf(rest: string | undefined): ReturnType<typeof parseTopic> {
  if (rest === undefined) return { kind: 'movers', window: null }
  const channelName = rest.toLowerCase()
  const window = MOVER_WINDOWS.find(
    (candidate) => candidate === (channelName === '1d' ? '24h' : channelName),
  )
  return window === undefined
    ? { code: 'BAD_TIMEFRAME', message: `window must be one of ${MOVER_WINDOWS.join(', ')}, 1d` }
    : { kind: 'movers', window }
}

function worldOf(rest: string | undefined): ReturnType<typeof parseTopic> {
  if (rest === undefined) return { kind: 'world', path: '' }
  const segments = rest.toLowerCase().split('/')
  return segments.every((segment) => segment !== '')
    ? { kind: 'world', path: segments.join('/') }
    : { code: 'UNKNOWN_TOPIC', message: 'Unknown topic of the world' }
}
