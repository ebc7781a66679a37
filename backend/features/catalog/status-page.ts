import type { Status } from '../../contract/operations.ts'
import { html, pageOf } from '../../http/html.ts'

/** Renders the status of the service as HTML. */
export const statusPage = (status: Status): string =>
  pageOf(
    'Augury status',
    html`<h1>Augury: ${status.status}</h1>
      <p class="quiet">as of ${status.updatedAt}</p>
      <table>
        <thead>
          <tr>
            <th>Component</th>
            <th>Status</th>
            <th>Last OK</th>
            <th>Data age</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${status.components.map(
            (part) =>
              html`<tr>
                <td>${part.name}</td>
                <td>${part.status}</td>
                <td>${part.lastOkAt ?? 'never'}</td>
                <td>${part.dataAgeSeconds === null ? 'unknown' : `${part.dataAgeSeconds} s`}</td>
                <td>${part.message ?? ''}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h2>Incidents of the last 90 days</h2>
      ${
        status.incidents.length === 0
          ? html`<p>None.</p>`
          : status.incidents.map(
              (incident) =>
                html`<h3>${incident.title}</h3>
                  <p class="quiet">${incident.startedAt} to ${incident.resolvedAt ?? 'now'}</p>
                  <ul>
                    ${incident.updates.map(({ at, text }) => html`<li>${at}: ${text}</li>`)}
                  </ul>`,
            )
      }`,
  )
