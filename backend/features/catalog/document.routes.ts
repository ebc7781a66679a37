import { Elysia, t } from 'elysia'
import { answers, text } from '../../contract/schemas.ts'
import { adapter } from '../../http/adapter.ts'
import type { OpenApiDocument } from '../../http/routes/openapi.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { docsPage } from './docs-page.ts'
import { PAGE_CSS } from '../../http/html.ts'

const textResponse = (body: string, type: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } })

/**
 * The API description as JSON and as a page.
 * @param document called on first use, when every route is declared
 */
export function documentRoutes(document: () => OpenApiDocument) {
  let documentPages: { readonly json: string; readonly page: string } | null = null
  const texts = () => {
    if (documentPages === null) {
      const openapi = document()
      documentPages = { json: JSON.stringify(openapi), page: docsPage(openapi) }
    }
    return documentPages
  }
  return new Elysia({ tags: ['catalog'], adapter })
    .use(routePolicies)
    .get('/openapi.json', () => textResponse(texts().json, 'application/json'), {
      auth: 'none',
      rate: 'general',
      cache: 300,
      response: answers(t.Record(t.String(), t.Unknown(), { description: 'OpenAPI 3.1.0' }), 429),
      detail: {
        operationId: 'openapi.read',
        summary: 'This document as JSON',
      },
    })
    .get('/docs', () => textResponse(texts().page, 'text/html'), {
      auth: 'none',
      rate: 'general',
      cache: 300,
      response: answers(text('text/html', 'a page'), 429),
      detail: {
        operationId: 'docs.read',
        summary: 'This document as HTML',
      },
    })
    .get('/docs/page.css', () => textResponse(PAGE_CSS, 'text/css'), {
      auth: 'none',
      rate: 'general',
      cache: 300,
      detail: { hide: true },
    })
}
