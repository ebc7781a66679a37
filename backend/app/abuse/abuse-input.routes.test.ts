import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampled } from '../../../scripts/properties.ts'
import type { Parameter } from '../../http/routes/openapi.ts'
import type { Route } from '../../http/routes/route-table.ts'
import { systemClock } from '../../lib/clock.ts'
import { admittedAt } from '../../testing/admitted.ts'
import { faultOf } from '../../testing/answer-faults.ts'
import {
  EXTREME,
  HOSTILE_SEGMENTS,
  HOSTILE_TEXTS,
  UNREADABLE,
  WORST_TEXTS,
} from '../../testing/hostile-input.ts'
import {
  gather,
  nameOf,
  operationOf,
  pathNamesOf,
  pathOf,
  startWholeService,
  type Answer,
  type SentHeaders,
  type WholeService,
} from '../../testing/whole-service.ts'

/** How a parameter is parsed: by type, or as free text. */
type Kind = keyof typeof UNREADABLE | 'text'

/** Parameters whose invalid values mean their default, by contract. */
const LENIENT: Readonly<Record<string, readonly string[]>> = {
  'GET /api/public/briefing': ['window'],
}
/** Aliases of parameters; errors use the first name. */
const ALIASES: Readonly<Record<string, string>> = {
  'GET /api/public/market/:ticker/candles tf': 'timeframe',
  'GET /api/public/market/:ticker/quotes tf': 'timeframe',
}
/** Pages of a resource that does not exist here; its cursor is not read. */
const OF_RESOURCE = [
  'GET /api/thesis/:id/evaluations',
  'GET /api/thesis/:id/strategies',
  'GET /api/webhook-endpoints/:id/deliveries',
]
/** Valid values of required parameters. */
const NEEDED: Readonly<Record<string, string>> = { q: 'will', since: '24h', token: 't'.repeat(43) }
const ANSWERED_ALIKE =
  /"(?:generatedAt|fetchedAt|servedAt|at|timestamp|to|from)":"[^"]*"|"(?:generated_at|generatedInMs|latencyMs|t|ts)":[\d.]+/g

let service: WholeService
let before: string
const requested = { routes: 0, requests: 0, slowestMs: 0 }

beforeAll(async () => {
  service = await startWholeService()
  before = service.storedRows()
})
afterAll(() => service.close())

const kindOf = ({ name, schema }: Parameter): Kind => {
  if (Array.isArray(schema['enum'])) return 'word'
  if (schema['format'] === 'date-time') return 'time'
  if (name === 'since') return 'since'
  const type = schema['type']
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text'
}

const queryOf = (route: Route): readonly Parameter[] =>
  (operationOf(service.document, route)?.parameters ?? []).filter(
    ({ in: place }) => place === 'query',
  )

/** Other required parameters of a route. */
const neededBy = (route: Route): Readonly<Record<string, string>> =>
  Object.fromEntries(
    queryOf(route)
      .filter(({ required }) => required)
      .map(({ name }) => [name, NEEDED[name] ?? service.ticker]),
  )

const placeOf = (route: Route): string =>
  pathOf(route, (name) => (name === 'ticker' ? service.ticker : 'none'))

/** Requests a route as an admitted user; returns the response and its fault. */
async function put(
  route: Route,
  path: string,
  headers: SentHeaders = admittedAt(route, service.ann, service),
): Promise<{ answer: Answer; fault: string | null }> {
  if (route.rate !== 'general' && route.rate !== 'off') service.nextMinute()
  const started = systemClock.monotonic()
  const answer = await service.ask(path, { method: route.method, headers })
  const elapsedMs = systemClock.monotonic() - started
  requested.requests += 1
  requested.slowestMs = Math.max(requested.slowestMs, elapsedMs)
  return { answer, fault: faultOf(answer, route, service, elapsedMs) }
}

const withQuery = (route: Route, query: Readonly<Record<string, string>>): string =>
  `${placeOf(route)}?${new URLSearchParams({ ...neededBy(route), ...query }).toString()}`

const textOf = (text: string): string => JSON.stringify(text.slice(0, 60))
const reads = (): Route[] => service.routes.filter(({ method }) => method === 'GET')

describe('every parameter of every route', () => {
  // [conventions.input.parameters] [conventions.parameters.malformed]
  it('names the parameter when a value cannot be parsed', async () => {
    const faults = await gather(reads(), async (route, row) => {
      const found: string[] = []
      for (const [index, parameter] of queryOf(route).entries()) {
        const { name } = parameter
        const kind = kindOf(parameter)
        if (kind === 'text' || LENIENT[nameOf(route)]?.includes(name) === true) continue
        for (const value of sampled(UNREADABLE[kind], row + index)) {
          const { answer, fault } = await put(route, withQuery(route, { [name]: value }))
          const was = `${nameOf(route)} ${name}=${textOf(value)}: ${answer.status}`
          if (fault !== null) found.push(`${was} ${fault}`)
          else if (
            answer.code !== 'VALIDATION_ERROR' ||
            !answer.text.startsWith(`{"error":"${ALIASES[`${nameOf(route)} ${name}`] ?? name} `)
          ) {
            found.push(`${was} ${answer.text.slice(0, 100)}`)
          }
        }
      }
      return found
    })
    expect(faults).toEqual([])
  })

  // [conventions.input.parameters]
  it('accepts the extreme values of its range', async () => {
    const faults = await gather(reads(), async (route) => {
      const found: string[] = []
      for (const parameter of queryOf(route)) {
        const kind = kindOf(parameter)
        if (kind === 'text') continue
        for (const value of EXTREME[kind]) {
          const { fault } = await put(route, withQuery(route, { [parameter.name]: value }))
          if (fault !== null) found.push(`${nameOf(route)} ${parameter.name}=${value}: ${fault}`)
        }
      }
      return found
    })
    expect(faults).toEqual([])
  })

  // [conventions.input.texts]
  it('treats any text as plain text', async () => {
    const faults = await gather(reads(), async (route, row) => {
      requested.routes += 1
      const found: string[] = []
      const texts = queryOf(route).filter((parameter) => kindOf(parameter) === 'text')
      const tried = async (query: Readonly<Record<string, string>>): Promise<void> => {
        const { fault } = await put(route, withQuery(route, query))
        const [name, value] = Object.entries(query)[0] ?? ['', '']
        if (fault !== null) found.push(`${nameOf(route)} ${name}=${textOf(value)}: ${fault}`)
      }
      for (const [index, { name }] of texts.entries()) {
        for (const value of sampled(WORST_TEXTS, row + index)) await tried({ [name]: value })
      }
      // The others are distributed over the parameters.
      const others = sampled(texts.length > 0 ? HOSTILE_TEXTS : WORST_TEXTS, row)
      for (const [turn, value] of others.entries()) {
        const name = texts[(turn + row) % texts.length]?.name ?? (value.slice(0, 60) || 'x')
        await tried({ [name]: value })
      }
      return found
    })
    expect(faults).toEqual([])
    expect(requested.routes).toBe(reads().length)
  })

  // [conventions.input.no-tautology]
  it('returns the same rows for a tautology as for a contradiction', async () => {
    // Both contain the same words for a search.
    const pairs = [
      ["zzqx' OR 'zzqx'='zzqx", "zzqx' OR 'zzqx'='zzqy"],
      ['zzqx" OR "zzqx"="zzqx', 'zzqx" OR "zzqx"="zzqy'],
      ['zzqx) OR (77771=77771', 'zzqx) OR (77771=77772'],
    ] as const
    const faults = await gather(reads(), async (route) => {
      const found: string[] = []
      for (const parameter of queryOf(route)) {
        if (kindOf(parameter) !== 'text') continue
        for (const [always, never] of pairs) {
          const replies = await Promise.all(
            [always, never].map(async (value) => {
              const { answer } = await put(route, withQuery(route, { [parameter.name]: value }))
              return `${answer.status} ${rowsIn(answer.text)}`
            }),
          )
          if (replies[0] !== replies[1]) {
            found.push(`${nameOf(route)} ${parameter.name}: ${replies.join(' against ')}`)
          }
        }
      }
      return found
    })
    expect(faults).toEqual([])
  })

  // [conventions.parameters.last-wins] [conventions.input.parameters]
  it('uses the last value when it is repeated', async () => {
    const faults = await gather(reads(), async (route) => {
      const found: string[] = []
      for (const parameter of queryOf(route)) {
        const kind = kindOf(parameter)
        const { name } = parameter
        if (kind === 'text' || LENIENT[nameOf(route)]?.includes(name) === true) continue
        const good =
          kind === 'word' ? String((parameter.schema['enum'] as unknown[])[0]) : EXTREME[kind].at(0)
        const rest = new URLSearchParams({ ...neededBy(route), [name]: good ?? '' }).toString()
        const [bad, twice] = [`${name}=zz`, `${rest}&`.repeat(50)]
        const alone = await put(route, `${placeOf(route)}?${rest}`)
        const first = await put(route, `${placeOf(route)}?${bad}&${rest}`)
        const last = await put(route, `${placeOf(route)}?${twice}${bad}`)
        const encoded = await put(
          route,
          `${placeOf(route)}?${rest}&%${name.charCodeAt(0).toString(16)}${bad.slice(1)}`,
        )
        if (first.answer.status !== alone.answer.status)
          found.push(`${nameOf(route)} ${bad} before: ${first.answer.status}`)
        if (last.answer.status !== 400)
          found.push(`${nameOf(route)} ${bad} after: ${last.answer.status}`)
        if (encoded.answer.status !== 400)
          found.push(`${nameOf(route)} ${bad} encoded: ${encoded.answer.status}`)
      }
      return found
    })
    expect(faults).toEqual([])
  })

  // [conventions.input.cursors]
  it('rejects cursors that the service did not issue', async () => {
    const forged = [
      'null',
      '{}',
      '[]',
      '[null,null,null]',
      '[{},0,"a"]',
      '["users",null,"a"]',
      '["users","0","a"]',
      '["users",0,{}]',
      '[{"__proto__":{"a":1}},0,"a"]',
      '["users",0,"a","b"]',
      '[[],0,""]',
      '["x",1e400,"y"]',
    ].map((text) => Buffer.from(text).toString('base64url'))
    const faults = await gather(reads(), async (route, row) => {
      const found: string[] = []
      const hasCursor = queryOf(route).some(({ name }) => name === 'cursor')
      if (!hasCursor || OF_RESOURCE.includes(nameOf(route))) return found
      const cursors = [...forged, ...UNREADABLE.word.slice(2), 'A'.repeat(8_001)]
      for (const cursor of sampled(cursors, row)) {
        const { answer, fault } = await put(route, withQuery(route, { cursor }))
        if (answer.code !== 'VALIDATION_ERROR' || fault !== null) {
          found.push(`${nameOf(route)} cursor=${textOf(cursor)}: ${answer.status} ${fault}`)
        }
      }
      return found
    })
    expect(faults).toEqual([])
  })
})

/** Rows of a response, without the requested words and the times. */
const rowsIn = (text: string): string =>
  text
    .replace(ANSWERED_ALIKE, '')
    .replace(/zzqx[^,}\n]*/gi, '')
    .slice(0, 4_000)

describe('every part of every path', () => {
  // [conventions.input.paths]
  it('fails cleanly for invalid names', async () => {
    const routes = service.routes.filter((route) => pathNamesOf(route).length > 0)
    const faults = await gather(routes, async (route, row) => {
      const found: string[] = []
      for (const segment of sampled(HOSTILE_SEGMENTS, row)) {
        for (const name of pathNamesOf(route)) {
          const path = pathOf(route, (of) => (of === name ? segment : service.ticker))
          const { answer, fault } = await put(route, path)
          const isChanged = route.method !== 'GET' && answer.status < 400
          if (fault !== null || isChanged) {
            found.push(`${nameOf(route)} ${name}=${textOf(segment)}: ${answer.status} ${fault}`)
          }
        }
      }
      return found
    })
    expect(faults).toEqual([])
  })

  // [conventions.input.paths]
  it('refuses addresses over the maximum length', async () => {
    const faults = await gather(service.routes, async (route) => {
      const { status } = await service.ask(`${placeOf(route)}?x=${'a'.repeat(70_000)}`, {
        method: route.method,
      })
      return status === 431 ? [] : [`${nameOf(route)}: ${status}`]
    })
    expect(faults).toEqual([])
  })
})

// Last: the state after all requests.
describe('the service after all these requests', () => {
  // [conventions.input.unharmed]
  it('still answers, with unchanged data', async ({ annotate }) => {
    expect(service.storedRows()).toBe(before)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    const { status, text } = await service.ask(`/api/public/market/${service.ticker}`)
    expect(status).toBe(200)
    expect(text).toContain(service.ticker)
    const { routes, requests, slowestMs } = requested
    await annotate(`${routes} reads, ${requests} requests, slowest ${Math.round(slowestMs)} ms`)
    expect(requests).toBeGreaterThan(4_000)
  })
})
