import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import type { OpenApiDocument } from '../../http/openapi.ts'
import { routeWords } from '../../http/words.ts'
import { docsPage } from './docs-page.ts'
import { PAGE_CSS } from './html.ts'

const text = (body: string, type: string): Response =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } })

/**
 * The description of the interface, for machines and for people.
 * @param document made on first use, when every route is declared
 */
export function documentRoutes(document: () => OpenApiDocument) {
  let made: OpenApiDocument | null = null
  const known = (): OpenApiDocument => (made ??= document())
  return new Elysia({ tags: ['catalog'], adapter })
    .use(routeWords)
    .get('/openapi.json', () => known(), {
      auth: 'none',
      rate: 'off',
      cache: 300,
      detail: {
        operationId: 'openapi.read',
        summary: 'This document',
        responses: {
          200: {
            description: 'OpenAPI 3.1.0',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
        },
      },
    })
    .get('/docs', () => text(docsPage(known()), 'text/html'), {
      auth: 'none',
      rate: 'off',
      cache: 300,
      detail: {
        operationId: 'docs.read',
        summary: 'The same document for people',
        responses: {
          200: {
            description: 'a page',
            content: { 'text/html': { schema: { type: 'string' } } },
          },
        },
      },
    })
    .get('/docs/page.css', () => text(PAGE_CSS, 'text/css'), {
      auth: 'none',
      rate: 'off',
      cache: 300,
      detail: { hide: true },
    })
}
