import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESPONSE_BODIES } from '../contract/routes.ts'
import { crawl, routeFinder, toolsIn } from '../testing/link-crawl.ts'
import type { Crawled, Link } from '../testing/link-crawl.ts'
import {
  claimedBy,
  endpointOf,
  meantBy,
  playedBy,
  reportedBy,
  watchedBy,
} from '../testing/marked-things.ts'
import { operationOf, pathOf, startWholeService } from '../testing/whole-service.ts'
import type { WholeService } from '../testing/whole-service.ts'

const BASE = 'http://augury.test'
/** Links of one shape that are followed. */
const FOLLOWED = 3
const DEPTH = 2
/** A claim that markets of the demo ask. */
const CLAIM = 'Bitcoin will close above $100,000 by the end of 2026'

/** Routes whose answers describe routes: their addresses are templates, not links. */
const DESCRIBING = /^\/(?:docs|openapi\.json|asyncapi\.yaml|api\/dashboard\/usage)/

/** Routes about things that a fresh demo does not have, or that answer once. */
const WITHOUT_ANSWER = new Set([
  'GET /api/admin/providers/:name',
  'GET /api/auth/cli/poll',
  'GET /api/backtests/:id/trades',
  'GET /api/backups/:id',
  'GET /api/exports/:id',
  'GET /api/imports/:id',
  'GET /api/webhook-endpoints/:id/deliveries/:deliveryId',
  'GET /api/replay',
  'GET /api/replay/report',
])

/** Values of parameters that are required, or that no link fills in. */
const VALUES: Readonly<Record<string, string>> = {
  q: 'bitcoin',
  since: '12h',
  name: 'buy-and-hold',
  topic: 'oil',
  slug: 'oil',
  '*': 'oil',
}

/** One of each thing that users create, by the start of the routes about it. */
async function createdBy(service: WholeService): Promise<Readonly<Record<string, string>>> {
  const { owner } = service
  const { watchId, ruleId } = await watchedBy(service, owner)
  const { tickId, tradeId } = await reportedBy(service, owner)
  const thesisId = await claimedBy(service, owner, CLAIM)
  const send = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${owner.token}` }
    const { status, text } = await service.ask(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect([path, status, text]).toEqual([path, expect.toBeOneOf([200, 201]), text])
    return JSON.parse(text) as { readonly slug?: string }
  }
  await send(`/api/thesis/${thesisId}/evaluate`, {})
  const { slug } = await send(`/api/thesis/${thesisId}/publish`, {})
  await send('/api/forum/messages', {
    channel: 'signals',
    type: 'signal',
    content: `${service.ticker} moved`,
    tickers: [service.ticker],
  })
  return {
    '/api/backtests/': await playedBy(service, owner),
    '/api/alert-rules/': ruleId,
    '/api/intents/': await meantBy(service, owner),
    '/api/portfolio/ticks/': tickId,
    '/api/portfolio/trades/': tradeId,
    '/api/webhook-endpoints/': await endpointOf(service, owner),
    '/api/thesis/': thesisId,
    '/api/public/thesis/': slug ?? '',
    '/api/watch/': watchId,
  }
}

describe('links of a fresh demo', () => {
  let service: WholeService
  let answers: readonly Crawled[]
  let links: readonly Link[]
  /** Answers that do not describe routes. */
  let plain: readonly Crawled[]

  beforeAll(async () => {
    service = await startWholeService(100)
    const { text } = await service.ask('/api/public/yield-curves?limit=1')
    const { curves } = JSON.parse(text) as { curves: { eventBase: string }[] }
    const event = encodeURIComponent(curves[0]?.eventBase ?? 'none')
    const created = await createdBy(service)
    const found = await crawl(service, seedsOf(service, { ...VALUES, event }, created), {
      base: BASE,
      max: FOLLOWED,
      depth: DEPTH,
      isFollowed: ({ path }) => !DESCRIBING.test(path),
    })
    answers = found.answers
    links = found.links
    plain = answers.filter(({ path }) => !DESCRIBING.test(path))
  })
  afterAll(() => service.close())

  const sourceOf = (path: string): string =>
    links.find((link) => link.path === path)?.from ?? 'this test'

  // [conventions.links.work]
  it('lead to answers, two levels deep from every route', () => {
    const failed = answers
      .filter(({ status, depth }) => status >= 400 && depth > 0)
      .map(({ status, path }) => `${status} ${path}, linked by ${sourceOf(path)}`)
    expect(failed).toEqual([])
    expect(answers.length).toBeGreaterThan(200)
    expect(links.length).toBeGreaterThan(1_000)
  })

  it('reach every route that answers with JSON', () => {
    const find = routeFinder(service.routes)
    const reached = new Set(
      answers
        .filter(({ status }) => status < 400)
        .map(({ path }) => `GET ${find({ method: 'GET', path })?.path.replace(/\/$/, '') ?? ''}`),
    )
    const missed = Object.keys(RESPONSE_BODIES).filter(
      (name) => name.startsWith('GET ') && !reached.has(name) && !WITHOUT_ANSWER.has(name),
    )
    expect(missed).toEqual([])
  })

  it('name existing routes and methods, also where they write', () => {
    const find = routeFinder(service.routes)
    const absent = links.filter((link) => find(link) === null)
    expect(absent.map(({ method, path, from }) => `${method} ${path} in ${from}`)).toEqual([])
  })

  it('open the terminal at the market that a page link names', async () => {
    const { text } = await service.ask(`/api/public/market/${service.ticker}`)
    const { pageUrl } = JSON.parse(text) as { pageUrl: string }
    const { status, headers } = await service.ask(pageUrl.replace(BASE, ''))
    const line = new URLSearchParams({ c: `$${service.ticker} DES` }).toString()
    expect([status, headers.location]).toEqual([302, `${BASE}/#${line}`])
    expect((await service.ask('/markets/no-market-of-ours-venue-a-none')).status).toBe(404)
  })

  it('leave no placeholder in an answer', () => {
    const found = plain.flatMap(({ path, text }) =>
      (text.match(/\{[a-zA-Z_]+\}|%7B\w+%7D/g) ?? []).map(
        (placeholder) => `${placeholder} in ${path}`,
      ),
    )
    expect([...new Set(found)]).toEqual([])
  })

  it('name tools that the catalog lists', () => {
    const listed = new Set(
      Object.values(service.document.paths)
        .flatMap((methods) => Object.values(methods))
        .map(({ operationId }) => operationId),
    )
    const named = plain.flatMap(({ path, text }) => toolsIn(text).map((tool) => ({ path, tool })))
    const unlisted = named.filter(({ tool }) => !listed.has(tool))
    expect(unlisted.map(({ path, tool }) => `${tool} in ${path}`)).toEqual([])
    expect(new Set(named.map(({ tool }) => tool)).size).toBeGreaterThan(10)
  })
})

/** One request of each GET route, and one more for each of its formats and operations. */
function seedsOf(
  service: WholeService,
  values: Readonly<Record<string, string>>,
  created: Readonly<Record<string, string>>,
): string[] {
  return service.routes.flatMap((route) => {
    const prefix = Object.keys(created).find((start) => route.path.startsWith(`${start}:`))
    const own = prefix === undefined ? undefined : created[prefix]
    const valueOf = (name: string): string => own ?? values[name] ?? service.ticker
    const name = `${route.method} ${route.path}`
    if (route.method !== 'GET' || WITHOUT_ANSWER.has(name)) return []
    const path = pathOf(route, valueOf)
    const parameters = operationOf(service.document, route)?.parameters ?? []
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    const needed = inQuery
      .filter(({ required }) => required)
      .map((parameter) => [parameter.name, valueOf(parameter.name)])
    const forms = inQuery
      .filter((parameter) => parameter.name === 'format' || parameter.name === 'op')
      .flatMap((parameter) =>
        ((parameter.schema['enum'] ?? []) as string[]).map((form) => [parameter.name, form]),
      )
    return [[], ...forms].map((form) => {
      const query = [...needed, ...(form.length === 0 ? [] : [form])] as [string, string][]
      const search = new URLSearchParams(query).toString()
      return search === '' ? path : `${path}?${search}`
    })
  })
}
