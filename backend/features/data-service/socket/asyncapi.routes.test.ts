import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createHttpApp } from '../../../http/app.ts'
import { listen } from '../../../http/server.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { FakeClock } from '../../../testing/fake-clock.ts'
import { asyncApiRoutes } from './asyncapi.routes.ts'

interface Document {
  asyncapi: string
  servers: { local: { host: string; protocol: string } }
  channels: { socket: { address: string; messages: Record<string, { $ref: string }> } }
  components: { messages: Record<string, { payload: { required: string[] } }> }
}

const closers: (() => Promise<void>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

async function read() {
  const app = createHttpApp({ logger: silentLogger }).use(asyncApiRoutes('ws://augury.test:4870'))
  const clock = new FakeClock()
  const server = await listen(app, { host: '127.0.0.1', port: 0, clock, logger: silentLogger })
  closers.push(() => server.close(0))
  return fetch(`${server.url}/asyncapi.yaml`)
}

describe('GET /asyncapi.yaml', () => {
  it('describes every frame of the socket in AsyncAPI 3.0 [data-service.socket.described]', async () => {
    const response = await read()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('max-age=300')
    const document = parse(await response.text()) as Document
    expect(document.asyncapi).toBe('3.0.0')
    expect(document.servers.local).toMatchObject({ host: 'augury.test:4870', protocol: 'ws' })
    const names = Object.keys(document.components.messages)
    const client = ['auth', 'subscribe', 'unsubscribe', 'resync', 'ping', 'pong']
    const server = ['hello', 'ack', 'snapshot', 'delta', 'ping', 'pong', 'error']
    expect(names).toEqual([
      ...client.map((name) => `client.${name}`),
      ...server.map((name) => `server.${name}`),
    ])
    expect(Object.keys(document.channels.socket.messages)).toEqual(names)
    expect(document.components.messages['server.delta']?.payload.required).toEqual([
      'type',
      'topic',
      'epoch',
      'prev',
      'seq',
      'ts',
      'data',
    ])
  })

  it('has no dangling references', async () => {
    const text = await (await read()).text()
    const document = parse(text) as unknown
    const refs = [...text.matchAll(/\$ref: "?#\/([^\s"]+)/g)].map(([, path]) => path ?? '')
    expect(refs.length).toBeGreaterThan(10)
    for (const ref of refs) {
      const found = ref
        .split('/')
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
      expect(found, ref).toBeDefined()
    }
  })
})
