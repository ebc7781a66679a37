import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TSchema } from 'elysia'
import { RESPONSE_BODIES } from '../contract/routes.ts'
import { jsonBodyOf } from '../http/routes/openapi-schemas.ts'
import { templateOf } from '../http/routes/openapi.ts'
import type { OpenApiDocument, Operation, Parameter } from '../http/routes/openapi.ts'
import { bind, type BoundAddress } from '../http/server.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'
import { dereferenced } from '../testing/dereferenced.ts'
import { violationOf } from '../testing/json-schema.ts'

const PAST = '2026-11-19T09:30:00.000Z'
const BEFORE_ALL = '2001-01-01T00:00:00.000Z'
const LATER = '2099-01-01T00:00:00.000Z'
const SECRET = 'launch-secret'
/** Values of text parameters without a meaning in their schema. */
const TEXTS: Readonly<Record<string, string>> = { q: 'will', keyword: 'will', format: 'json' }

type Requested = Readonly<Record<string, string>>

describe('answers of the whole service', () => {
  let demo: DemoService
  let bound: BoundAddress
  let document: OpenApiDocument
  let tickers: string[]
  let dataKey: string

  beforeAll(async () => {
    demo = await startDemoService({ seed: 5, markets: 120, start: '2026-11-20T14:00:00.000Z' })
    bound = await bind({ host: '127.0.0.1', port: 0 })
    demo.service.serveOn(bound, SECRET)
    const served = await fetch(`${bound.url}/openapi.json`)
    document = dereferenced((await served.json()) as OpenApiDocument)
    const page = await fetch(`${bound.url}/api/public/markets?limit=3`)
    const { markets } = (await page.json()) as { markets: { ticker: string }[] }
    tickers = markets.map(({ ticker }) => ticker)
    const created = await fetch(`${bound.url}/api/data-keys`, {
      method: 'POST',
      headers: { authorization: `Launch ${SECRET}` },
    })
    expect(created.status).toBe(201)
    dataKey = ((await created.json()) as { key: string }).key
  })
  afterAll(async () => {
    await bound.close(0)
    await demo.stop()
  })

  /** Values to test for a parameter, including an invalid one unless it is free text. */
  function valuesOf({ name, schema }: Parameter): string[] {
    if (name === 'asOf') return [PAST, BEFORE_ALL, LATER, 'noon']
    if (name === 'ticker') return [tickers[0] ?? '', 'NOPE']
    if (name === 'tickers') return [tickers.join()]
    if (Array.isArray(schema['enum'])) return [...schema['enum'].map(String), 'no such word']
    if (schema['type'] === 'boolean') return ['true', '0', 'perhaps']
    if (schema['type'] === 'integer' || schema['type'] === 'number') return ['1', 'x']
    return [TEXTS[name] ?? '24h']
  }

  /** One request with the required parameters, then one for each value of each parameter. */
  function questionsOf({ parameters }: Operation): Requested[] {
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    const needed = Object.fromEntries(
      inQuery
        .filter(({ required }) => required)
        .map((parameter) => [parameter.name, valuesOf(parameter)[0] ?? '']),
    )
    const varied = inQuery.flatMap((parameter) =>
      valuesOf(parameter).map((value) => ({ ...needed, [parameter.name]: value })),
    )
    return [{}, needed, ...varied]
  }

  async function misfitsOf(path: string, method: string, operation: Operation): Promise<string[]> {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
    const named = inPath.some(({ name }) => name === 'ticker')
    const paths = (named ? [...tickers, 'NOPE', crypto.randomUUID()] : ['none']).map((value) =>
      path.replace(/\{\w+\}/g, value),
    )
    const violations: string[] = []
    for (const [index, concrete] of paths.entries()) {
      for (const requested of index === 0 ? questionsOf(operation) : [{}]) {
        const question = `${concrete}?${new URLSearchParams(requested).toString()}`
        const violation = await violationOfAnswer(question, method, operation)
        if (violation !== null) violations.push(`${method} ${question}: ${violation}`)
      }
    }
    return violations
  }

  async function violationOfAnswer(
    question: string,
    method: string,
    operation: Operation,
  ): Promise<string | null> {
    const accepted = JSON.stringify(operation['security'])
    const owner = accepted.includes('launchSecret')
    const needsKey = accepted.includes('dataKey')
    const response = await fetch(bound.url + question, {
      method: method.toUpperCase(),
      headers: {
        ...(owner && { authorization: `Launch ${SECRET}` }),
        ...(needsKey && { authorization: `Bearer ${dataKey}` }),
        ...(method === 'post' && { 'content-type': 'application/json' }),
      },
      ...(method === 'post' && { body: '{}' }),
    })
    const content = operation.responses[String(response.status)]?.['content'] as
      Readonly<Record<string, { readonly schema: unknown }>> | undefined
    const type = response.headers.get('content-type') ?? ''
    const described = content?.[type.replace(/;.*/, '')]
    if (described === undefined) return `${response.status} ${type} is not described`
    if (!type.startsWith('application/json')) return null
    // [conventions.format.json]
    if (type !== 'application/json; charset=utf-8') return `the type is ${type}`
    const body: unknown = await response.json()
    if (question.startsWith('/openapi.json')) return null
    // The data service writes some names with an underscore, as its contract does.
    const isData = operation.tags.includes('data')
    return violationOf(described.schema, body) ?? (isData ? null : oddKeyIn(body))
  }

  it('have the bodies that the route table declares', () => {
    const declared = demo.service.app.routes.flatMap(({ method, path, hooks }) => {
      const { response = {} } = hooks as { response?: Record<string, { schema: TSchema }> }
      const success = Object.entries(response).find(([status]) => status.startsWith('2'))
      const json = success === undefined ? null : jsonBodyOf({ ...success[1].schema })
      const isDocument = path === '/openapi.json'
      return json === null || isDocument
        ? []
        : [[`${method} ${path.replace(/\/$/, '')}`, json] as const]
    })
    const named = Object.entries(RESPONSE_BODIES).map(
      ([name, schema]) => [name, jsonBodyOf({ ...(schema as TSchema) })] as const,
    )
    const texts = [named, declared].map(
      (table) => new Map(table.map(([name, schema]) => [name, JSON.stringify(schema)])),
    )
    const names = new Set(texts.flatMap((table) => [...table.keys()]))
    expect([...names].filter((name) => texts[0]?.get(name) !== texts[1]?.get(name))).toEqual([])
  })

  it('state every part of the path, and a body for writes that read one', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(methods)) {
        const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
        expect([path, pathParameters.map(({ name }) => name)]).toEqual([path, names])
      }
    }
    const sql = document.paths['/api/sql']?.['post']?.['requestBody']
    expect(sql).toMatchObject({
      content: { 'application/json': { schema: { required: ['sql'] } } },
    })
    const writes = demo.service.app.routes.filter(
      ({ hooks }) => (hooks as { body?: unknown }).body !== undefined,
    )
    for (const { method, path } of writes) {
      const operation = document.paths[templateOf(path)]?.[method.toLowerCase()]
      expect([method, path, operation?.['requestBody'] !== undefined]).toEqual([method, path, true])
    }
    expect(writes.length).toBeGreaterThan(20)
  })

  // [versions.openapi.answers-fit] [conventions.format.json]
  it('match the description, in every format', async () => {
    const violations: string[] = []
    let requested = 0
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        violations.push(...(await misfitsOf(path, method, operation)))
        requested += 1
      }
    }
    expect(violations).toEqual([])
    expect(requested).toBeGreaterThan(15)
  })
})

/** Names with another spelling in the contract: two, and those per venue. */
const SPELLED_SO = /^(?:activityChanges_24h|Δ|venue_[ab]\w*)$/

/** A key that is not written in camelCase, anywhere in a body. */
function oddKeyIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const keys = Array.isArray(value) ? [] : Object.keys(value)
  const odd = keys.find((key) => !/^[a-z][a-zA-Z0-9]*$/.test(key) && !SPELLED_SO.test(key))
  if (odd !== undefined) return `the key ${odd} is not in camelCase`
  return (
    Object.values(value)
      .map(oddKeyIn)
      .find((found) => found !== null) ?? null
  )
}
