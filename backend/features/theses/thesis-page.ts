import type { PublicNode, PublicThesis } from '../../contract/theses/thesis.ts'
import { headingsOf } from '../../domain/theses/claim.ts'
import { venueName } from '../../domain/venue.ts'
import { html, pageOf, type Html } from '../../http/html.ts'

const MISSING = '–'
const percent = (value: number | null): string =>
  value === null ? MISSING : `${(value * 100).toFixed(1)}%`
const cents = (value: number | null): string => (value === null ? MISSING : `${value.toFixed(1)}¢`)
const signedCents = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}¢`
const points = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value * 100).toFixed(1)} pp`
const minute = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

const bar = (share: number): Html =>
  html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width="100" height="6" />
    <rect class="on" width="${share * 100}" height="6" />
  </svg>`

const treeOf = (nodes: readonly PublicNode[]): Html =>
  html`<ul>
    ${nodes.map(
      (node) =>
        html`<li>
          ${node.label}: <b>${percent(node.probability)}</b>
          <span class="quiet">weight ${percent(node.importance)}</span>
          ${bar(node.probability)}
          ${node.children.length === 0 ? '' : treeOf(node.children as readonly PublicNode[])}
        </li>`,
    )}
  </ul>`

const CHART = { width: 720, height: 160, left: 34, right: 10, top: 8, bottom: 22 } as const

/** Confidence after each evaluation as a step line; empty without two instants. */
function chartOf(history: PublicThesis['confidenceHistory']): Html | '' {
  const evaluations = history
    .toReversed()
    .flatMap(({ evaluatedAt, confidence }) =>
      confidence === null ? [] : [{ at: Date.parse(evaluatedAt), confidence }],
    )
  const [first, last] = [evaluations[0], evaluations.at(-1)]
  if (first === undefined || last === undefined || first.at === last.at) return ''
  const { width, height, left, right, top, bottom } = CHART
  const x = (at: number): number =>
    Math.round(left + ((at - first.at) / (last.at - first.at)) * (width - left - right))
  const y = (share: number): number => Math.round(top + (1 - share) * (height - top - bottom))
  const path = evaluations
    .map(({ at, confidence }, index) =>
      index === 0 ? `M ${x(at)} ${y(confidence)}` : `H ${x(at)} V ${y(confidence)}`,
    )
    .join(' ')
  const label = `Confidence from ${percent(first.confidence)} to ${percent(last.confidence)}`
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
    ${[0, 0.5, 1].map(
      (share) =>
        html`<line x1="${left}" x2="${width - right}" y1="${y(share)}" y2="${y(share)}" />
          <text x="${left - 4}" y="${y(share) + 4}" text-anchor="end">${share * 100}%</text>`,
    )}
    <path d="${path}" />
    <circle cx="${x(last.at)}" cy="${y(last.confidence)}" r="3" />
    <text x="${left}" y="${height - 6}">${minute(new Date(first.at).toISOString())}</text>
    <text x="${width - right}" y="${height - 6}" text-anchor="end">
      ${minute(new Date(last.at).toISOString())}
    </text>
  </svg>`
}

const edgesOf = (edges: PublicThesis['edges']): Html =>
  edges.length === 0
    ? html`<p class="quiet">No market differs from this thesis by a cent or more.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Edges">
        <table>
          <thead>
            <tr>
              <th>Market</th>
              <th>Venue</th>
              <th>Side</th>
              <th class="number">Market price</th>
              <th class="number">Thesis price</th>
              <th class="number">Edge</th>
            </tr>
          </thead>
          <tbody>
            ${edges.map(
              (edge) =>
                html`<tr>
                  <td>${edge.market}</td>
                  <td>${venueName(edge.venue)}</td>
                  <td>${edge.direction.toUpperCase()}</td>
                  <td class="number">${cents(edge.marketPrice)}</td>
                  <td class="number">${cents(edge.thesisPrice)}</td>
                  <td class="number">${signedCents(edge.edge)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`

/**
 * The page of a published thesis: one document without scripts, which prints.
 * @param apiPath the same thesis as JSON @param now ISO time of its prices
 */
export function thesisPage(publicThesis: PublicThesis, apiPath: string, now: string): string {
  const { thesis, causalTree, confidenceHistory, edges, impliedReturns } = publicThesis
  const { avgReturnPct, winners, losers } = impliedReturns
  const { heading, claim } = headingsOf(thesis.title, causalTree.rootClaim)
  const body = html`<article>
    <h1>${heading}</h1>
    ${claim === null ? '' : html`<p class="claim">${claim}</p>`}
    ${thesis.description === null ? '' : html`<p>${thesis.description}</p>`}
    <p class="quiet">
      By ${thesis.author}, published ${minute(thesis.publishedAt)}. Status: ${thesis.status}.
    </p>
    <p><span class="figure">${percent(thesis.confidence)}</span> confidence</p>
    ${chartOf(confidenceHistory)}
    <h2>Conditions</h2>
    <p class="quiet">Confidence is the mean of the top conditions, weighted by importance.</p>
    <div class="tree">
      ${
        causalTree.nodes.length === 0
          ? html`<p class="quiet">The thesis is still being formed.</p>`
          : treeOf(causalTree.nodes)
      }
    </div>
    <h2>Edges</h2>
    <p class="quiet">Markets that the thesis prices differently, cents of YES, ${minute(now)}.</p>
    ${edgesOf(edges)}
    ${
      avgReturnPct === null
        ? ''
        : html`<p>
            Mean return since the edges were found: ${avgReturnPct.toFixed(1)}% before exit costs;
            ${winners} up, ${losers} down.
          </p>`
    }
    <h2>Evaluations</h2>
    <ol reversed>
      ${confidenceHistory.map(
        ({ evaluatedAt, confidence, delta, summary }) =>
          html`<li>
            ${minute(evaluatedAt)}:
            <b>${percent(confidence)}</b> ${delta === 0 ? '' : points(delta)} <br />${summary}
          </li>`,
      )}
    </ol>
    <p class="quiet">
      A thesis is the view of its author and not advice.
      <span class="screen"><a href="${apiPath}">The same as JSON</a></span>
    </p>
  </article>`
  return pageOf(thesis.title, body)
}

/** The page of a name under which nothing is published. */
export const noThesisPage = (): string =>
  pageOf(
    'No such thesis',
    html`<h1>No such thesis</h1>
      <p>Nothing is published under this address, or it is private again.</p>`,
  )
