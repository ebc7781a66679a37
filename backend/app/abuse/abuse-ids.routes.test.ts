import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import type { Route } from '../../http/routes/route-table.ts'
import { sampled } from '../../../scripts/properties.ts'
import { newId } from '../../lib/ids.ts'
import { admittedAt } from '../../testing/admitted.ts'
import { NAMES_OF_USERS, NOTHING, spellingsOf } from '../../testing/foreign-ids.ts'
import {
  MARKED_INTENT,
  MARKED_TICK,
  MARKED_PANEL,
  MARKED_THESIS,
  endpointOf,
  MARKED_ENDPOINT,
  MARKED_WATCH,
  administeredBy,
  boarded,
  claimedBy,
  idIn,
  marked,
  meantBy,
  reportedBy,
  playedBy,
  watchedBy,
} from '../../testing/marked-things.ts'
import {
  ADMINISTERED,
  OWN,
  OWNED,
  PUBLIC,
  SERVICE,
  type Administered,
  type OfOneUser,
} from '../../testing/routes-by-owner.ts'
import {
  gather,
  nameOf,
  pathNamesOf,
  pathOf,
  startWholeService,
  type Answer,
  type Person,
  type SentHeaders,
  type WholeService,
} from '../../testing/whole-service.ts'

let service: WholeService
let folder: string
let created: Administered
/** Resources of Ann only. */
let ofAnn: OfOneUser
/** Texts that only this user may read. */
let secretsOfAnn: string[]
let idsOfAnn: string[]

beforeAll(async () => {
  service = await startWholeService()
  folder = mkdtempSync(join(tmpdir(), 'augury-ids-'))
  const { ann, owner } = service
  secretsOfAnn = [ann.email ?? '', ...(await marked(service, ann)), MARKED_PANEL, ann.token]
  secretsOfAnn.push(ann.serviceKey.key, ann.dataKey.key)
  const panelId = await boarded(service, ann)
  const backtestId = await playedBy(service, ann)
  const intentId = await meantBy(service, ann)
  const { watchId, ruleId } = await watchedBy(service, ann)
  const thesisId = await claimedBy(service, ann)
  const endpointId = await endpointOf(service, ann)
  const ownIds = await reportedBy(service, ann)
  const traded = { backtestId, intentId, ...ownIds }
  ofAnn = { ...ann, ...traded, panelId, watchId, ruleId, thesisId, endpointId }
  secretsOfAnn.push(MARKED_TICK, MARKED_INTENT, MARKED_WATCH, MARKED_THESIS, MARKED_ENDPOINT)
  idsOfAnn = [ann.id, ann.sessionId, ann.serviceKey.id, ann.dataKey.id, panelId, backtestId]
  idsOfAnn.push(ownIds.tickId, ownIds.tradeId)
  idsOfAnn.push(intentId, watchId, ruleId, thesisId, endpointId)
  created = { userId: ann.id, ...(await administeredBy(service, owner, folder)) }
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Each altered id is asked for in every third route by one of its nine callers. */
const EVERY = 27

const needsSomebody = ({ auth }: Route): boolean =>
  !['none', 'optional', 'anyone', 'data'].includes(auth)

// [auth.ids.classified]
it('every route with an id in its path is classified by owner', () => {
  const known = [OWNED, ADMINISTERED].flatMap((table) => Object.keys(table))
  const naming = service.routes.filter((route) => pathNamesOf(route).length > 0).map(nameOf)
  expect(naming.sort()).toEqual([...known, ...PUBLIC].sort())
  const personal = service.routes.filter((route) => needsSomebody(route)).map(nameOf)
  const allowed = new Set([...known, ...OWN, ...SERVICE])
  expect(personal.filter((name) => !allowed.has(name))).toEqual([])
})

interface Caller {
  readonly name: string
  readonly headers: SentHeaders
}

const callersOf = (who: string, { cookie, token, serviceKey, dataKey }: Person): Caller[] => [
  { name: `cookie of ${who}`, headers: { cookie, origin: service.url } },
  { name: `token of ${who}`, headers: { authorization: `Bearer ${token}` } },
  { name: `key of ${who}`, headers: { authorization: `Bearer ${serviceKey.key}` } },
  { name: `data key of ${who}`, headers: { authorization: `Bearer ${dataKey.key}` } },
]
const nobody: Caller = { name: 'nobody', headers: {} }

/** A response without the headers that differ in every response. */
function comparable({ status, headers, text }: Answer): string {
  const own = ['date', 'x-request-id', 'x-ratelimit-reset', 'x-ratelimit-remaining']
  const foreignHeaders = Object.entries(headers).filter(([name]) => !own.includes(name))
  return JSON.stringify([status, foreignHeaders.sort(), text])
}

const withId = (route: Route, id: string): string => pathOf(route, () => id)
const routeOf = (name: string): Route => service.routes.find((route) => nameOf(route) === name)!

describe('resources of another user', () => {
  // [auth.surfaces.others-unknown] [auth.ids.foreign-unknown]
  it('respond byte for byte like resources that do not exist', async ({ annotate }) => {
    const before = service.storedRows()
    let requested = 0
    let row = 0
    const faults = await gather(Object.entries(OWNED), async ([name, { unknown, body }]) => {
      const route = routeOf(name)
      const found: string[] = []
      const callers = [...callersOf('ben', service.ben), ...callersOf('the owner', service.owner)]
      for (const { name: caller, headers } of [...callers, nobody]) {
        const ask = (id: string) => {
          if (route.rate !== 'general') service.nextMinute()
          const sending = { method: route.method, headers, ...(body !== undefined && { body }) }
          return service.ask(withId(route, id), sending)
        }
        const reference = await ask('key_0123456789abcdefghij')
        const isLetIn = reference.status !== 401
        if (isLetIn && (reference.status !== 404 || !reference.text.includes(unknown))) {
          found.push(`${name} by ${caller}: ${reference.status} ${reference.text}`)
        }
        row += 1
        const altered = [...idsOfAnn.flatMap(spellingsOf), ...NOTHING]
        for (const id of new Set([...idsOfAnn, ...sampled(altered, row, EVERY)])) {
          requested += 1
          const answer = await ask(id)
          // An id that cannot be decoded, or has several segments, is not an address of the route.
          const isNoAddress = answer.status === 404 && answer.text === notFound('Not found')
          if (comparable(answer) !== comparable(reference) && !isNoAddress) {
            found.push(`${name} by ${caller}: ${id.slice(0, 60)}: ${answer.status} ${answer.text}`)
          }
        }
      }
      return found
    })
    await annotate(`${requested} foreign, random and malformed ids, ${faults.length} wrong answers`)
    expect(faults).toEqual([])
    expect(requested).toBeGreaterThan(3_000)
    expect(service.storedRows()).toBe(before)
  })

  // [auth.ids.foreign-unknown]
  it('are refused as unknown when a body names them', async () => {
    const before = service.storedRows()
    const headers = { cookie: service.ben.cookie, origin: service.url }
    const ask = async (id: string): Promise<string> => {
      const answer = await service.ask('/api/dashboard2/market-watch/panels/reorder', {
        method: 'POST',
        headers,
        body: JSON.stringify({ order: [{ id, sortIdx: 1 }] }),
      })
      return comparable(answer).replaceAll(id, 'ID')
    }
    const nothing = newId('pnl', 1_790_000_000_000 as Millis)
    expect(await ask(ofAnn.panelId)).toBe(await ask(nothing))
    expect(service.storedRows()).toBe(before)
  })
})

const notFound = (error: string): string => JSON.stringify({ error, code: 'NOT_FOUND' })

describe('resources of the service', () => {
  // [auth.ids.administered]
  it('are refused to users before the id is looked up', async () => {
    const before = service.storedRows()
    const faults = await gather(Object.entries(ADMINISTERED), async ([name, idIn]) => {
      const route = routeOf(name)
      const found: string[] = []
      const ids = [...spellingsOf(idIn(created)), ...NOTHING]
      for (const { name: caller, headers } of [...callersOf('ann', service.ann), nobody]) {
        const isBodied = ['PATCH', 'PUT'].includes(route.method)
        const body = isBodied ? '{"tier":"pro","isAdmin":true}' : undefined
        const ask = (id: string) =>
          service.ask(withId(route, id), {
            method: route.method,
            headers,
            ...(body !== undefined && { body }),
          })
        const reference = await ask('none')
        if (reference.status !== 401 && reference.code !== 'AUTH_FORBIDDEN') {
          found.push(`${name} by ${caller}: ${reference.status} ${reference.text}`)
        }
        for (const id of ids) {
          const answer = await ask(id)
          const isNoAddress = answer.status === 404 && answer.text === notFound('Not found')
          if (comparable(answer) !== comparable(reference) && !isNoAddress) {
            found.push(`${name} by ${caller}: ${id.slice(0, 60)}: ${answer.status} ${answer.text}`)
          }
        }
      }
      return found
    })
    expect(faults).toEqual([])
    expect(service.storedRows()).toBe(before)
  })

  // [auth.ids.administered]
  it('are unknown to administrators under every other id', async () => {
    const before = service.storedRows()
    const faults = await gather(Object.entries(ADMINISTERED), async ([name, idIn]) => {
      const route = routeOf(name)
      const headers = admittedAt(route, service.owner, service)
      const found: string[] = []
      const own = idIn(created)
      // Except for percent encoding and a trailing slash, which are equivalent spellings.
      const others = spellingsOf(own)
        .slice(3)
        .filter((id) => id !== own)
      for (const id of [...others, ...NOTHING]) {
        const answer = await service.ask(withId(route, id), {
          method: route.method,
          headers,
          ...(['PATCH', 'PUT'].includes(route.method) && { body: '{"tier":"pro"}' }),
        })
        if (answer.code !== 'NOT_FOUND') {
          found.push(`${name}: ${id.slice(0, 60)}: ${answer.status} ${answer.text}`)
        }
      }
      if (route.method !== 'GET') return found
      const answer = await service.ask(withId(route, own), { headers })
      return answer.status === 200 && answer.text.includes(own)
        ? found
        : [...found, `${name}: ${answer.status} ${answer.text}`]
    })
    expect(faults).toEqual([])
    expect(service.storedRows()).toBe(before)
  })
})

describe('responses of every route', () => {
  /** Ben's session if the route does not end it, otherwise a new one. */
  async function benAt(route: Route): Promise<Person> {
    if (nameOf(route) !== 'POST /api/auth/signout') return service.ben
    return { ...service.ben, ...(await service.signIn(service.ben)) }
  }

  // [auth.ids.no-foreign-bytes]
  it('contain no byte of another user for any caller', async ({ annotate }) => {
    const before = service.storedRowsWith(service.ann.id)
    const { ann, owner } = service
    const whose = Object.fromEntries(NAMES_OF_USERS.map((name) => [name, ann.id]))
    const inQuery = new URLSearchParams(whose).toString()
    let covered = 0
    let requested = 0
    const faults = await gather(service.routes, async (route) => {
      covered += 1
      const found: string[] = []
      const looked = (how: string, { text, headers }: Answer, forbidden: readonly string[]) => {
        requested += 1
        const leaked = forbidden.filter((one) => `${JSON.stringify(headers)}${text}`.includes(one))
        if (leaked.length > 0) found.push(`${nameOf(route)} ${how}: ${leaked.join()}`)
      }
      const isWrite = route.method !== 'GET'
      const secretsOfOwner = [owner.token, owner.serviceKey.key, 'marker.csv', 'marker-backup']
      for (const index of callersOf('', service.ben).keys()) {
        if (route.rate !== 'general') service.nextMinute()
        const { name, headers } = callersOf('ben', await benAt(route))[index]!
        const plain = pathOf(route, (of) => (of === 'ticker' ? service.ticker : 'none'))
        const answer = await service.ask(plain, {
          method: route.method,
          headers,
          ...(isWrite && { body: '{}' }),
        })
        looked(`by ${name}`, answer, [...secretsOfAnn, ...idsOfAnn, ...secretsOfOwner])
        for (const id of pathNamesOf(route).length === 0 ? [ann.id] : idsOfAnn) {
          const { headers: again } = callersOf('ben', await benAt(route))[index]!
          const answer = await service.ask(`${withId(route, id)}?${inQuery}`, {
            method: route.method,
            headers: { ...again, 'x-user-id': ann.id, 'x-user': ann.id, 'x-account-id': ann.id },
            ...(isWrite && { body: JSON.stringify(whose) }),
          })
          const isOwn = OWN.includes(nameOf(route))
          const ids = isOwn ? idsOfAnn : []
          looked(`by ${name} for ann`, answer, [...secretsOfAnn, ...ids, ...secretsOfOwner])
        }
      }
      const open = await service.ask(`${withId(route, ann.id)}?${inQuery}`, {
        method: route.method,
        ...(isWrite && { body: JSON.stringify(whose) }),
      })
      looked('by nobody', open, [...secretsOfAnn, ...secretsOfOwner])
      return found
    })
    await annotate(`${covered} of ${service.routes.length} routes, ${requested} answers of others`)
    expect(faults).toEqual([])
    expect(covered).toBe(service.routes.length)
    expect(requested).toBeGreaterThan(9 * covered)
    expect(service.storedRowsWith(service.ann.id)).toBe(before)
    const { status } = await service.ask('/api/auth/me', {
      headers: { cookie: service.ben.cookie },
    })
    expect(status).toBe(200)
  })

  it('contain each of those texts for their own user', async () => {
    const { cookie, token } = await service.signIn(service.ann)
    const texts = await Promise.all(
      OWN.filter((name) => name.startsWith('GET ')).map(async (name) => {
        const headers = { cookie }
        return (await service.ask(name.slice(4), { headers })).text
      }),
    )
    const shown = [service.ann.email ?? '', ...secretsOfAnn.filter((one) => one.includes('marker'))]
    expect(shown.filter((one) => !texts.join('\n').includes(one))).toEqual([])
    expect(texts.join('\n')).not.toContain(token)
  })
})

// Last, because it removes what the others read.
describe('the same ids', () => {
  it('are found for their owner', async () => {
    const before = service.storedRowsWith(service.ann.id)
    for (const [name, { body, answered = 200 }] of Object.entries(OWNED)) {
      const route = routeOf(name)
      const { cookie } = await service.signIn(service.ann)
      const headers = { cookie, origin: service.url }
      const isKey = name.includes('keys')
      const place = route.path.replace('/:id', '')
      const own = isKey
        ? await idIn(service.ask(place, { method: 'POST', headers, body: '{}' }))
        : OWNED[name]!.idOf(ofAnn)
      const { status } = await service.ask(withId(route, own), {
        method: route.method,
        headers,
        ...(body !== undefined && { body }),
      })
      expect(`${name}: ${status}`).toBe(`${name}: ${answered}`)
    }
    expect(service.storedRowsWith(service.ann.id)).not.toBe(before)
  })
})
