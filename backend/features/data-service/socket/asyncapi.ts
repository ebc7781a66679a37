import { stringify } from 'yaml'
import { TIMEFRAMES } from '../../../domain/prices/candle.ts'
import {
  MOVER_WINDOWS,
  V1Candle,
  V1Level,
  V1MarketDetail,
  V1Mover,
  V1Trade,
} from '../../../contract/data-service.ts'
import { CLOSE, FRAME_BURST, FRAMES_PER_SECOND, LIMITS } from './limits.ts'

type Json = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const id = { description: 'returned in the response', oneOf: [text, { type: 'number' }] }
const seq = { type: 'integer', minimum: 1, description: 'increases by 1 per change of the topic' }
const ms = { type: 'integer', description: 'Unix milliseconds' }
const flag = { type: 'boolean' }
const listOf = (items: unknown): Json => ({ type: 'array', items })
const enumSchema = (...values: readonly string[]): Json => ({ type: 'string', enum: values })

/** An object schema whose fields are required unless their name ends with `?`. */
function object(fields: Readonly<Record<string, unknown>>, about?: string): Json {
  const entries = Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema])
  const requiredNames = Object.keys(fields).filter((name) => !name.endsWith('?'))
  return {
    type: 'object',
    ...(about === undefined ? {} : { description: about }),
    required: requiredNames,
    properties: Object.fromEntries(entries) as Json,
  }
}

const position = object({ epoch: text, seq })
const topics = { ...listOf(text), minItems: 1, maxItems: LIMITS.topics }
const CLIENT_FRAMES: Readonly<Record<string, Json>> = {
  auth: object({ op: { const: 'auth' }, key: text, 'id?': id }, 'first frame without a header'),
  subscribe: object({
    op: { const: 'subscribe' },
    topics,
    'resume?': { type: 'object', additionalProperties: position },
    'id?': id,
  }),
  unsubscribe: object({ op: { const: 'unsubscribe' }, topics, 'id?': id }),
  resync: object({ op: { const: 'resync' }, topics, 'id?': id }, 'requests fresh snapshots'),
  ping: object({ op: { const: 'ping' }, 'id?': id }),
  pong: object({ op: { const: 'pong' } }),
}

const { subtitle: _subtitle, generated_at: _made, ...tickerFields } = V1MarketDetail.properties
const ticker = { type: 'object', properties: tickerFields }
const levels = listOf(V1Level)
const world = { type: 'object', description: 'as GET /api/agent/world, anonymous form' }
/** Per kind of topic: snapshot and delta data, how a delta is applied, and the update rate. */
const KINDS: Readonly<Record<string, { snapshot: Json; delta: Json; about: string }>> = {
  ticker: {
    snapshot: {
      ...ticker,
      required: V1MarketDetail.required.filter((name) => name in tickerFields),
    },
    delta: ticker,
    about:
      'A delta contains only changed fields: merge them; null is a value. At most 10 a second.',
  },
  trades: {
    snapshot: object({ trades: { ...listOf(V1Trade), description: 'newest first, 50' } }),
    delta: object({ trades: { ...listOf(V1Trade), description: 'oldest first' } }),
    about: 'Append each trade of a delta. Batched, at most 10 a second.',
  },
  book: {
    snapshot: object({ bids: levels, asks: levels, stale: flag }),
    delta: object({ bids: levels, asks: levels, 'stale?': flag }),
    about: 'Sizes are absolute; size 0 removes the level. Up to 200 levels, at most 10 a second.',
  },
  candles: {
    snapshot: object({ candles: { ...listOf(V1Candle), description: 'newest 500, ascending' } }),
    delta: object({ candle: V1Candle, closed: flag }),
    about: 'Replace the bar with the same t, else append. At most 4 a second.',
  },
  movers: {
    snapshot: object({ window: enumSchema(...MOVER_WINDOWS), movers: listOf(V1Mover) }),
    delta: object({ movers: listOf(V1Mover) }),
    about: 'Replace the list. At most every 5 seconds.',
  },
  world: {
    snapshot: world,
    delta: { type: 'object', description: 'as GET /api/agent/world/delta, plus salient' },
    about: 'A delta with each stored snapshot; salient is the whole new list.',
  },
}

const refusedMessage = object({ topic: text, code: text, message: text })
const dataOf = (form: 'snapshot' | 'delta'): Json => ({
  oneOf: Object.values(KINDS).map((kind) => kind[form]),
})
const SERVER_FRAMES: Readonly<Record<string, Json>> = {
  hello: object(
    {
      type: { const: 'hello' },
      connection: text,
      time: ms,
      authenticated: flag,
      limits: object(
        Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, { const: value }])),
      ),
    },
    'the first frame',
  ),
  ack: object({
    type: { const: 'ack' },
    op: enumSchema('auth', 'subscribe', 'unsubscribe', 'resync'),
    'id?': id,
    topics: { ...listOf(text), description: 'accepted, in request order' },
    rejected: listOf(refusedMessage),
    subscribed: { type: 'integer', description: 'topics currently held' },
  }),
  snapshot: object({
    type: { const: 'snapshot' },
    topic: text,
    epoch: text,
    seq,
    ts: ms,
    reason: enumSchema('subscribe', 'resync', 'overflow', 'epoch', 'clock'),
    data: dataOf('snapshot'),
  }),
  delta: object({
    type: { const: 'delta' },
    topic: text,
    epoch: text,
    prev: { ...seq, description: 'apply only when this equals the held seq' },
    seq,
    ts: ms,
    'conflated?': { type: 'integer', minimum: 2, description: 'changes merged into this one' },
    data: dataOf('delta'),
  }),
  ping: object({ type: { const: 'ping' }, ts: ms }),
  pong: object({ type: { const: 'pong' }, 'id?': id, ts: ms }),
  error: object({
    type: { const: 'error' },
    'id?': id,
    code: enumSchema(
      'BAD_FRAME',
      'UNKNOWN_OP',
      'AUTH_REQUIRED',
      'AUTH_INVALID',
      'UNKNOWN_TOPIC',
      'UNKNOWN_TICKER',
      'BAD_TIMEFRAME',
      'TOPIC_LIMIT',
      'RATE_LIMITED',
      'INTERNAL_ERROR',
    ),
    message: text,
    'topic?': text,
    fatal: { ...flag, description: 'the connection is closed after this' },
  }),
}

const CLOSES: readonly (readonly [number, string])[] = [
  [CLOSE.normal, 'normal'],
  [CLOSE.stopping, 'server stopping: reconnect with resume after 1 s and jitter'],
  [CLOSE.binary, 'binary frame'],
  [1007, 'text that is not UTF-8'],
  [1009, 'frame too large'],
  [CLOSE.internal, 'internal error: reconnect with backoff 1, 2, 4 … 30 s'],
  [CLOSE.badFrames, 'too many invalid frames'],
  [CLOSE.auth, 'auth missing, invalid, late or revoked: use another key'],
  [CLOSE.silent, 'no frame received for 60 s: reconnect'],
  [CLOSE.slow, 'slow consumer: reconnect with fewer topics'],
  [CLOSE.tooMany, 'too many connections or frames: wait 60 s'],
]

const ABOUT = [
  'Text frames, one JSON object each. Probabilities are 0 to 1.',
  `At most ${LIMITS.connections} connections per key, ${LIMITS.topics} topics per connection, ${LIMITS.frameBytes} bytes per client frame, ${FRAMES_PER_SECOND} frames a second (burst ${FRAME_BURST}).`,
  `Topics: ticker:<t>, trades:<t>, book:<t>, candles:<t>:<${TIMEFRAMES.join('|')}>, movers, movers:<${MOVER_WINDOWS.join('|')}>, world, world:<path>.`,
  ...Object.entries(KINDS).map(([name, { about }]) => `${name}: ${about}`),
  'Apply a delta only if epoch equals the held one and prev equals the held seq; seq at or below the held one: drop; otherwise send resync.',
  `Close codes: ${CLOSES.map(([code, meaning]) => `${code} ${meaning}`).join('; ')}.`,
]

const messagesOf = (frames: Readonly<Record<string, Json>>, prefix: string) =>
  Object.fromEntries(
    Object.entries(frames).map(([name, payload]) => [
      `${prefix}.${name}`,
      { name, contentType: 'application/json', payload },
    ]),
  )
const refsTo = (messages: object, at: string) =>
  Object.keys(messages).map((name) => ({ $ref: `${at}/${name}` }))

/**
 * The AsyncAPI 3.0 document of the socket, generated from the limits and schemas it runs on.
 * @param wsUrl `ws://host:port` of the socket's server
 */
export function asyncApiOf(wsUrl: string): Json {
  const { protocol, host, pathname } = new URL(wsUrl)
  const toServer = messagesOf(CLIENT_FRAMES, 'client')
  const toClient = messagesOf(SERVER_FRAMES, 'server')
  const messages = { ...toServer, ...toClient }
  return {
    asyncapi: '3.0.0',
    info: { title: 'Augury real-time data', version: '1.0.0', description: ABOUT.join('\n\n') },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host,
        pathname: pathname.replace(/\/$/, ''),
        protocol: protocol.replace(':', ''),
        security: [{ $ref: '#/components/securitySchemes/dataKey' }],
      },
    },
    channels: {
      socket: {
        address: '/ws',
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receive: {
        action: 'receive',
        channel: { $ref: '#/channels/socket' },
        summary: 'Messages of clients',
        messages: refsTo(toServer, '#/channels/socket/messages'),
      },
      send: {
        action: 'send',
        channel: { $ref: '#/channels/socket' },
        summary: 'Messages of the server',
        messages: refsTo(toClient, '#/channels/socket/messages'),
      },
    },
    components: {
      messages,
      securitySchemes: {
        dataKey: { type: 'http', scheme: 'bearer', description: 'svct_live_… key' },
      },
    },
  }
}

/** The document as YAML text. */
export const asyncApiText = (wsUrl: string): string =>
  // Schemas are shared objects; anchors would make the text hard to read.
  stringify(JSON.parse(JSON.stringify(asyncApiOf(wsUrl))), { lineWidth: 100 })
