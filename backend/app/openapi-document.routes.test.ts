import { globSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from '@readme/openapi-parser'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { typeText } from '../features/catalog/type-text.ts'
import { EVENT_NAMES } from '../domain/webhooks/delivery.ts'
import type { OpenApiDocument, Operation } from '../http/routes/openapi.ts'
import { SCHEMA_NAMES } from '../http/routes/schema-names.ts'
import { bind, type BoundAddress } from '../http/server.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'
import { dereferenced } from '../testing/dereferenced.ts'
import { violationOf } from '../testing/json-schema.ts'

const CONTRACT = join(import.meta.dirname, '../contract')

type Json = Readonly<Record<string, unknown>>
interface Described {
  readonly name: string
  readonly method: string
  readonly operation: Operation
}

/** The JSON content of a body. */
const jsonIn = (body: unknown): Json | undefined =>
  (body as { content?: Record<string, Json> } | undefined)?.content?.['application/json']

const successOf = ({ responses }: Operation): Json | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]

const described = (document: OpenApiDocument): Described[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method} ${path}`,
      method,
      operation,
    })),
  )

/** The first errors of a TypeScript source. */
function errorsIn(source: string): string[] {
  const options = { strict: true, noEmit: true, types: [], lib: ['lib.es2024.d.ts'] }
  const host = ts.createCompilerHost(options)
  const readFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, target) =>
    name === 'client.ts'
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2024)
      : readFile(name, target)
  const program = ts.createProgram(['client.ts'], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .slice(0, 5)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('the OpenAPI document of the whole service', () => {
  let demo: DemoService
  let bound: BoundAddress
  let document: OpenApiDocument
  let operations: Described[]

  beforeAll(async () => {
    demo = await startDemoService({ seed: 5, markets: 8, start: '2026-11-20T14:00:00.000Z' })
    bound = await bind({ host: '127.0.0.1', port: 0 })
    demo.service.serveOn(bound, 'launch-secret')
    document = (await (await fetch(`${bound.url}/openapi.json`)).json()) as OpenApiDocument
    operations = described(dereferenced(document))
  })
  afterAll(async () => {
    await bound.close(0)
    await demo.stop()
  })

  it('is valid', async () => {
    const { valid } = await validate(structuredClone(document))
    expect(valid).toBe(true)
  })

  it('[webhooks.openapi.events] declares the body of each event that endpoints receive', () => {
    expect(Object.keys(document.webhooks).toSorted()).toEqual([...EVENT_NAMES].toSorted())
    const events = dereferenced(document).webhooks as Record<string, { post: Operation }>
    const fired = jsonIn(events['alert.fired']?.post['requestBody'])?.['schema']
    expect(fired).toMatchObject({
      properties: {
        type: { const: 'alert.fired' },
        data: { properties: { snapshot: { properties: { late: { type: 'boolean' } } } } },
      },
    })
  })

  it('is served from the cache after the first request', async () => {
    const second = await fetch(`${bound.url}/openapi.json`)
    expect(second.headers.get('x-svc-cache')).toBe('hit')
  })

  it('describes every parameter, the success of every operation and the body of every write', () => {
    for (const { name, method, operation } of operations) {
      expect([name, successOf(operation) !== undefined]).toEqual([name, true])
      const silent = operation.parameters.filter(({ description = '' }) => description === '')
      expect([name, silent]).toEqual([name, []])
      const isWrite = method !== 'get' && method !== 'delete'
      if (isWrite) expect([name, jsonIn(operation['requestBody'])?.['schema']]).toBeTruthy()
    }
    expect(operations.length).toBeGreaterThan(140)
  })

  it('has a recorded example of each operation, which fits its schema', () => {
    const violations: string[] = []
    for (const { name, operation } of operations) {
      const bodies = [jsonIn(operation['requestBody']), jsonIn(successOf(operation))]
      for (const [index, body] of bodies.entries()) {
        if (body === undefined || name === 'get /openapi.json') continue
        const isOptional = index === 0 && Object.keys(body['schema'] as Json).length < 2
        if (body['example'] === undefined) {
          if (!isOptional) violations.push(`${name}: run node scripts/openapi-examples.ts`)
          continue
        }
        const violation = violationOf(body['schema'], body['example'])
        if (violation !== null) violations.push(`${name}: ${violation}`)
      }
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
      for (const parameter of inPath) {
        if (parameter.example === undefined) violations.push(`${name}: ${parameter.name}`)
      }
    }
    expect(violations).toEqual([])
  })

  it('names each schema of the contract once', async () => {
    const names = [...SCHEMA_NAMES.values()]
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const files = globSync('**/*.ts', { cwd: CONTRACT }).filter((file) => !/test|socket/.test(file))
    for (const file of files) {
      const exported: object = (await import(join(CONTRACT, file))) as object
      for (const [name, schema] of Object.entries(exported) as [string, unknown][]) {
        const isObject =
          typeof schema === 'object' &&
          schema !== null &&
          'properties' in schema &&
          'type' in schema
        if (!isObject) continue
        expect([file, name, SCHEMA_NAMES.has(schema as never)]).toEqual([file, name, true])
      }
    }
  })

  it('compiles as a typed client whose examples have its types', () => {
    const types = Object.entries(document.components.schemas).map(
      ([name, schema]) => `export type ${name} = ${typeText(schema)}`,
    )
    const examples = described(document).flatMap(({ operation }, index) =>
      [jsonIn(operation['requestBody']), jsonIn(successOf(operation))].flatMap((body, part) => {
        if (body?.['example'] === undefined) return []
        const value = JSON.stringify(body['example'])
        return [`export const body${index}_${part}: ${typeText(body['schema'])} = ${value}`]
      }),
    )
    expect(examples.length).toBeGreaterThan(160)
    expect(errorsIn([...types, ...examples].join('\n'))).toEqual([])
  })
})
