import { afterEach, describe, expect, it } from 'vitest'
import type { FakeClock } from '../../../testing/fake-clock.ts'
import {
  connectSocket,
  HandshakeRefused,
  type SocketClient,
} from '../../../testing/socket-client.ts'
import { until } from '../../../testing/socket-server.ts'
import { keyOf, startSocketService, type SocketService } from '../../../testing/socket-service.ts'

const clock = (service: SocketService): FakeClock => service.fakeClock
const bearer = (name: string) => ({ authorization: `Bearer ${keyOf(name)}` })
const opened: (SocketService | SocketClient)[] = []
const keep = <T extends SocketService | SocketClient>(thing: T): T => {
  opened.push(thing)
  return thing
}
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) {
    await ('close' in thing ? thing.close() : thing.stop())
  }
})
const start = async (options?: Parameters<typeof startSocketService>[0]) =>
  keep(await startSocketService(options))
const connect = async (service: SocketService, headers: Record<string, string> = bearer('ann')) =>
  keep(await connectSocket(service.url, headers))
const refusal = async (url: string, headers: Record<string, string>): Promise<HandshakeRefused> => {
  try {
    keep(await connectSocket(url, headers))
  } catch (error) {
    if (error instanceof HandshakeRefused) return error
    throw error
  }
  throw new Error('the handshake was accepted')
}

describe('handshake', () => {
  it('accepts a data key at once [data-service.socket.header-auth]', async () => {
    const client = await connect(await start())
    expect(await client.next('hello')).toEqual({
      type: 'hello',
      connection: expect.any(String),
      time: Date.parse('2026-11-20T14:00:00.000Z'),
      authenticated: true,
      limits: { connections: 5, topics: 200, frameBytes: 65_536, heartbeatSeconds: 20 },
    })
    expect(client.frames[0]?.type).toBe('hello')
  })

  it('accepts the session cookie at once', async () => {
    const client = await connect(await start(), { cookie: 'session=ann' })
    expect(await client.next('hello')).toMatchObject({ authenticated: true })
  })

  it.each([
    ['a service key', 'Bearer svc_live_whatever'],
    ['no scheme', keyOf('ann')],
    ['another scheme', `Basic ${keyOf('ann')}`],
  ])('answers 401 without an upgrade to %s', async (_what, authorization) => {
    const { status, body } = await refusal((await start()).url, { authorization })
    expect(status).toBe(401)
    expect(JSON.parse(body)).toMatchObject({ code: 'AUTH_INVALID' })
  })

  it('answers 401 to a revoked key', async () => {
    const service = await start()
    service.access.revoke('ann')
    expect((await refusal(service.url, bearer('ann'))).status).toBe(401)
  })

  it('answers 403 to a foreign Origin before it checks credentials', async () => {
    const foreign = { origin: 'https://evil.example', authorization: 'Bearer nonsense' }
    const { status, body } = await refusal((await start()).url, foreign)
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('answers 403 to a foreign Host', async () => {
    const { status, body } = await refusal((await start()).url, { host: 'evil.example' })
    expect(status).toBe(403)
    expect(JSON.parse(body)).toMatchObject({ code: 'HOST_REFUSED' })
  })

  it('accepts its own Origin', async () => {
    const service = await start()
    const client = await connect(service, { origin: service.bound.url, ...bearer('ann') })
    expect(await client.next('hello')).toMatchObject({ authenticated: true })
  })

  it('ignores a key in the address', async () => {
    const service = await start()
    const client = keep(await connectSocket(`${service.url}?key=${keyOf('ann')}`))
    expect(await client.next('hello')).toMatchObject({ authenticated: false })
  })

  it('answers 404 to an upgrade elsewhere', async () => {
    const service = await start()
    const elsewhere = service.url.replace('/ws', '/v1/markets')
    expect((await refusal(elsewhere, bearer('ann'))).status).toBe(404)
  })

  it('answers 503 before the first load', async () => {
    const service = await start()
    service.state.isReady = false
    expect((await refusal(service.url, bearer('ann'))).status).toBe(503)
  })

  it('refuses the sixth connection of a key with the 429 envelope and keeps the other five [data-service.socket.connection-limit]', async () => {
    const service = await start()
    const five = []
    for (let i = 0; i < 5; i += 1) five.push(await connect(service))
    const { status, body } = await refusal(service.url, bearer('ann'))
    expect(status).toBe(429)
    expect(JSON.parse(body)).toEqual({
      ok: false,
      error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' },
    })
    for (const client of five) {
      client.send({ op: 'ping' })
      await client.next('pong')
    }
    expect(await (await connect(service, bearer('bob'))).next('hello')).toBeDefined()
    await five[0]?.close()
    await until(() => service.hub.clients === 5)
    expect(await (await connect(service)).next('hello')).toBeDefined()
  })
})

describe('invalid credentials', () => {
  // [limits.evasion.credentials]
  it('count for their address, in handshakes and in frames', async () => {
    const service = await start({ fairUse: 4 })
    for (const authorization of ['Bearer svc_live_a', 'Bearer svc_live_b']) {
      expect((await refusal(service.url, { authorization })).status).toBe(401)
    }
    for (const key of ['wrong', 'wrong again']) {
      const client = await connect(service, {})
      client.send({ op: 'auth', key })
      await until(() => service.hub.clients === 0)
    }
    const authorization = 'Bearer svc_live_c'
    expect((await refusal(service.url, { authorization })).status).toBe(429)
    expect((await fetch(`${service.bound.url}/nowhere`)).status).toBe(429)
    // A valid key is not blocked by invalid ones.
    expect(await (await connect(service)).next('hello')).toMatchObject({ authenticated: true })
  })
})

describe('authentication by the first frame', () => {
  it('acknowledges a valid key [data-service.socket.frame-auth]', async () => {
    const client = await connect(await start(), {})
    expect(await client.next('hello')).toMatchObject({ authenticated: false })
    client.send({ op: 'auth', key: keyOf('ann'), id: 7 })
    const ack = { type: 'ack', op: 'auth', id: 7, topics: [], rejected: [], subscribed: 0 }
    expect(await client.next('ack')).toEqual(ack)
    client.send({ op: 'ping', id: 'p' })
    expect(await client.next('pong')).toMatchObject({ id: 'p' })
  })

  it.each([
    ['any other frame', '{"op":"ping"}', 'AUTH_REQUIRED'],
    ['what is no frame', 'hello', 'AUTH_REQUIRED'],
    ['a bad key', '{"op":"auth","key":"svc_live_x"}', 'AUTH_INVALID'],
  ])('closes 4401 after %s', async (_what, text, code) => {
    const client = await connect(await start(), {})
    client.sendText(text)
    expect(await client.next('error')).toMatchObject({ code, fatal: true })
    expect(await client.closed).toBe(4401)
  })

  it('closes 4401 after five seconds of silence', async () => {
    const service = await start()
    const client = await connect(service, {})
    await clock(service).advance(4_900)
    expect(client.socket.readyState).toBe(client.socket.OPEN)
    await clock(service).advance(400)
    expect(await client.next('error')).toMatchObject({ code: 'AUTH_REQUIRED', fatal: true })
    expect(await client.closed).toBe(4401)
  })

  it('closes the sixth connection of a key with 4429', async () => {
    const service = await start()
    for (let i = 0; i < 5; i += 1) await connect(service)
    const sixth = await connect(service, {})
    sixth.send({ op: 'auth', key: keyOf('ann') })
    expect(await sixth.next('error')).toMatchObject({ code: 'RATE_LIMITED', fatal: true })
    expect(await sixth.closed).toBe(4429)
    await until(() => service.hub.clients === 5)
  })

  it('closes 4401 at once when the key is revoked [data-service.socket.revoked]', async () => {
    const service = await start()
    const [ann, bob] = [await connect(service), await connect(service, bearer('bob'))]
    service.access.revoke('ann')
    expect(await ann.next('error')).toMatchObject({ code: 'AUTH_INVALID', fatal: true })
    expect(await ann.closed).toBe(4401)
    bob.send({ op: 'ping' })
    await bob.next('pong')
  })
})

describe('connection life cycle', () => {
  it('pings every 20 seconds and closes 4408 after 60 without a frame [data-service.socket.heartbeat]', async () => {
    const service = await start()
    const [quiet, lively] = [await connect(service), await connect(service, bearer('bob'))]
    for (let second = 0; second < 59; second += 1) {
      await clock(service).advance(1_000)
      if (second % 30 === 29) {
        lively.send({ op: 'pong' })
        lively.send({ op: 'ping' })
        await lively.next('pong')
      }
    }
    await until(() => quiet.frames.filter(({ type }) => type === 'ping').length === 2)
    await clock(service).advance(1_500)
    expect(await quiet.closed).toBe(4408)
    lively.send({ op: 'ping' })
    await lively.next('pong')
  })

  it('sends 1001 to all clients when the server stops', async () => {
    const service = await start()
    const clients = [await connect(service), await connect(service, {})]
    await service.bound.close(1_000)
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001])
  })
})

describe('frames', () => {
  it.each([
    ['no JSON', 'x', 'BAD_FRAME', undefined],
    ['no object', '[1]', 'BAD_FRAME', undefined],
    ['no op', '{"id":1}', 'BAD_FRAME', 1],
    ['an op of another type', '{"op":5,"id":"a"}', 'BAD_FRAME', 'a'],
    ['an unknown op', '{"op":"fly","id":2}', 'UNKNOWN_OP', 2],
    ['an id of another type', '{"op":"ping","id":{}}', 'BAD_FRAME', undefined],
    ['topics that are no list', '{"op":"subscribe","topics":"movers"}', 'BAD_FRAME', undefined],
    ['no topics', '{"op":"subscribe","topics":[]}', 'BAD_FRAME', undefined],
    ['topics of another type', '{"op":"resync","topics":[5]}', 'BAD_FRAME', undefined],
    [
      '201 topics',
      JSON.stringify({ op: 'unsubscribe', topics: Array(201).fill('movers') }),
      'BAD_FRAME',
      undefined,
    ],
    [
      'a bad resume',
      '{"op":"subscribe","topics":["movers"],"resume":{"movers":1}}',
      'BAD_FRAME',
      undefined,
    ],
  ])('answers %s with an error and stays open', async (_what, text, code, id) => {
    const client = await connect(await start())
    client.sendText(text)
    const error = await client.next('error')
    expect(error).toMatchObject({ code, fatal: false })
    expect(error.id).toBe(id)
    client.send({ op: 'ping' })
    await client.next('pong')
  })

  it('closes 4400 at the sixth bad frame in a minute [data-service.socket.bad-frames]', async () => {
    const service = await start()
    const client = await connect(service)
    for (let i = 0; i < 5; i += 1) client.sendText('x')
    for (let i = 0; i < 5; i += 1)
      expect(await client.next('error')).toMatchObject({ fatal: false })
    await clock(service).advance(30_000)
    client.sendText('x')
    expect(await client.next('error')).toMatchObject({ code: 'BAD_FRAME', fatal: true })
    expect(await client.closed).toBe(4400)
  })

  it('resets the count of bad frames after a minute', async () => {
    const service = await start()
    const client = await connect(service)
    for (let i = 0; i < 5; i += 1) client.sendText('x')
    for (let i = 0; i < 5; i += 1) await client.next('error')
    await clock(service).advance(30_000)
    client.send({ op: 'pong' })
    client.send({ op: 'ping' })
    await client.next('pong')
    await clock(service).advance(31_000)
    client.sendText('x')
    expect(await client.next('error')).toMatchObject({ fatal: false })
  })

  it('closes 4429 after more frames than 50 at once [data-service.socket.frame-limit]', async () => {
    const client = await connect(await start())
    for (let i = 0; i < 51; i += 1) client.send({ op: 'ping' })
    expect(await client.next('error')).toMatchObject({ code: 'RATE_LIMITED', fatal: true })
    expect(await client.closed).toBe(4429)
  })

  it('accepts 20 more frames with each second', async () => {
    const service = await start()
    const client = await connect(service)
    for (let round = 0; round < 3; round += 1) {
      const frames = round === 0 ? 50 : 20
      for (let i = 0; i < frames; i += 1) client.send({ op: 'ping' })
      for (let i = 0; i < frames; i += 1) await client.next('pong')
      await clock(service).advance(1_000)
    }
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  it('closes 1003 after a binary frame', async () => {
    const client = await connect(await start())
    client.socket.send(Buffer.from('{"op":"ping"}'), { binary: true })
    expect(await client.closed).toBe(1003)
  })

  it('accepts a frame of 64 kB and closes 1009 after a larger one', async () => {
    const client = await connect(await start())
    const ping = (bytes: number): string => {
      const frame = JSON.stringify({ op: 'ping', id: '' })
      return frame.replace('""', `"${'a'.repeat(bytes - frame.length)}"`)
    }
    client.sendText(ping(65_536))
    expect((await client.next('pong')).id).toHaveLength(65_536 - '{"op":"ping","id":""}'.length)
    client.sendText(ping(65_537))
    expect(await client.closed).toBe(1009)
  })

  it('answers a control ping and counts it as activity', async () => {
    const service = await start()
    const client = await connect(service)
    const ponged = new Promise<string>((resolve) =>
      client.socket.once('pong', (data: Buffer) => resolve(data.toString())),
    )
    client.socket.ping('are you there')
    expect(await ponged).toBe('are you there')
  })

  it('answers frames one after another', async () => {
    const client = await connect(await start())
    client.send({ op: 'subscribe', topics: ['ticker:KXONE'], id: 1 })
    client.send({ op: 'unsubscribe', topics: ['ticker:KXONE'], id: 2 })
    client.send({ op: 'ping', id: 3 })
    await client.next('pong')
    const ids = client.frames.flatMap((frame) => ('id' in frame ? [frame.id] : []))
    expect(ids).toEqual([1, 2, 3])
  })
})
