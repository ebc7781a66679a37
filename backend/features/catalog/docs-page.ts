import type { OpenApiDocument, Operation } from '../../http/routes/openapi.ts'
import { html, pageOf } from './html.ts'
import type { Html } from './html.ts'

type Json = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Renders a JSON schema as a type, indented by depth. */
export function typeText(schema: unknown, depth = 0): string {
  if (!isRecord(schema)) return 'unknown'
  const { type, properties, items, anyOf, enum: words } = schema
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word)).join(' | ')
  if (Array.isArray(anyOf)) return anyOf.map((branch) => typeText(branch, depth)).join(' | ')
  if (type === 'array') return `${typeText(items, depth)}[]`
  if (!isRecord(properties)) return typeof type === 'string' ? type : 'unknown'
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const indent = '  '.repeat(depth + 1)
  const lines = Object.entries(properties).map(
    ([name, property]) =>
      `${indent}${name}${required.includes(name) ? '' : '?'}: ${typeText(property, depth + 1)}`,
  )
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}

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
        <td>
          ${description ?? (typeof schema['description'] === 'string' ? schema['description'] : '')}
        </td>
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

function bodyOf(response: Json): string | null {
  const content = response['content']
  const json = isRecord(content) ? content['application/json'] : null
  return isRecord(json) ? typeText(json['schema']) : null
}

function responsesOf(operation: Operation): Html[] {
  return Object.entries(operation.responses).map(([status, response]) => {
    const body = bodyOf(response)
    const title = `${status} ${typeof response['description'] === 'string' ? response['description'] : ''}`
    return body === null
      ? html`<p class="quiet">${title}</p>`
      : html`<details>
          <summary>${title}</summary>
          <pre>${body}</pre>
        </details>`
  })
}

interface Listed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const section = ({ method, path, operation }: Listed): Html =>
  html`<section id="${operation.operationId}">
    <h3><b>${method.toUpperCase()}</b> ${path}</h3>
    <p>${operation.summary}</p>
    ${parametersTable(operation)} ${responsesOf(operation)}
  </section>`

/** The HTML page of the document: every operation with its parameters, statuses and bodies. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? 'other'))].sort()
  const inTag = (tag: string) =>
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
            ${inTag(tag).map(section)}`,
      )}`,
  )
}
