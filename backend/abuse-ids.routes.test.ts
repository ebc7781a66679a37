import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Millis } from './domain/units.ts'
import type { Route } from './http/route-table.ts'
import { newId } from './lib/ids.ts'
import { admittedAt } from './testing/admitted.ts'
import { eventually } from './testing/eventually.ts'
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
} from './testing/whole-service.ts'

interface Owned {
  readonly idOf: (person: Person) => string
  /** What an unknown id is told. */
  readonly unknown: string
  readonly body?: string
}
const PANEL: Owned = {
  idOf: () => panelOfAnn,
  unknown: '"reason":"panel_not_found_or_not_owned"',
  body: '{}',
}
const KEY = '"error":"Key not found or already revoked","code":"NOT_FOUND"'
const BACKTEST: Owned = {
  idOf: () => backtestOfAnn,
  unknown: '"error":"Backtest not found","code":"NOT_FOUND"',
}
const INTENT: Owned = {
  idOf: () => intentOfAnn,
  unknown: '"error":"Intent not found","code":"NOT_FOUND"',
}
/** Routes that name something of one user. */
const OWNED: Readonly<Record<string, Owned>> = {
  'DELETE /api/keys/:id': { idOf: ({ serviceKey }) => serviceKey.id, unknown: KEY },
  'DELETE /api/data-keys/:id': { idOf: ({ dataKey }) => dataKey.id, unknown: KEY },
  'DELETE /api/auth/sessions/:id': {
    idOf: ({ sessionId }) => sessionId,
    unknown: '"error":"Session not found","code":"NOT_FOUND"',
  },
  'GET /api/backtests/:id': BACKTEST,
  'DELETE /api/backtests/:id': BACKTEST,
  'GET /api/intents/:id': INTENT,
  'PATCH /api/intents/:id': { ...INTENT, body: '{"rationale":"taken"}' },
  'DELETE /api/intents/:id': INTENT,
  'PATCH /api/dashboard2/market-watch/panels/:id': { ...PANEL, body: '{"title":"taken"}' },
  'POST /api/dashboard2/market-watch/panels/:id/run': PANEL,
  'DELETE /api/dashboard2/market-watch/panels/:id': PANEL,
}

/** Routes that name something of the service: for administrators, whoever made it. */
const ADMINISTERED: Readonly<Record<string, (made: Administered) => string>> = {
  'PATCH /api/admin/users/:id': ({ userId }) => userId,
  'GET /api/exports/:id': ({ exportId }) => exportId,
  'DELETE /api/exports/:id': ({ exportId }) => exportId,
  'GET /api/imports/:id': ({ importId }) => importId,
  'DELETE /api/imports/:id': ({ importId }) => importId,
  'GET /api/backups/:id': ({ backupId }) => backupId,
  'DELETE /api/backups/:id': ({ backupId }) => backupId,
  'GET /api/admin/providers/:name': () => 'llm',
  'PUT /api/admin/providers/:name': () => 'llm',
  'DELETE /api/admin/providers/:name': () => 'llm',
}
interface Administered {
  readonly userId: string
  readonly exportId: string
  readonly importId: string
  readonly backupId: string
}

/** Routes that name something which belongs to nobody. */
const PUBLIC = [
  ...['GET /api/agent/world/*', 'GET /api/agent/feed/:topic', 'GET /api/agent/inspect/:ticker'],
  ...['GET /api/public/market/:ticker', 'GET /api/public/market/:ticker/candles'],
  ...['GET /api/public/market/:ticker/history', 'GET /api/public/yield-curves/:event'],
  ...['GET /api/public/topic/:slug', 'GET /api/public/answer/:slug', 'GET /api/public/skill/:slug'],
  ...['GET /api/public/technicals/:slug', 'GET /api/public/opinions/:slug'],
  ...['GET /api/public/glossary/:slug', 'GET /api/public/ideas/:id'],
  ...['GET /v1/markets/:ticker', 'GET /v1/orderbook/:ticker', 'GET /v1/candles/:ticker'],
  ...['GET /v1/trades/:ticker', 'GET /api/backtests/strategies/:name'],
]

/** What a caller reads and changes without naming it: always their own. */
const OWN = [
  ...['GET /api/auth/me', 'PATCH /api/auth/me', 'DELETE /api/auth/me', 'GET /api/auth/sessions'],
  ...['GET /api/keys', 'POST /api/keys', 'GET /api/data-keys', 'POST /api/data-keys'],
  ...['GET /api/dashboard/usage', 'POST /api/auth/cli/complete', 'POST /api/auth/signout'],
  ...['GET /api/dashboard2/market-watch-v2', 'POST /api/dashboard2/market-watch/panels'],
  'POST /api/dashboard2/market-watch/panels/reorder',
  ...['GET /api/backtests', 'POST /api/backtests', 'GET /api/backtests/strategies'],
  ...['GET /api/intents', 'POST /api/intents', 'POST /api/portfolio/paper/reset'],
  ...['GET /api/portfolio/config', 'PUT /api/portfolio/config', 'GET /api/portfolio/state'],
  ...['GET /api/portfolio/risk', 'GET /api/portfolio/ledger', 'GET /api/portfolio/fills'],
  ...['GET /api/portfolio/activity', 'GET /api/portfolio/positions'],
]

/** What is nobody's, though not everybody may read it, and what administrators and the owner ask. */
const SERVICE = [
  'GET /api/calibration',
  ...['GET /api/admin/users', 'POST /api/exports', 'POST /api/imports', 'POST /api/backups'],
  ...['POST /api/sql', 'GET /api/backtests/strategies/:name'],
  ...[
    'GET /api/replay',
    'GET /api/replay/report',
    'POST /api/replay/pause',
    'POST /api/replay/resume',
  ],
  ...['POST /api/replay/step', 'POST /api/replay/seek', 'POST /api/replay/speed'],
  ...['GET /api/doctor', 'POST /api/auth/local', 'GET /api/admin/market-watch/health'],
]

/** Names under which a caller might say whose rows they want. */
const NAMES_OF_USERS = [
  ...['userId', 'user_id', 'user', 'ownerId', 'owner', 'accountId', 'sub', 'id'],
  ...['keyId', 'key_id', 'sessionId', 'session_id', 'sid'],
]

let service: WholeService
let folder: string
let made: Administered
let panelOfAnn: string
let backtestOfAnn: string
let intentOfAnn: string
/** What only this user may ever read. */
let secretsOfAnn: string[]
let idsOfAnn: string[]

beforeAll(async () => {
  service = await startWholeService()
  folder = mkdtempSync(join(tmpdir(), 'augury-ids-'))
  const { ann, owner } = service
  secretsOfAnn = [ann.email ?? '', ...(await marked(ann)), MARKED_PANEL, ann.token]
  secretsOfAnn.push(ann.serviceKey.key, ann.dataKey.key)
  panelOfAnn = await boarded(ann)
  backtestOfAnn = await playedBy(ann)
  intentOfAnn = await meantBy(ann)
  secretsOfAnn.push(MARKED_INTENT)
  idsOfAnn = [ann.id, ann.sessionId, ann.serviceKey.id, ann.dataKey.id, panelOfAnn, backtestOfAnn]
  idsOfAnn.push(intentOfAnn)
  made = { userId: ann.id, ...(await administeredBy(owner)) }
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function idIn(answer: Promise<Answer>): Promise<string> {
  const { status, text } = await answer
  if (status >= 300) throw new Error(`${status} ${text}`)
  return (JSON.parse(text) as { id: string }).id
}

/** Writes a text of their own into whatever a user may name; those texts. */
async function marked({ token, email }: Person): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const say = (method: string, path: string, body: object, more: SentHeaders = headers) =>
    service.ask(path, { method, headers: more, body: JSON.stringify(body) })
  const answers = [
    await say('PATCH', '/api/auth/me', { name: 'marker-of-a-name' }),
    await say('POST', '/api/keys', { name: 'marker-of-a-key' }),
    await say('POST', '/api/data-keys', { name: 'marker-of-a-data-key' }),
    await say(
      ...(['POST', '/api/auth/signin'] as const),
      { email, password: 'a password of twelve' },
      { 'user-agent': 'marker-of-an-agent' },
    ),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 201, 200])
  return ['marker-of-a-name', 'marker-of-a-key', 'marker-of-a-data-key', 'marker-of-an-agent']
}

const MARKED_PANEL = 'marker-of-a-panel'
/** A panel on somebody's board; its id. */
async function boarded({ cookie }: Person): Promise<string> {
  const spec = { kind: 'preset', preset: { id: 'data_health' }, display: { visualization: 'list' } }
  const { text } = await service.ask('/api/dashboard2/market-watch/panels', {
    ...{ method: 'POST', headers: { cookie, origin: service.url } },
    body: JSON.stringify({ title: MARKED_PANEL, spec }),
  })
  return (JSON.parse(text) as { panel: { id: string } }).panel.id
}

/** A backtest of somebody, which has ended; its id. */
async function playedBy({ token }: Person): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const body = {
    strategy: 'buy-and-hold',
    from: '2020-01-01T00:00:00Z',
    to: '2020-01-02T00:00:00Z',
  }
  const id = await idIn(
    service.ask('/api/backtests', { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  await eventually(async () => {
    const { text } = await service.ask(`/api/backtests/${id}`, { headers })
    expect(text).toMatch(/"state":"(?:done|failed|cancelled)"/)
  })
  return id
}

const MARKED_INTENT = 'marker-of-an-intent'
/** An intent of somebody; its id. */
function meantBy({ token }: Person): Promise<string> {
  const body = {
    ...{ action: 'buy', marketId: service.ticker, direction: 'yes', targetQuantity: 1 },
    ...{ triggerType: 'price_below', triggerPrice: 0.1, rationale: MARKED_INTENT },
  }
  const headers = { authorization: `Bearer ${token}` }
  return idIn(service.ask('/api/intents', { method: 'POST', headers, body: JSON.stringify(body) }))
}

/** One of each thing that administrators make. */
async function administeredBy({ token }: Person): Promise<Omit<Administered, 'userId'>> {
  const headers = { authorization: `Bearer ${token}` }
  const start = (path: string, body: object): Promise<string> =>
    idIn(service.ask(path, { method: 'POST', headers, body: JSON.stringify(body) }))
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'files', 'marker.csv'), 'a,b\n1,2\n')
  const exportId = await start('/api/exports', {
    ...{ out: 'marker.csv', kind: 'trades', format: 'csv' },
  })
  const importId = await start('/api/imports', { paths: [join(folder, 'files')] })
  const backupId = await start('/api/backups', { out: join(folder, 'marker-backup') })
  // Called off, since a whole one takes longer than all of this.
  await service.ask(`/api/backups/${backupId}`, { method: 'DELETE', headers })
  for (const path of [`exports/${exportId}`, `imports/${importId}`, `backups/${backupId}`]) {
    await eventually(async () => {
      const { text } = await service.ask(`/api/${path}`, { headers })
      expect(text).toMatch(/"state":"(?:done|failed|cancelled)"/)
    })
  }
  return { exportId, importId, backupId }
}

const needsSomebody = ({ auth }: Route): boolean =>
  !['none', 'optional', 'anyone', 'data'].includes(auth)

// [auth.ids.classified]
it('every route that names something is known to name it', () => {
  const known = [OWNED, ADMINISTERED].flatMap((table) => Object.keys(table))
  const naming = service.routes.filter((route) => pathNamesOf(route).length > 0).map(nameOf)
  expect(naming.sort()).toEqual([...known, ...PUBLIC].sort())
  const personal = service.routes.filter((route) => needsSomebody(route)).map(nameOf)
  const told = new Set([...known, ...OWN, ...SERVICE])
  expect(personal.filter((name) => !told.has(name))).toEqual([])
})

/** Ways to write an id that must all mean the same nothing to somebody else. */
function spellingsOf(id: string): string[] {
  const percent = [...Buffer.from(id)].map((byte) => `%${byte.toString(16)}`).join('')
  const last = id.charCodeAt(id.length - 1)
  const neighbour = (step: number): string => id.slice(0, -1) + String.fromCharCode(last + step)
  return [
    ...[id, percent, `${id}/`, percent.replaceAll('%', '%25'), id.toUpperCase()],
    ...[neighbour(1), neighbour(-1), id.replace(/_0/, '_1'), id.slice(0, -1), `${id}0`],
    ...[`${id}%00`, `${id}%20`, `%20${id}`, `${id}%0a`, `${id}%2f`, `x%2f${id}`, `${id};x`],
    ...[`${id},${id}`, `%5B%22${id}%22%5D`, `${id.slice(0, 6)}%25`, `${id.slice(0, -1)}_`],
  ]
}

/** Ids of nothing: by chance, in sequence, of other kinds, malformed, very long. */
const NOTHING = [
  ...['0', '1', '2', '-1', '9007199254740993', '1e400', 'NaN', 'null', 'undefined', 'true', '*'],
  ...['%25', '%2525', '%00', '%0d%0a', '%20', '%F0%9F%92%A9', '__proto__', 'constructor', '%2e'],
  ...['%27%20or%201%3d1--', '%22%3bdrop%20table%20account%3b--', '..%2f..%2fetc%2fpasswd'],
  ...['%5b%5d', '%7b%22%24ne%22%3anull%7d', 'a'.repeat(300), 'key_'.repeat(2_500)],
  ...['00000000-0000-0000-0000-000000000000', 'key_00000000000000000000', '..%5c..%5cx'],
  ...['key_', 'ses_', 'usr_', 'imp_', 'exp_', 'bak_'].flatMap((prefix) =>
    [1, 2, 3].map((at) => newId(prefix.slice(0, -1), (1_790_000_000_000 + at) as Millis)),
  ),
]

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

/** What an answer says, without what every answer has of its own. */
function saying({ status, headers, text }: Answer): string {
  const own = ['date', 'x-request-id', 'x-ratelimit-reset', 'x-ratelimit-remaining']
  const kept = Object.entries(headers).filter(([name]) => !own.includes(name))
  return JSON.stringify([status, kept.sort(), text])
}

const withId = (route: Route, id: string): string => pathOf(route, () => id)
const routeOf = (name: string): Route => service.routes.find((route) => nameOf(route) === name)!

describe('what is of another user', () => {
  // [auth.surfaces.others-unknown] [auth.ids.foreign-unknown]
  it('answers byte for byte as what does not exist', async ({ annotate }) => {
    const before = service.storedRows()
    let asked = 0
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
        for (const id of [...idsOfAnn.flatMap(spellingsOf), ...NOTHING]) {
          asked += 1
          const answer = await ask(id)
          // What cannot be decoded, or holds more than one segment, is no address of the route.
          const isNoAddress = answer.status === 404 && answer.text === notFound('Not found')
          if (saying(answer) !== saying(reference) && !isNoAddress) {
            found.push(`${name} by ${caller}: ${id.slice(0, 60)}: ${answer.status} ${answer.text}`)
          }
        }
      }
      return found
    })
    await annotate(`${asked} foreign, random and malformed ids, ${faults.length} wrong answers`)
    expect(faults).toEqual([])
    expect(asked).toBeGreaterThan(3_000)
    expect(service.storedRows()).toBe(before)
  })

  // [auth.ids.foreign-unknown]
  it('is as unknown in a body', async () => {
    const before = service.storedRows()
    const headers = { cookie: service.ben.cookie, origin: service.url }
    const ask = async (id: string): Promise<string> => {
      const answer = await service.ask('/api/dashboard2/market-watch/panels/reorder', {
        ...{ method: 'POST', headers, body: JSON.stringify({ order: [{ id, sortIdx: 1 }] }) },
      })
      return saying(answer).replaceAll(id, 'ID')
    }
    const nothing = newId('pnl', 1_790_000_000_000 as Millis)
    expect(await ask(panelOfAnn)).toBe(await ask(nothing))
    expect(service.storedRows()).toBe(before)
  })
})

const notFound = (error: string): string => JSON.stringify({ error, code: 'NOT_FOUND' })

describe('what is of the service', () => {
  // [auth.ids.administered]
  it('is refused to users before its id is looked at', async () => {
    const before = service.storedRows()
    const faults = await gather(Object.entries(ADMINISTERED), async ([name, idIn]) => {
      const route = routeOf(name)
      const found: string[] = []
      const ids = [...spellingsOf(idIn(made)), ...NOTHING]
      for (const { name: caller, headers } of [...callersOf('ann', service.ann), nobody]) {
        const isBodied = ['PATCH', 'PUT'].includes(route.method)
        const body = isBodied ? '{"tier":"pro","isAdmin":true}' : undefined
        const ask = (id: string) =>
          service.ask(withId(route, id), {
            ...{ method: route.method, headers },
            ...(body !== undefined && { body }),
          })
        const reference = await ask('none')
        if (reference.status !== 401 && reference.code !== 'AUTH_FORBIDDEN') {
          found.push(`${name} by ${caller}: ${reference.status} ${reference.text}`)
        }
        for (const id of ids) {
          const answer = await ask(id)
          const isNoAddress = answer.status === 404 && answer.text === notFound('Not found')
          if (saying(answer) !== saying(reference) && !isNoAddress) {
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
  it('is unknown to administrators under every other id', async () => {
    const before = service.storedRows()
    const faults = await gather(Object.entries(ADMINISTERED), async ([name, idIn]) => {
      const route = routeOf(name)
      const headers = admittedAt(route, service.owner, service)
      const found: string[] = []
      const own = idIn(made)
      // But for percent signs and a slash at the end, which are ways to write the same.
      const others = spellingsOf(own)
        .slice(3)
        .filter((id) => id !== own)
      for (const id of [...others, ...NOTHING]) {
        const answer = await service.ask(withId(route, id), {
          ...{ method: route.method, headers },
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

describe('answers of every route', () => {
  /** Ben's session where the route does not end it, else a new one. */
  async function benAt(route: Route): Promise<Person> {
    if (nameOf(route) !== 'POST /api/auth/signout') return service.ben
    return { ...service.ben, ...(await service.signIn(service.ben)) }
  }

  // [auth.ids.no-foreign-bytes]
  it('hold no byte of another user, whoever they are asked for', async ({ annotate }) => {
    const before = service.storedRowsWith(service.ann.id)
    const { ann, owner } = service
    const whose = Object.fromEntries(NAMES_OF_USERS.map((name) => [name, ann.id]))
    const inQuery = new URLSearchParams(whose).toString()
    let covered = 0
    let asked = 0
    const faults = await gather(service.routes, async (route) => {
      covered += 1
      const found: string[] = []
      const looked = (how: string, { text, headers }: Answer, forbidden: readonly string[]) => {
        asked += 1
        const told = forbidden.filter((one) => `${JSON.stringify(headers)}${text}`.includes(one))
        if (told.length > 0) found.push(`${nameOf(route)} ${how}: ${told.join()}`)
      }
      const isWrite = route.method !== 'GET'
      const secretsOfOwner = [owner.token, owner.serviceKey.key, 'marker.csv', 'marker-backup']
      for (const index of callersOf('', service.ben).keys()) {
        if (route.rate !== 'general') service.nextMinute()
        const { name, headers } = callersOf('ben', await benAt(route))[index]!
        const plain = pathOf(route, (of) => (of === 'ticker' ? service.ticker : 'none'))
        const answer = await service.ask(plain, {
          ...{ method: route.method, headers },
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
        ...{ method: route.method },
        ...(isWrite && { body: JSON.stringify(whose) }),
      })
      looked('by nobody', open, [...secretsOfAnn, ...secretsOfOwner])
      return found
    })
    await annotate(`${covered} of ${service.routes.length} routes, ${asked} answers of others`)
    expect(faults).toEqual([])
    expect(covered).toBe(service.routes.length)
    expect(asked).toBeGreaterThan(9 * covered)
    expect(service.storedRowsWith(service.ann.id)).toBe(before)
    const { status } = await service.ask('/api/auth/me', {
      headers: { cookie: service.ben.cookie },
    })
    expect(status).toBe(200)
  })

  it('hold every one of those texts for their own user', async () => {
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

// Last, since it ends what the others look for.
describe('the same ids', () => {
  it('are there for their owner', async () => {
    const before = service.storedRowsWith(service.ann.id)
    for (const [name, { body }] of Object.entries(OWNED)) {
      const route = routeOf(name)
      const { cookie } = await service.signIn(service.ann)
      const headers = { cookie, origin: service.url }
      const isKey = name.includes('keys')
      const place = route.path.replace('/:id', '')
      const own = isKey
        ? await idIn(service.ask(place, { method: 'POST', headers, body: '{}' }))
        : OWNED[name]!.idOf(service.ann)
      const { status } = await service.ask(withId(route, own), {
        ...{ method: route.method, headers },
        ...(body !== undefined && { body }),
      })
      expect(`${name}: ${status}`).toBe(`${name}: 200`)
    }
    expect(service.storedRowsWith(service.ann.id)).not.toBe(before)
  })
})
