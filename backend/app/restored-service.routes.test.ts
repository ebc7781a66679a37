import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readManifest } from '../features/operations/backup-manifest.ts'
import type { BackupRun } from '../contract/operations.ts'
import { stageRestore } from '../features/operations/stage-restore.ts'
import type { Millis } from '../domain/units.ts'
import type { OpenApiDocument, Parameter } from '../http/routes/openapi.ts'
import { bind, type BoundAddress } from '../http/server.ts'
import { isoOf } from '../lib/clock.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

// Two services start, one after the other.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const SECRET = 'launch-secret_of-the-restored'
/** Responses about the past change until the gauges of the previous month are computed. */
const DEMO = { seed: 1, markets: 24, withPast: true }
/** Not at a quarter hour, because rows after the first snapshot belong to a later instant. */
const START = '2026-11-20T14:03:00.000Z'
/** Before the start of the service, from backfilled rows. */
const PAST = '2026-11-19T09:30:00.000Z'
const PASSWORD = 'correct horse battery'
const TICKERS = 4

/** Fields that may differ, by path; each with the reason. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  // Rate windows are in memory, so a new service has counted nothing.
  '/api/dashboard/usage': ['limits'],
}

interface Running {
  readonly demo: DemoService
  readonly bound: BoundAddress
}
/** The inputs of a response. */
interface Read {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

let root: string
let backupFolder: string
let first: Running
let restored: Running
let owner: { cookie: string; key: string; revoked: string; dataKey: string }
let ann: { cookie: string; key: string }
let reads: readonly Read[]
/** The responses of the first service after its backup. */
let answers: readonly string[]

async function run(dataDir: string, start: string): Promise<Running> {
  const demo = await startDemoService({ ...DEMO, start, dataDir })
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  demo.service.serveOn(bound, SECRET)
  return { demo, bound }
}
async function end({ demo, bound }: Running): Promise<void> {
  await bound.close(0)
  await demo.stop()
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
async function send(method: string, path: string, headers: Read['headers'], body?: object) {
  const { url } = first.bound
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, origin: url, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(response.status, `${method} ${path}`).toBeLessThan(300)
  return { cookie, body: (await response.json()) as Record<string, unknown> }
}

async function answerOf({ bound }: Running, { path, headers }: Read): Promise<string> {
  const response = await fetch(bound.url + path, { headers })
  const text = await response.text()
  const except = EXCEPT[path.split('?', 1)[0] ?? '']
  if (except === undefined) return `${response.status} ${text}`
  const body = Object.entries(JSON.parse(text) as object).filter(([name]) => !except.includes(name))
  return `${response.status} ${JSON.stringify(Object.fromEntries(body))}`
}
async function answersOf(running: Running): Promise<string[]> {
  const all: string[] = []
  // Sequential, so that usage is counted in one order.
  for (const read of reads) all.push(await answerOf(running, read))
  return all
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'augury-restored-'))
  backupFolder = join(root, 'kept')
  first = await run(join(root, 'data'), START)
  await first.demo.advance(1_000)
  await makePeople()
  const created = await backUp()
  expect(created).toMatchObject({ state: 'done', error: null })
  reads = await readsAt(isoOf(readManifest(backupFolder).at as Millis))
  answers = await answersOf(first)
  const dataDir = join(root, 'restored')
  await stageRestore({ dataDir, folder: backupFolder, force: false, now: 0 as Millis }, () => {})
  restored = await run(dataDir, isoOf(first.demo.clock.now()))
})
afterAll(async () => {
  await end(first)
  await end(restored)
  rmSync(root, { recursive: true, force: true })
})

/**
 * An owner with an email, a password and keys of both services, one of them revoked, and a user.
 */
async function makePeople(): Promise<void> {
  const launch = { authorization: `Launch ${SECRET}` }
  const keyIn = async (path: string, headers: Read['headers'], name: string) =>
    (await send('POST', path, headers, { name })).body as { id: string; key: string }
  const { ticket } = await fetch(`${first.bound.url}/api/auth/local`, {
    method: 'POST',
    headers: launch,
  }).then((answer) => answer.json() as Promise<{ ticket: string }>)
  const { cookie } = await send('POST', '/api/auth/exchange', {}, { ticket })
  await send(
    'PATCH',
    '/api/auth/me',
    { cookie },
    { email: 'owner@example.test', password: PASSWORD },
  )
  const revoked = await keyIn('/api/keys', { cookie }, 'revoked')
  await send('DELETE', `/api/keys/${revoked.id}`, { cookie })
  owner = {
    cookie,
    revoked: revoked.key,
    key: (await keyIn('/api/keys', { cookie }, 'agent')).key,
    dataKey: (await keyIn('/api/data-keys', { cookie }, 'feed')).key,
  }
  const created = await send(
    'POST',
    '/api/signup',
    {},
    { email: 'ann@example.test', password: PASSWORD },
  )
  ann = { cookie: created.cookie, key: (created.body['key'] as { key: string }).key }
  for (const key of [ann.key, owner.key]) await send('GET', '/api/public/markets', bearer(key))
  await send('GET', '/v1/markets', bearer(owner.dataKey))
  // Counted usage is written when it is read.
  await send('GET', '/api/dashboard/usage', bearer(owner.key))
}

/** Like the Settings pane: with the owner's cookie, while the demo keeps trading. */
async function backUp(): Promise<BackupRun> {
  const { cookie } = owner
  const order = { out: backupFolder, withSecrets: true }
  const { body } = await send('POST', '/api/backups', { cookie }, order)
  const runOf = async () =>
    (await send('GET', `/api/backups/${String(body['id'])}`, { cookie }))
      .body as unknown as BackupRun
  await vi.waitFor(
    async () => {
      await first.demo.advance(250)
      expect((await runOf()).state).not.toBe('running')
    },
    { timeout: 200_000, interval: 1 },
  )
  return runOf()
}

/** Every read with `asOf`, now and in the past, and the users' own resources. */
async function readsAt(at: string): Promise<Read[]> {
  const requested = async (path: string) => (await fetch(first.bound.url + path)).text()
  const found = async (path: string, name: string): Promise<string[]> =>
    [...(await requested(path)).matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(
      ([, of]) => of ?? '',
    )
  const document = JSON.parse(await requested('/openapi.json')) as OpenApiDocument
  const tickers = (await found('/api/public/markets?limit=50', 'ticker')).slice(0, TICKERS)
  const [ideas, events] = [
    await found('/api/public/ideas', 'id'),
    await found('/api/public/yield-curves', 'event'),
  ]
  const slugs = async (path: string): Promise<string[]> =>
    (await found(path.replace(/\/\{slug\}$/, ''), 'slug')).slice(0, 2)

  const valuesOf = async (path: string, { name }: Parameter): Promise<string[]> => {
    if (name === 'ticker') return tickers
    if (name === 'slug') return slugs(path.replace('/skill/', '/skills/'))
    if (name === 'id') return ideas.slice(0, 2)
    return name === 'event' ? events.slice(0, 2) : ['economy']
  }
  const queryOf = ({ name }: Parameter): string =>
    ({ q: 'will', since: '1h', tickers: tickers.join(), ticker: tickers[0] ?? '' })[name] ?? '1h'

  const routes = Object.entries(document.paths).flatMap(([path, operations]) => {
    const get = operations['get']
    return get?.parameters.some(({ name }) => name === 'asOf') === true ? [{ path, get }] : []
  })
  const own = [
    ...['/api/auth/me', '/api/keys', '/api/data-keys'].flatMap((path) =>
      [bearer(owner.key), bearer(ann.key)].map((headers) => ({ path, headers })),
    ),
    { path: '/api/auth/me', headers: { cookie: ann.cookie } },
    { path: '/api/auth/sessions', headers: { cookie: ann.cookie } },
    { path: '/api/admin/users', headers: { cookie: owner.cookie } },
    { path: '/api/dashboard/usage', headers: bearer(ann.key) },
  ]
  const all: Read[] = []
  for (const { path, get } of routes) {
    const inPath = get.parameters.find((parameter) => parameter.in === 'path')
    const values = inPath === undefined ? [''] : await valuesOf(path, inPath)
    const needed = get.parameters.filter((one) => one.in === 'query' && one.required)
    for (const [value, asOf] of values.flatMap((of) =>
      [at, PAST].map((when) => [of, when] as const),
    )) {
      const query = Object.fromEntries(needed.map((one) => [one.name, queryOf(one)]))
      const search = new URLSearchParams({ ...query, asOf, nextActions: 'off' }).toString()
      const concrete = path.replace(/\{\w+\}/, encodeURIComponent(value))
      all.push({ path: `${concrete}?${search}`, headers: bearer(ann.key) })
    }
  }
  return [...all, ...own]
}

describe('a service on a restored backup', () => {
  // [service.backup.restored-service]
  it('answers every earlier request with the same bytes', async () => {
    const again = await answersOf(restored)
    const differing = reads.flatMap(({ path }, index) =>
      again[index] === answers[index]
        ? []
        : [[path, answers[index]?.slice(0, 400), again[index]?.slice(0, 400)]],
    )
    expect(differing).toEqual([])
    // Enough responses, and few refusals.
    expect(reads.length).toBeGreaterThan(100)
    const answered = answers.filter((answer) => answer.startsWith('200 '))
    expect(answered.length / answers.length).toBeGreaterThan(0.9)
    expect(answered.join('').length).toBeGreaterThan(200_000)
  })

  // [service.backup.restored-service]
  it('accepts its users by key, session and password', async () => {
    const { url } = restored.bound
    const statusOf = async (path: string, headers: Read['headers']) =>
      (await fetch(url + path, { headers })).status
    expect(await statusOf('/api/keys', bearer(owner.revoked))).toBe(401)
    expect(await statusOf('/api/keys', bearer(owner.key))).toBe(200)
    expect(await statusOf('/v1/markets', bearer(owner.dataKey))).toBe(200)
    expect(await statusOf('/api/auth/me', { cookie: owner.cookie })).toBe(200)
    const signIn = (password: string) =>
      fetch(`${url}/api/auth/signin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'owner@example.test', password }),
      })
    expect((await signIn('not the password')).status).toBe(401)
    expect((await signIn(PASSWORD)).status).toBe(200)
  })
})
