import { describe, expect, it } from 'vitest'
import type { OpenApiDocument } from '../../http/routes/openapi.ts'
import { marketView } from '../../testing/builders.ts'
import { dereferenced } from '../../testing/dereferenced.ts'
import { testApp } from '../../testing/test-app.ts'
import { html } from '../../http/html.ts'

type Json = Record<string, unknown>
const bodyOf = async (response: Response): Promise<Json> => (await response.json()) as Json

describe('/api/health', () => {
  // [health.api.liveness]
  it('answers while the first load is unfinished', async () => {
    const app = testApp()
    app.board.ready = false
    await app.clock.advance(61_500)
    const response = await app.get('/api/health')
    expect([response.status, await bodyOf(response)]).toEqual([
      200,
      {
        status: 'ok',
        condition: 'operational',
        service: 'augury',
        version: '0.1.0',
        source: 'demo',
        uptimeSeconds: 61,
        time: '2026-11-20T14:01:01.500Z',
      },
    ])
  })
})

describe('/status', () => {
  // [status.page.html] [status.page.json]
  it('is a page for browsers and JSON for programs', async () => {
    const app = testApp()
    const page = await app.get('/status')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('<h1>Augury: operational</h1>')
    const requested = await app.app.handle(
      new Request('http://localhost/status', { headers: { accept: 'application/json' } }),
    )
    const body = await bodyOf(requested)
    expect(body).toMatchObject({ status: 'operational', incidents: [] })
    expect((body['components'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'database',
      'history',
      'venue_a',
      'venue_b',
      'computed',
    ])
    expect(await bodyOf(await app.get('/status?format=JSON'))).toMatchObject({
      status: 'operational',
    })
    expect((await app.get('/status?format=xml')).status).toBe(400)
  })

  // [status.incidents.posted]
  it('opens an incident after a minute of degradation and closes it on recovery', async () => {
    const app = testApp()
    const read = async () => bodyOf(await app.get('/status?format=json'))
    const set = (index: number, status: 'operational' | 'degraded' | 'outage') => {
      const part = app.components[index]
      if (part !== undefined) app.components[index] = { ...part, status, message: `<${status}>` }
    }
    set(2, 'outage')
    expect(await read()).toMatchObject({ status: 'degraded', incidents: [] })
    await app.clock.advance(60_000)
    expect(await read()).toMatchObject({
      incidents: [{ impact: 'outage', startedAt: '2026-11-20T14:00:00.000Z', resolvedAt: null }],
    })
    expect(await (await app.get('/status')).text()).toContain('&lt;outage&gt;')
    set(2, 'operational')
    expect(await read()).toMatchObject({
      status: 'operational',
      incidents: [{ resolvedAt: '2026-11-20T14:01:00.000Z' }],
    })
    set(1, 'outage')
    expect(await read()).toMatchObject({ status: 'outage' })
  })
})

interface Operation {
  readonly operationId: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Json
  }[]
  readonly responses: Readonly<Record<string, { content?: Json; headers: Json }>>
}

describe('/openapi.json', () => {
  const read = async () => {
    const served = await bodyOf(await testApp().get('/openapi.json'))
    const document = dereferenced(served as unknown as OpenApiDocument)
    const paths = document.paths as unknown as Record<string, Record<string, Operation>>
    return { document, paths }
  }

  // [versions.openapi.document]
  it('is OpenAPI 3.1.0 with the security schemes', async () => {
    const { document } = await read()
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      servers: [{ url: 'http://augury.test' }],
      components: { securitySchemes: { serviceKey: {}, dataKey: {}, session: {} } },
    })
  })

  // [versions.openapi.complete] [versions.paths.unversioned]
  it('describes every route once, with parameters, statuses and bodies', async () => {
    const app = testApp()
    const { paths } = await read()
    for (const { method, path, hooks } of app.app.routes) {
      const { response } = hooks as { response?: object }
      const succeeds = Object.keys(response ?? {}).some((status) => status.startsWith('2'))
      // A stylesheet, and an address that is retired.
      if (!succeeds) continue
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(operation, `${method} ${path}`).toBeDefined()
      expect(operation?.operationId).toMatch(/^[a-z]+\.[a-z-]+$/)
      expect(path).not.toMatch(/\/v\d/)
      for (const [status, { content }] of Object.entries(operation?.responses ?? {})) {
        if (status !== '304') expect(content, `${path} ${status}`).toBeDefined()
      }
    }
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    const candles = paths['/api/public/market/{ticker}/candles']?.['get']
    expect(Object.keys(candles?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '304', '400', '404', '410', '429', '503']),
    )
    expect(candles?.responses['429']?.headers).toHaveProperty('Retry-After')
    expect(candles?.responses['200']?.headers).toHaveProperty('X-RateLimit-Limit')
    const limit = candles?.parameters.find(({ name }) => name === 'limit')
    // A clamping bound refuses nothing, so the schema has no maximum.
    expect(limit?.schema).toEqual({ type: 'integer', default: 500 })
    expect(candles?.parameters[0]).toMatchObject({ name: 'ticker', in: 'path', required: true })
    expect(JSON.stringify(candles)).not.toContain('"format":"integer"')
  })
})

describe('/docs', () => {
  // [versions.openapi.docs-offline]
  it('shows every operation and loads nothing from other hosts', async () => {
    const app = testApp({ views: [marketView()] })
    const page = await (await app.get('/docs')).text()
    expect(page).toContain('/api/public/market/{ticker}/candles')
    expect(page).not.toMatch(/<script|<style|style="|src=|href="(?:https?:)?\/\//)
    const stylesheet = await app.get('/docs/page.css')
    expect(stylesheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  it('escapes everything that is put into a page', () => {
    const evil = '<script>"\'&'
    expect(html`<b title="${evil}">${[evil, html`<i>${1}</i>`]}</b>`.html).toBe(
      '<b title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;<i>1</i></b>',
    )
  })
})
