import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../lib/logger.ts'
import { accessService, LAUNCH_SECRET, type AccessService } from '../../testing/access-service.ts'
import { startWholeService } from '../../testing/whole-service.ts'
import type { ModelAccess } from './provider-access.ts'
import { providersRoutes } from './providers.routes.ts'
import { createProviders } from './providers.service.ts'

const PATH = '/api/admin/providers/llm'
const ACCESS = {
  url: 'https://models.example/v1',
  key: 'sk-very-secret',
  models: { cheap: 'small' },
}
const STORED = {
  name: 'llm',
  configured: true,
  source: 'stored',
  url: ACCESS.url,
  hasKey: true,
  models: ACCESS.models,
}
const NONE = {
  name: 'llm',
  configured: false,
  source: null,
  url: null,
  hasKey: false,
  models: null,
}

let dataDir: string
let service: AccessService
let cookie: string
let changes: number

async function start(environment: ModelAccess | null = null) {
  const onChanged = (): void => void (changes += 1)
  const providers = createProviders({ dataDir, environment, logger: silentLogger, onChanged })
  service = await accessService({ dataDir, routes: providersRoutes(providers) })
  cookie = await service.signIn()
  return providers
}
const requested = async (method: string, body?: unknown, path = PATH) => {
  const headers = { cookie, origin: service.url }
  const answer = await service.ask(path, { method, headers, ...(body !== undefined && { body }) })
  return [answer.status, answer.body] as const
}
/** The next process on the same folder. */
const again = (logger = silentLogger) =>
  createProviders({ dataDir, environment: null, logger, onChanged: () => {} })
const stored = () => join(dataDir, 'secrets', 'providers.json')

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'augury-providers-'))
  changes = 0
})
afterEach(async () => {
  await service.close()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('credentials of a provider', () => {
  // [admin.providers.stored] [admin.providers.secret]
  it('are stored for the owner of the folder only, used at once, and the key is never returned', async () => {
    const providers = await start()
    expect(await requested('GET')).toEqual([200, NONE])
    expect(await requested('PUT', ACCESS)).toEqual([200, STORED])
    expect(await requested('GET')).toEqual([200, STORED])
    expect(providers.languageModel()).toEqual(ACCESS)
    expect(changes).toBe(1)
    expect(statSync(stored()).mode & 0o077).toBe(0)
    // A key is sent only to the address it was stored with.
    const [, moved] = await requested('PUT', {
      url: 'https://else.example',
      models: { cheap: 'm' },
    })
    expect([moved['hasKey'], providers.languageModel()?.key]).toEqual([false, null])
    expect(await requested('DELETE')).toEqual([200, NONE])
    expect(await requested('DELETE')).toEqual([200, NONE])
    expect(providers.languageModel()).toBeNull()
  })

  // [admin.providers.stored]
  it('are restored after a restart, with the mode of the file restricted', async () => {
    await start()
    await requested('PUT', { ...ACCESS, models: { cheap: ' small ', medium: '', heavy: 'large' } })
    chmodSync(stored(), 0o644)
    const providers = again()
    expect(providers.languageModel()).toEqual({
      ...ACCESS,
      models: { cheap: 'small', heavy: 'large' },
    })
    expect(statSync(stored()).mode & 0o077).toBe(0)
  })

  // [admin.providers.environment]
  it('of the environment take precedence, and are shown without their values', async () => {
    const providers = await start({ ...ACCESS, url: 'https://name:word@env.example/v1?key=secret' })
    const expected = { ...STORED, source: 'environment', url: 'https://env.example/v1' }
    expect(await requested('GET')).toEqual([200, expected])
    expect(await requested('PUT', { ...ACCESS, url: 'https://other.example' })).toEqual([
      200,
      expected,
    ])
    expect(providers.languageModel()?.url).toContain('env.example')
  })

  it('that cannot be read count as missing, and can be set again', async () => {
    await start()
    await requested('PUT', ACCESS)
    writeFileSync(stored(), '{"llm":{"url":')
    const warnings: unknown[] = []
    const providers = again({ ...silentLogger, warn: (...args) => void warnings.push(args) })
    expect(providers.languageModel()).toBeNull()
    expect(JSON.stringify(warnings)).toContain('set it again')
    expect(await requested('PUT', ACCESS)).toEqual([200, STORED])
    expect(JSON.parse(readFileSync(stored(), 'utf8'))).toEqual({ llm: ACCESS })
  })

  const NOT_URL = 'url must be an http or https address without user name, query or fragment'
  // [admin.providers.refused]
  it.each([
    ['a list', [], 'body must be an object'],
    ['no address', { ...ACCESS, url: undefined }, NOT_URL],
    ['a file', { ...ACCESS, url: 'file:///etc/passwd' }, NOT_URL],
    ['a user name', { ...ACCESS, url: 'https://a:b@c.example' }, NOT_URL],
    ['a key in its address', { ...ACCESS, url: 'https://c.example?key=x' }, NOT_URL],
    ['an address of 3 kB', { ...ACCESS, url: `https://a.example/${'x'.repeat(3_000)}` }, NOT_URL],
    [
      'a key with a line break',
      { ...ACCESS, key: 'a\nb' },
      'key must be 1 to 4096 visible ASCII characters, or absent',
    ],
    [
      'an empty key',
      { ...ACCESS, key: '' },
      'key must be 1 to 4096 visible ASCII characters, or absent',
    ],
    ['no models', { ...ACCESS, models: null }, 'models must be an object with a name for cheap'],
    ['no cheap model', { ...ACCESS, models: { heavy: 'x' } }, 'models.cheap is required'],
    [
      'another tier',
      { ...ACCESS, models: { cheap: 'x', huge: 'y' } },
      'models may name cheap, medium and heavy',
    ],
    [
      'a number as model',
      { ...ACCESS, models: { cheap: 5 } },
      'models.cheap must be a name of 1 to 200 characters',
    ],
  ])('are refused with %s, and the previous ones are kept', async (_case, body, error) => {
    const providers = await start()
    await requested('PUT', ACCESS)
    const [status, answer] = await requested('PUT', body)
    expect([status, answer['error']]).toEqual([400, error])
    expect(providers.languageModel()).toEqual(ACCESS)
  })

  // [admin.providers.refused]
  it('are for administrators, and for providers in use', async () => {
    await start()
    expect((await requested('GET', undefined, '/api/admin/providers/fred'))[0]).toBe(404)
    expect((await requested('PUT', ACCESS, '/api/admin/providers/fred'))[0]).toBe(404)
    const joined = await service.ask('/api/signup', {
      method: 'POST',
      body: { email: 'ann@example.test', password: 'a password of twelve' },
    })
    const other = String(joined.headers['set-cookie']?.[0]).split(';')[0] ?? ''
    for (const [headers, status] of [
      [{}, 401],
      [{ cookie: other, origin: service.url }, 403],
      [{ authorization: `Launch ${LAUNCH_SECRET}` }, 401],
    ] as const) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const sent = method === 'PUT' ? { body: ACCESS } : {}
        expect((await service.ask(PATH, { method, headers, ...sent })).status).toBe(status)
      }
    }
  })
})

describe('the language model of a running service', () => {
  let models: Server
  beforeEach(async () => {
    await start()
    models = createServer((_request, response) => {
      const message = { content: 'Nothing stands out.' }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
    })
    await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => models.close())

  // [admin.providers.stored]
  it('is used from the request after it was set, until it is removed', async () => {
    const whole = await startWholeService()
    try {
      const headers = { cookie: whole.owner.cookie, origin: whole.url }
      const url = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`
      const market = await whole.ask(`/api/public/market/${whole.ticker}`)
      const { title } = JSON.parse(market.text) as { title: string }
      const modelOf = async () => {
        const { text } = await whole.ask(`/api/public/query?q=${encodeURIComponent(title)}`)
        return (JSON.parse(text) as { meta: { model: string | null } }).meta.model
      }
      const change = (method: string, body?: string) =>
        whole.ask(PATH, { method, headers, ...(body !== undefined && { body }) })
      expect(await modelOf()).toBeNull()
      const body = JSON.stringify({ url, models: { cheap: 'small' } })
      expect((await change('PUT', body)).status).toBe(200)
      expect(await modelOf()).toBe('small')
      expect((await change('DELETE')).status).toBe(200)
      expect(await modelOf()).toBeNull()
    } finally {
      await whole.close()
    }
  })
})
