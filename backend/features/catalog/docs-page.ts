import type { OpenApiDocument, Operation } from '../../http/routes/openapi.ts'
import { isRecord } from '../../http/routes/openapi-schemas.ts'
import type { Json } from '../../http/routes/openapi-schemas.ts'
import { html, pageOf } from '../../http/html.ts'
import type { Html } from '../../http/html.ts'
import { namesIn, typeText } from './type-text.ts'

const boundsOf = (schema: Json): string =>
  [
    Array.isArray(schema['enum'])
      ? schema['enum'].join(' | ')
      : typeof schema['type'] === 'string'
        ? schema['type']
        : '',
    schema['minimum'] === undefined ? '' : `≥ ${JSON.stringify(schema['minimum'])}`,
    schema['maximum'] === undefined ? '' : `≤ ${JSON.stringify(schema['maximum'])}`,
  ]
    .filter((text) => text !== '')
    .join(', ')

function parametersTable(operation: Operation): Html {
  if (operation.parameters.length === 0) return html``
  const rows = operation.parameters.map(
    ({ name, required, schema, description }) =>
      html`<tr>
        <td><code>${name}</code>${required ? ' required' : ''}</td>
        <td>${boundsOf(schema)}</td>
        <td>${schema['default'] === undefined ? '' : JSON.stringify(schema['default'])}</td>
        <td>${description ?? ''}</td>
      </tr>`,
  )
  return html`<table>
    <thead>
      <tr>
        <th>Parameter</th>
        <th>Values</th>
        <th>Default</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

/** A type with links to the named types in it, folded under a title. */
const collapsibleType = (title: string, schema: unknown): Html =>
  html`<details>
    <summary>${title}</summary>
    <pre>${typeText(schema)}</pre>
    ${namesIn(schema).map((name) => html`<a href="#type-${name}">${name}</a> `)}
  </details>`

const jsonIn = (body: unknown): Json | null => {
  const content = isRecord(body) ? body['content'] : null
  const json = isRecord(content) ? content['application/json'] : null
  return isRecord(json) ? json : null
}

const exampleOf = (title: string, json: Json | null): Html =>
  json?.['example'] === undefined
    ? html``
    : html`<details>
        <summary>${title}</summary>
        <pre>${JSON.stringify(json['example'], null, 2)}</pre>
      </details>`

function requestOf(operation: Operation): Html {
  const json = jsonIn(operation['requestBody'])
  if (json === null) return html``
  return html`${collapsibleType('Body', json['schema'])} ${exampleOf('Example body', json)}`
}

function responsesOf(operation: Operation, { components }: OpenApiDocument): Html[] {
  return Object.entries(operation.responses).map(([status, responseObject]) => {
    const { $ref: reference } = responseObject
    const response =
      typeof reference === 'string'
        ? (components.responses[reference.slice(reference.lastIndexOf('/') + 1)] ?? responseObject)
        : responseObject
    const json = jsonIn(response)
    const title = `${status} ${typeof response['description'] === 'string' ? response['description'] : ''}`
    if (json === null) return html`<p class="quiet">${title}</p>`
    return html`${collapsibleType(title, json['schema'])} ${exampleOf('Example answer', json)}`
  })
}

interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const section = ({ method, path, operation }: ListedOperation, document: OpenApiDocument): Html =>
  html`<section id="${operation.operationId}">
    <h3><b>${method.toUpperCase()}</b> ${path}</h3>
    <p>${operation.summary}</p>
    ${parametersTable(operation)} ${requestOf(operation)} ${responsesOf(operation, document)}
  </section>`

/** The HTML page of the document: every operation with its parameters, statuses, bodies and examples, and the named types. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? 'other'))].sort()
  const operationsOfTag = (tag: string) =>
    operations.filter(({ operation }) => (operation.tags[0] ?? 'other') === tag)
  return pageOf(
    'Augury API',
    html`<h1>Augury API</h1>
      <p class="quiet">
        Prices are cents from 0 to 100, times ISO 8601 UTC, null means known to be unavailable.
        Machine-readable: <a href="/openapi.json">/openapi.json</a>
      </p>
      <nav>
        <ul>
          ${operations.map(
            ({ path, operation }) => html`<li><a href="#${operation.operationId}">${path}</a></li>`,
          )}
        </ul>
      </nav>
      ${tags.map(
        (tag) =>
          html`<h2>${tag}</h2>
            ${operationsOfTag(tag).map((operation) => section(operation, document))}`,
      )}
      <h2>Types</h2>
      ${Object.entries(document.components.schemas).map(
        ([name, schema]) =>
          html`<section id="type-${name}">
            <h3>${name}</h3>
            <pre>${typeText(schema)}</pre>
          </section>`,
      )}`,
  )
}
