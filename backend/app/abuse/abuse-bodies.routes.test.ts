import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../http/routes/route-table.ts'
import { systemClock } from '../../lib/clock.ts'
import { sampled } from '../../../scripts/properties.ts'
import { admittedAt } from '../../testing/admitted.ts'
import { faultOf } from '../../testing/answer-faults.ts'
import { eventually } from '../../testing/eventually.ts'
import { claimedBy, endpointOf } from '../../testing/marked-things.ts'
import { bodyWith, canBe, valuesFor } from '../../testing/field-values.ts'
import { BROKEN_JSON, HEAVY_VALUES, NO_OBJECTS, POLLUTING } from '../../testing/hostile-input.ts'
import {
  BODILESS,
  MEANT,
  OFF,
  OPTIONAL,
  PARTIAL,
  RULE,
  SPEC,
  takenBodies,
  type AcceptedRequest,
} from '../../testing/taken-bodies.ts'
import {
  gather,
  nameOf,
  pathOf,
  startWholeService,
  type Answer,
  type Person,
  type SentHeaders,
  type WholeService,
} from '../../testing/whole-service.ts'

let service: WholeService
let folder: string
/** A valid body of each write route. */
let acceptedRequests: Readonly<Record<string, AcceptedRequest>>
let covered = 0
let started = 0
/** A panel of the test user. */
let panelId = 'none'
/** A pending intent of the test user. */
let intentId = 'none'
let thesisId = 'none'
let endpointId = 'none'
let sent = 0
/** A watched object and an alert rule of the test user. */
let watched = { id: 'none', rule: 'none' }
/** Watches a market with an alert; returns the ids. */
async function watchedBy(token: string): Promise<typeof watched> {
  const { text } = await service.ask('/api/watch', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...RULE, ticker: service.ticker, threshold: 99 }),
  })
  const { id, rule } = JSON.parse(text) as { id: string; rule: { id: string } }
  return { id, rule: rule.id }
}
/** Creates a pending intent; returns its id. */
async function meantBy(token: string): Promise<string> {
  const { text } = await service.ask('/api/intents', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...MEANT, marketId: service.ticker }),
  })
  return (JSON.parse(text) as { id: string }).id
}

beforeAll(async () => {
  service = await startWholeService()
  person = service.ann
  folder = mkdtempSync(join(tmpdir(), 'augury-bodies-'))
  writeFileSync(join(folder, 'rows.csv'), 'a,b\n1,2\n')
  const board = await service.ask('/api/dashboard2/market-watch/panels', {
    method: 'POST',
    headers: { cookie: service.ann.cookie, origin: service.url },
    body: JSON.stringify({ spec: SPEC }),
  })
  panelId = (JSON.parse(board.text) as { panel: { id: string } }).panel.id
  intentId = await meantBy(service.ann.token)
  thesisId = await claimedBy(service, service.ann)
  watched = await watchedBy(service.ann.token)
  endpointId = await endpointOf(service, service.ann)
  acceptedRequests = takenBodies({ ticker: service.ticker, folder })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const writes = (): Route[] => service.routes.filter(({ method }) => method !== 'GET')
const withBody = (): Route[] => writes().filter((route) => !BODILESS.includes(nameOf(route)))
const placeOf = (route: Route): string =>
  pathOf(route, (name) => {
    if (name === 'name') return 'llm'
    if (route.path.startsWith('/api/intents')) return route.method === 'PATCH' ? intentId : 'none'
    if (route.path.startsWith('/api/thesis')) return route.method === 'DELETE' ? 'none' : thesisId
    if (route.path.startsWith('/api/watch')) return route.method === 'PATCH' ? watched.id : 'none'
    if (route.path.startsWith('/api/webhook-endpoints'))
      return route.method === 'DELETE' ? 'none' : endpointId
    if (route.path.startsWith('/api/alert-rules'))
      return route.method === 'PATCH' ? watched.rule : 'none'
    if (route.path.startsWith('/api/admin/users')) return service.ben.id
    return route.method === 'PATCH' ? panelId : 'none'
  })

/** The user of most requests. */
let person: Person
let spare: SentHeaders | null = null
/** Authenticated users; sessions that a route ends are created again. */
async function letIn(route: Route): Promise<SentHeaders> {
  if (nameOf(route) !== 'POST /api/auth/signout') return admittedAt(route, person, service)
  spare ??= { authorization: `Bearer ${(await service.signIn(service.ben)).token}` }
  return spare
}

/** Sends a body; returns the response, and the fault of the response or its effects. */
async function put(
  route: Route,
  body: string | Uint8Array,
): Promise<{ answer: Answer; fault: string | null }> {
  sent += 1
  service.nextMinute()
  const headers = await letIn(route)
  const before = service.storedRows()
  const sentAt = systemClock.monotonic()
  const answer = await service.ask(placeOf(route), { method: route.method, headers, body })
  const elapsedMs = systemClock.monotonic() - sentAt
  if (answer.status < 300) spare = null
  const fault = faultOf(answer, route, service, elapsedMs)
  if (fault !== null) return { answer, fault }
  if (answer.status >= 400 && service.storedRows() !== before) {
    return { answer, fault: `${answer.status}, but rows changed` }
  }
  await undone(route, answer)
  // Theses and deliveries run by themselves; their answers name no job.
  const isJob = answer.status === 202 && !/^\/api\/(?:thesis|webhook-endpoints)/.test(route.path)
  return { answer, fault: isJob ? await ended(route, answer) : null }
}

/** Undoes effects that would affect the next request. */
async function undone(route: Route, { status, text }: Answer): Promise<void> {
  if (status >= 300) return
  const own = { cookie: service.ann.cookie, origin: service.url }
  const isPanel = nameOf(route) === 'POST /api/dashboard2/market-watch/panels'
  if (isPanel) {
    const { panel } = JSON.parse(text) as { panel: { id: string } }
    await service.ask(`${route.path}/${panel.id}`, { method: 'DELETE', headers: own })
  }
  // A channel can be added once.
  if (nameOf(route) === 'POST /api/forum/channels') {
    const { channel } = JSON.parse(text) as { channel: { id: string } }
    await service.ask(`${route.path}/${channel.id}`, { method: 'DELETE', headers: own })
  }
  // A configured language model would be called by later routes.
  if (route.method === 'PUT' && route.path.startsWith('/api/admin/providers')) {
    const headers = admittedAt(route, service.owner, service)
    await service.ask(placeOf(route), { method: 'DELETE', headers })
  }
}

/** Whether a body was refused as invalid. */
const isRefused = ({ status, code, text }: Answer): boolean =>
  status === 400 &&
  (code === 'VALIDATION_ERROR' || code?.startsWith('THESIS_') || text.startsWith('{"reason":"'))

/** Cancels the job of a request, and waits for its end; returns the faults of its report. */
async function ended(route: Route, { text }: Answer): Promise<string | null> {
  const path = `${route.path}/${(JSON.parse(text) as { id: string }).id}`
  const headers = admittedAt(route, service.owner, service)
  const report = service.routes.find((one) => nameOf(one) === `GET ${route.path}/:id`)
  if (report === undefined) return 'no report of the started job'
  // Some complete by themselves; their reports are checked too.
  if ((started += 1) % 6 !== 0 || route.path === '/api/backups') {
    await service.ask(path, { method: 'DELETE', headers })
  }
  return eventually(async () => {
    const answer = await service.ask(path, { headers })
    expect(answer.text).not.toMatch(/"state":"(?:queued|running)"/)
    return faultOf(answer, report, service, 0)
  })
}

const textOf = (text: string | Uint8Array): string =>
  JSON.stringify(
    typeof text === 'string' ? text.slice(0, 60) : Buffer.from(text).toString('hex').slice(0, 60),
  )

// [conventions.input.classified]
it('every write route has an example body or takes none', () => {
  expect(writes().map(nameOf).sort()).toEqual(
    [...Object.keys(acceptedRequests), ...BODILESS].sort(),
  )
})

describe('the body of every write', () => {
  // [conventions.input.broken]
  it('must be JSON; otherwise nothing is written', async () => {
    const faults = await gather(
      writes(),
      async (route) => {
        covered += 1
        const found: string[] = []
        const takesNone = BODILESS.includes(nameOf(route))
        for (const body of BROKEN_JSON) {
          const { answer, fault } = await put(route, body)
          const isRight =
            takesNone ||
            OFF.includes(nameOf(route)) ||
            answer.text === '{"error":"Invalid JSON","code":"VALIDATION_ERROR"}' ||
            answer.text.startsWith('{"reason":"invalid_json_body"')
          if (fault !== null || !isRight) {
            found.push(
              `${nameOf(route)} ${textOf(body)}: ${fault ?? `${answer.status} ${answer.text}`}`,
            )
          }
        }
        return found
      },
      1,
    )
    expect(faults).toEqual([])
    expect(covered).toBe(writes().length)
  })

  // [conventions.input.no-object]
  it('must be an object; otherwise nothing is written', async () => {
    const faults = await gather(
      withBody().filter((route) => !OFF.includes(nameOf(route))),
      async (route) => {
        const found: string[] = []
        const isOptional = OPTIONAL.includes(nameOf(route))
        for (const body of [...NO_OBJECTS, ...(isOptional ? [] : ['', 'null', '{}'])]) {
          const isPartial = route.method === 'PATCH' || PARTIAL.includes(nameOf(route))
          if (body === '{}' && isPartial) continue
          const { answer, fault } = await put(route, body)
          if (fault !== null || !isRefused(answer)) {
            found.push(
              `${nameOf(route)} ${textOf(body)}: ${fault ?? `${answer.status} ${answer.text}`}`,
            )
          }
        }
        return found
      },
      1,
    )
    expect(faults).toEqual([])
  })

  // [conventions.input.fields]
  it('must have valid values in every field; otherwise nothing is written', async ({
    annotate,
  }) => {
    let row = 0
    const outside = [dirname(folder), service.dataDir, dirname(dirname(folder))]
    const takenNames = () =>
      outside.flatMap((place) =>
        readdirSync(place).filter((name) => /passwd|^x$|^augury-taken$/.test(name)),
      )
    // Other programs use the folder of temporary files too.
    const namesBefore = takenNames()
    const faults = await gather(
      withBody().filter((route) => !OFF.includes(nameOf(route))),
      async (route) => {
        const found: string[] = []
        const { body: fields, texts } = acceptedRequests[nameOf(route)]!
        for (const [index, [name, good]] of Object.entries(fields).entries()) {
          const heavy = Object.values(HEAVY_VALUES).slice(index === 0 ? 0 : -3)
          row += 1
          const values = sampled([...valuesFor(name, good, index === 0), ...heavy], row)
          for (const value of values) {
            const { answer, fault } = await put(route, bodyWith(fields, name, value))
            const isWrong =
              fault !== null || (!canBe(value, name, good, texts) && answer.status < 400)
            if (isWrong) {
              found.push(`${nameOf(route)} ${name}=${textOf(value)}: ${fault ?? answer.status}`)
            }
          }
        }
        return found
      },
      1,
    )
    expect(faults).toEqual([])
    await annotate(`${covered} writes, ${sent} bodies`)
    expect(takenNames()).toEqual(namesBefore)
    // Every field of every write, one value at a time.
  }, 600_000)
})

describe('body encoding and size', () => {
  // [conventions.input.sizes]
  it('over its limit is refused before it is read, with or without a content-length', async () => {
    for (const route of writes()) await letIn(route)
    const before = service.storedRows()
    const faults = await gather(service.routes, async (route) => {
      const found: string[] = []
      const over = route.bodyLimit + 1
      const { port } = service
      const head = `${route.method} ${placeOf(route)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\nContent-Type: application/json\r\n`
      const announced = (await service.askByHand(`${head}Content-Length: ${over}\r\n\r\n{`)).slice(
        9,
        12,
      )
      if (announced !== '413') found.push(`${nameOf(route)}: announced ${over}: ${announced}`)
      if (route.method === 'GET') return found
      service.nextMinute()
      const { status } = await service.ask(placeOf(route), {
        method: route.method,
        headers: { ...(await letIn(route)), 'transfer-encoding': 'chunked' },
        body: `{"name":"${'x'.repeat(over)}"}`,
      })
      if (status !== 413) found.push(`${nameOf(route)}: in pieces: ${status}`)
      return found
    })
    expect(faults).toEqual([])
    expect(service.storedRows()).toBe(before)
  })

  // [conventions.input.types]
  it('must be plain JSON; other content types are refused unread', async () => {
    const before = service.storedRows()
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20))
    const types: readonly SentHeaders[] = [
      { 'content-type': 'application/xml' },
      { 'content-type': 'application/x-ndjson' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'application/json, text/plain' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-encoding': 'identity, gzip' },
    ]
    const faults = await gather(service.routes, async (route) => {
      const found: string[] = []
      for (const headers of types) {
        service.nextMinute()
        const { status, code } = await service.ask(placeOf(route), {
          method: route.method,
          body: bomb,
          headers: { ...(await letIn(route)), ...headers },
        })
        if (`${status} ${code}` !== '415 UNSUPPORTED_MEDIA_TYPE') {
          found.push(`${nameOf(route)}: ${JSON.stringify(headers)}: ${status} ${code}`)
        }
      }
      return found
    })
    expect(faults).toEqual([])
    expect(service.storedRows()).toBe(before)
  })
})

// Last, because these requests take effect.
describe('unknown fields of a body', () => {
  // [conventions.input.unknown-fields]
  it('are ignored, whatever their names', async () => {
    const before = service.storedRows()
    const fresh = { email: 'gus@example.test', password: 'a password of twelve' }
    const created = await service.ask('/api/signup', {
      method: 'POST',
      body: JSON.stringify(fresh),
    })
    const { session } = JSON.parse(created.text) as { session: { accessToken: string } }
    person = { ...service.ann, token: session.accessToken }
    intentId = await meantBy(session.accessToken)
    thesisId = await claimedBy(service, person)
    watched = await watchedBy(session.accessToken)
    endpointId = await endpointOf(service, person)
    const last = (route: Route): boolean => nameOf(route) === 'DELETE /api/auth/me'
    const routes = withBody().sort((a, b) => Number(last(a)) - Number(last(b)))
    const faults = await gather(
      routes,
      async (route) => {
        const { body, status: expected } = acceptedRequests[nameOf(route)]!
        const found: string[] = []
        const unknown = [...POLLUTING, '"unknown":1', '"userId":"usr_x","isOwner":true', '"":""']
        const accepted = JSON.stringify(body).slice(1, -1).replace('eve@', 'fay@')
        const extra = unknown.join()
        const { answer, fault } = await put(
          route,
          `{${[extra, accepted, extra].filter((one) => one !== '').join()}}`,
        )
        if (fault !== null || answer.status !== expected) {
          found.push(`${nameOf(route)}: ${fault ?? `${answer.status} ${answer.text}`}`)
        }
        return found
      },
      1,
    )
    expect(faults).toEqual([])
    // Effects are visible in the rows, which proves that the other requests had none.
    expect(service.storedRows()).not.toBe(before)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
    const { cookie } = await service.ownerSession()
    const { text } = await service.ask('/api/admin/users', { headers: { cookie } })
    const { data } = JSON.parse(text) as { data: { isAdmin: boolean; isOwner: boolean }[] }
    expect(data.filter(({ isAdmin, isOwner }) => isAdmin || isOwner)).toHaveLength(1)
  })
})
