import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../http/routes/route-table.ts'
import {
  gather,
  nameOf,
  pathNamesOf,
  pathOf,
  startWholeService,
  type Person,
  type SentHeaders,
  type WholeService,
} from '../../testing/whole-service.ts'

let service: WholeService

beforeAll(async () => {
  service = await startWholeService()
})
afterAll(() => service.close())

/** A body with an effect on every route that reads one. */
const EFFECTIVE = JSON.stringify({
  name: 'Changed',
  confirm: 'delete my account',
  all: true,
  tier: 'pro',
  isAdmin: true,
  sessionToken: 't'.repeat(43),
  kind: 'trades',
  format: 'csv',
  out: 'taken.csv',
  email: 'taken@example.test',
  password: 'another password',
  paths: ['/tmp'],
})

/** Addresses of a route with ids of a user's resources. */
function addressesOf(route: Route, { id, sessionId, serviceKey, dataKey }: Person): string[] {
  if (pathNamesOf(route).length === 0) return [route.path]
  const ids = [id, sessionId, serviceKey.id, dataKey.id]
  return ids.map((value) => pathOf(route, (name) => (name === 'ticker' ? service.ticker : value)))
}

const isWrite = ({ method }: Route): boolean => method !== 'GET'
const readsCookies = ({ auth }: Route): boolean => auth !== 'none' && auth !== 'owner'

describe('pages of other origins', () => {
  // [auth.csrf.everywhere]
  it('cannot write with a user’s cookie', async () => {
    const before = service.storedRows()
    const writes = service.routes.filter((route) => isWrite(route) && readsCookies(route))
    const origins: Readonly<Record<string, SentHeaders>> = {
      'no origin': {},
      'origin null': { origin: 'null' },
      'foreign origin': { origin: 'https://attacker.test' },
      'origin of another port': { origin: `http://127.0.0.1:${service.port + 1}` },
      'origin that begins like ours': { origin: `${service.url}.attacker.test` },
      'no origin, same site': { 'sec-fetch-site': 'same-site' },
      'own origin, cross-site': { origin: service.url, 'sec-fetch-site': 'cross-site' },
      'no origin, own referer': { referer: `${service.url}/` },
    }
    let covered = 0
    const faults = await gather(writes, async (route) => {
      covered += 1
      const found: string[] = []
      for (const person of [service.owner, service.ann]) {
        for (const path of addressesOf(route, person)) {
          for (const [what, headers] of Object.entries(origins)) {
            const { status, code } = await service.ask(path, {
              method: route.method,
              body: EFFECTIVE,
              headers: { cookie: person.cookie, ...headers },
            })
            if (`${status} ${code}` !== '403 ORIGIN_REFUSED') {
              found.push(`${nameOf(route)}: ${what}: ${status} ${code}`)
            }
          }
        }
      }
      return found
    })
    expect(faults).toEqual([])
    expect(covered).toBeGreaterThan(10)
    expect(service.storedRows()).toBe(before)
  })

  // [auth.csrf.everywhere]
  it('cannot write with a form', async () => {
    const before = service.storedRows()
    const types = [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/plain; a=application/json',
      'application/jsonp',
      'application/csp-report',
      '',
    ]
    const faults = await gather(service.routes.filter(isWrite), async (route) => {
      const found: string[] = []
      for (const type of types) {
        const { status } = await service.ask(addressesOf(route, service.ann)[0] ?? '', {
          method: route.method,
          body: EFFECTIVE,
          headers: {
            cookie: service.ann.cookie,
            'content-type': type,
            ...(route.from !== 'program' && { origin: service.url }),
          },
        })
        if (status !== 415) found.push(`${nameOf(route)}: «${type}»: ${status}`)
      }
      return found
    })
    expect(faults).toEqual([])
    expect(service.storedRows()).toBe(before)
  })

  // [auth.csrf.everywhere]
  it('cannot turn a read into a write', async () => {
    const before = service.storedRows()
    const faults = await gather(service.routes, async (route) => {
      const path = addressesOf(route, service.ann)[0] ?? ''
      const found: string[] = []
      const plain = await service.ask(path, { headers: { cookie: service.ann.cookie } })
      const methods = isWrite(route) ? [route.method] : ['DELETE', 'POST']
      for (const method of methods) {
        const headers = {
          'x-http-method-override': method,
          'x-http-method': method,
          'x-method-override': method,
          cookie: service.ann.cookie,
          origin: service.url,
        }
        const { status } = await service.ask(`${path}?_method=${method}`, { headers })
        if (status !== plain.status) {
          found.push(`${nameOf(route)}: GET as ${method}: ${status}, not ${plain.status}`)
        }
      }
      if (route.rate !== 'general') service.nextMinute()
      return found
    })
    expect(faults).toEqual([])
    expect(service.storedRows()).toBe(before)
  })

  it('are refused where the same request from our page is accepted', async () => {
    const before = service.storedRows()
    const { cookie } = service.owner
    const { status } = await service.ask('/api/keys', {
      method: 'POST',
      body: EFFECTIVE,
      headers: { cookie, origin: service.url },
    })
    expect(status).toBe(201)
    expect(service.storedRows()).not.toBe(before)
  })
})

describe('requests with a foreign Host', () => {
  // [conventions.origins.everywhere]
  it('reach no route and no socket', async () => {
    const before = service.storedRows()
    const { port } = service
    const own = `Host: 127.0.0.1:${port}\r\n`
    const hosts: Readonly<Record<string, string>> = {
      foreign: 'Host: attacker.test\r\n',
      'foreign, our port': `Host: attacker.test:${port}\r\n`,
      'address inside a name': `Host: 127.0.0.1.nip.io:${port}\r\n`,
      'no port': 'Host: 127.0.0.1\r\n',
      'another port': `Host: [::1]:${port + 1}\r\n`,
      'every address': `Host: 0.0.0.0:${port}\r\n`,
      'user before it': `Host: user@127.0.0.1:${port}\r\n`,
      'dot after it': `Host: localhost.:${port}\r\n`,
      empty: 'Host: \r\n',
      missing: '',
      doubled: `${own}Host: attacker.test\r\n`,
      'doubled, foreign first': `Host: attacker.test\r\n${own}`,
      'the same twice': `${own}${own}`,
      'by another header': `Host: attacker.test\r\nX-Forwarded-Host: 127.0.0.1:${port}\r\n`,
    }
    const { cookie } = service.owner
    const statusOf = async (first: string, host: string, more: string): Promise<string> => {
      const text = `${first} HTTP/1.1\r\n${host}Cookie: ${cookie}\r\nOrigin: ${service.url}\r\n${more}\r\n`
      return (await service.askByHand(text)).slice(9, 12)
    }
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
    const targets = [
      ...service.routes.map((route) => ({
        name: nameOf(route),
        method: route.method,
        more: 'Connection: close\r\n',
        path: addressesOf(route, service.owner)[0] ?? '',
      })),
      { name: 'GET /ws', method: 'GET', path: '/ws', more: upgrade },
    ]
    const faults = await gather(targets, async ({ name, method, path, more }) => {
      const found: string[] = []
      const record = async (what: string, first: string, host: string): Promise<void> => {
        const status = await statusOf(first, host, more)
        // Node itself refuses a request without a host.
        if (status !== '403' && status !== '400') found.push(`${name}: host ${what}: ${status}`)
      }
      for (const [what, host] of Object.entries(hosts))
        await record(what, `${method} ${path}`, host)
      await record('in the target', `${method} http://attacker.test${path}`, own)
      await record('in the target, ours', `${method} http://127.0.0.1:${port}${path}`, own)
      return found
    })
    expect(faults).toEqual([])
    expect(targets).toHaveLength(service.routes.length + 1)
    expect(service.storedRows()).toBe(before)
  })

  // [conventions.paths.no-climbing]
  it('do not reach one route through the path of another', async () => {
    const openers = service.routes.filter((route) => pathNamesOf(route).length > 0)
    // The route does not matter for a path with `..`, so every fifth of a method is enough.
    const routes = Map.groupBy(service.routes, ({ method }) => method)
    const aimsOf = (method: string) =>
      (routes.get(method) ?? []).filter((_, index) => index % 5 === 0)
    const faults = await gather(openers, async (opener) => {
      const start = pathOf(opener, () => 'x')
      const found: string[] = []
      for (const up of ['..', '%2e%2e']) {
        const back = `${up}/`.repeat(start.split('/').length - 1)
        for (const aim of aimsOf(opener.method)) {
          const path = `${start}/${back}${pathOf(aim, () => 'x').slice(1)}`
          const { status } = await service.ask(path, { method: opener.method })
          if (status !== 404) found.push(`${nameOf(opener)} to ${nameOf(aim)} by ${up}: ${status}`)
        }
      }
      return found
    })
    expect(faults).toEqual([])
  })
})
