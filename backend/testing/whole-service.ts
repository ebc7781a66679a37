import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { templateOf, type OpenApiDocument, type Operation } from '../http/routes/openapi.ts'
import { describeRoute, type Route } from '../http/routes/route-table.ts'
import { bind } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { startDemoService } from './demo-service.ts'
import { dereferenced } from './dereferenced.ts'

export type SentHeaders = Readonly<Record<string, string | readonly string[]>>

export interface Sending {
  readonly method?: string
  readonly headers?: SentHeaders
  /** Sent as JSON unless the headers name another type. */
  readonly body?: string | Uint8Array
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Empty for an event stream, which is closed as soon as it opens. */
  readonly text: string
  /** Code of an error. */
  readonly code: string | null
}

/** A user with one of each credential. */
export interface Person {
  readonly id: string
  readonly email: string | null
  readonly sessionId: string
  /** Value of the `Cookie` header. */
  readonly cookie: string
  readonly token: string
  readonly serviceKey: { readonly id: string; readonly key: string }
  readonly dataKey: { readonly id: string; readonly key: string }
}

/** The composed service over real HTTP with an owner and two signed-up users. */
export interface WholeService {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly secret: string
  /** The OpenAPI document without references. */
  readonly document: OpenApiDocument
  /** Every route of the service, including hidden ones. */
  readonly routes: readonly Route[]
  readonly owner: Person
  readonly ann: Person
  readonly ben: Person
  /** A market that exists. */
  readonly ticker: string
  readonly ask: (path: string, sending?: Sending) => Promise<Answer>
  /** The response to a raw request; the server is asked to close. */
  readonly askByHand: (text: string) => Promise<string>
  /** Another session of the local owner. */
  readonly ownerSession: () => Promise<{ id: string; cookie: string; token: string }>
  /** Another session of a signed-up user. */
  readonly signIn: (person: Person) => Promise<{ cookie: string; token: string }>
  /** The stored rows that a write could change, as text. */
  readonly storedRows: () => string
  /** The rows that contain a text, such as the id of a user. */
  readonly storedRowsWith: (text: string) => string
  /** Ends every window of the rate limits. */
  readonly nextMinute: () => void
  readonly close: () => Promise<void>
}

const PASSWORD = 'a password of twelve'
const MINUTE = 61_000
/** Tables of users' data, without the columns that a read may change. */
const STORED = {
  account: 'id, email, name, tier, is_admin, password_hash',
  session: 'id, user_id, expires_at, ended_at',
  access_key: 'id, space, user_id, name, revoked_at',
  cli_login: '*',
  import_run: '*',
  export_run: '*',
  backtest_run: 'id, user_id, strategy, request',
  portfolio: 'user_id, config, halted_at, paper_epoch, last_seq',
  tick: '*',
  trade: '*',
  intent: 'id, user_id, status',
  ledger_entry: '*',
  repeated_write: '*',
  portfolio_text: '*',
  account_secret: '*',
  credential_upload: '*',
  venue_credential: '*',
  panel: 'id, user_id, title, status, sort_idx, spec',
  panel_claim: '*',
  forum_channel: '*',
  forum_subscription: 'user_id, channel_id',
  forum_agent: 'id, user_id, name',
  forum_message: 'id, channel_id, user_id, record',
} as const

/** Name of a route in failures of tests. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** The path of a route with every parameter filled in. */
export const pathOf = ({ path }: Route, valueOf: (name: string) => string): string =>
  path.replace(/:(\w+)\??|\*/g, (_whole, name: string | undefined) => valueOf(name ?? '*'))

/** Names of the parameters in the path of a route; the rest of a path is `*`. */
export const pathNamesOf = ({ path }: Route): string[] =>
  [...path.matchAll(/:(\w+)|\*/g)].map(([match, name]) => name ?? match)

/** The documentation of a route; null for one that is not documented. */
export const operationOf = (document: OpenApiDocument, route: Route): Operation | null =>
  document.paths[templateOf(route.path)]?.[route.method.toLowerCase()] ?? null

/** Runs `work` over items with limited concurrency, and collects its findings. */
export async function gather<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<readonly string[]>,
  maxConcurrent = 4,
): Promise<string[]> {
  const found: string[] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) found.push(...(await work(item, index)))
  }
  await Promise.all(Array.from({ length: maxConcurrent }, worker))
  return found
}

/**
 * Starts it on a folder of its own with so many markets.
 * @param fairUse requests a minute of the general class; without it requests are not limited
 */
export async function startWholeService(listed = 24, fairUse?: number): Promise<WholeService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-whole-'))
  const secret = 'launch-secret_of-the-whole-service'
  let skipped = 0
  const demo = await startDemoService({
    seed: 5,
    markets: listed,
    start: '2026-11-20T14:00:00.000Z',
    dataDir,
    ...(fairUse !== undefined && { fairUse }),
    // Only the process's timer skips, so that windows end without computing every world in between.
    clockOf: (clock): Clock => ({
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + skipped,
      sleep: (span, signal) => clock.sleep(span, signal),
    }),
  })
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  demo.service.serveOn(bound, secret)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const { port } = bound
  const rows = new DatabaseSync(join(dataDir, 'state.sqlite'), { readOnly: true })
  const stored = readOnChange(rows)
  const nextMinute = (): void => void (skipped += MINUTE)

  const ask = (path: string, { method = 'GET', headers = {}, body }: Sending = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const isMeasured = headers['transfer-encoding'] === undefined
      const typed =
        body === undefined
          ? {}
          : {
              'content-type': 'application/json',
              ...(isMeasured && { 'content-length': Buffer.byteLength(body) }),
            }
      const all = { ...typed, ...headers } as Record<string, string | string[]>
      const options = { host: '127.0.0.1', port, path, method, headers: all, agent }
      let isAnswered = false
      const sent = httpRequest(options, (response) => {
        isAnswered = true
        const { statusCode: status = 0, headers: sentBack } = response
        if (sentBack['content-type']?.startsWith('text/event-stream') === true) {
          response.destroy()
          return resolve({ status, headers: sentBack, text: '', code: null })
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status, headers: sentBack, text, code: codeIn(text) })
        })
        response.on('error', reject)
      })
      sent.on('error', (error) => {
        // An error response may arrive, and the connection end, while a body is still being sent.
        if (!isAnswered) reject(new Error(`${method} ${path}: ${error.message}`))
      })
      sent.end(body)
    })

  const json = async (path: string, sending: Sending): Promise<Record<string, unknown>> => {
    const answer = await ask(path, sending)
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`)
    const setCookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    return { ...(JSON.parse(answer.text) as object), setCookie }
  }
  const post = (path: string, body: object, headers: SentHeaders = {}) =>
    json(path, { method: 'POST', body: JSON.stringify(body), headers })
  const launch = { authorization: `Launch ${secret}` }
  const keyOf = async (path: string, headers: SentHeaders) => {
    const { id, key } = await post(path, { name: 'one of each' }, headers)
    return { id: String(id), key: String(key) }
  }
  const opened = ({ session, setCookie }: Record<string, unknown>) => {
    const cookie = String(setCookie)
    const token = cookie.slice(cookie.indexOf('=') + 1)
    return { id: (session as { id: string }).id, cookie, token }
  }
  const ownerSession = async () => {
    nextMinute()
    const { ticket } = await json('/api/auth/local', { method: 'POST', headers: launch })
    return opened(await post('/api/auth/exchange', { ticket }))
  }
  const signUp = async (email: string): Promise<Person> => {
    const created = await post('/api/signup', { email, password: PASSWORD })
    const { id: sessionId, cookie, token } = opened(created)
    const { id, key } = created['key'] as { id: string; key: string }
    const dataKey = await keyOf('/api/data-keys', { authorization: `Bearer ${token}` })
    const userId = (created['user'] as { id: string }).id
    return { id: userId, email, sessionId, cookie, token, dataKey, serviceKey: { id, key } }
  }
  const { id: sessionId, cookie, token } = await ownerSession()
  const { user } = await json('/api/auth/me', { headers: { cookie } })
  const owner: Person = {
    id: (user as { id: string }).id,
    email: null,
    sessionId,
    cookie,
    token,
    serviceKey: await keyOf('/api/keys', launch),
    dataKey: await keyOf('/api/data-keys', launch),
  }
  const [ann, ben] = [await signUp('ann@example.test'), await signUp('ben@example.test')]
  const document = dereferenced((await json('/openapi.json', {})) as unknown as OpenApiDocument)
  const { markets } = await json('/api/public/markets?limit=1', {})

  const ticker = (markets as { ticker: string }[])[0]?.ticker
  if (ticker === undefined) throw new Error('the demo has no open market')

  return {
    url: bound.url,
    port,
    dataDir,
    secret,
    document,
    owner,
    ann,
    ben,
    ask,
    nextMinute,
    routes: demo.service.app.routes.map(describeRoute).filter(({ method }) => method !== 'WS'),
    ticker,
    ownerSession,
    async signIn({ email }) {
      nextMinute()
      return opened(await post('/api/auth/signin', { email, password: PASSWORD }))
    },
    askByHand: (text) =>
      new Promise((resolve, reject) => {
        const socket = createConnection(port, '127.0.0.1', () => socket.write(text))
        let got = ''
        socket.on('data', (chunk: Buffer) => (got += chunk.toString()))
        socket.on('close', () => resolve(got))
        socket.on('error', reject)
      }),
    storedRows: () => stored(),
    storedRowsWith: (text) =>
      JSON.stringify(rowsIn(rows).filter((row) => JSON.stringify(row).includes(text))),
    async close() {
      agent.destroy()
      rows.close()
      await bound.close(0)
      await demo.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const rowsIn = (database: DatabaseSync): object[] =>
  Object.entries(STORED).flatMap(([table, columns]) =>
    database.prepare(`select ${columns} from ${table} order by 1`).all(),
  )

/** The rows as text, read again only when another connection has committed since. */
function readOnChange(database: DatabaseSync): () => string {
  const version = database.prepare('pragma data_version')
  let [readAt, text]: [unknown, string] = [null, '']
  return () => {
    // Read first: a commit during the following read invalidates it the next time.
    const now = version.get()?.['data_version']
    if (now !== readAt) text = JSON.stringify(rowsIn(database))
    readAt = now
    return text
  }
}

function codeIn(text: string): string | null {
  if (!text.startsWith('{')) return null
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}
